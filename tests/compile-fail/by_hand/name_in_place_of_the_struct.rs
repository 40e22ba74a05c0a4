use toolwright::{ToolRegistry, tool};

/// Read a text file.
#[tool]
async fn read_file(path: String) -> String {
    path
}

fn main() {
    let _ = ToolRegistry::new().with("read_file");
}
