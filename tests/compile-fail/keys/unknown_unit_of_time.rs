use toolwright::tool;

/// Read a text file.
#[tool(timeout = "10sec")]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
