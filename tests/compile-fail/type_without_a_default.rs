use std::net::Ipv4Addr;
use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(default)] address: Ipv4Addr) {}

fn main() {}
