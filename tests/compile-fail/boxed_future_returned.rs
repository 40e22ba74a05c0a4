use std::pin::Pin;
use toolwright::tool;

/// Read a text file.
#[tool]
fn read_file(path: String) -> Pin<Box<dyn Future<Output = String> + Send>> {
    Box::pin(async move { path })
}

fn main() {}
