use std::net::Ipv4Addr;
use toolwright::tool;

/// Read a text file.
#[tool]
async fn ping(#[arg(default)] address: Ipv4Addr) -> String {
    address.to_string()
}

fn main() {}
