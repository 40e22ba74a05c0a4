use toolwright::tool;

/// Read a text file.
#[tool(limits(fuel = "1000"))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
