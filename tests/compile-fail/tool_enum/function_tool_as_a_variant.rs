use toolwright::{ToolEnum, tool};

/// Read a text file.
#[tool]
async fn read_file(path: String) -> String {
    path
}

#[derive(ToolEnum)]
enum Files {
    Read(ReadFile),
}

fn main() {}
