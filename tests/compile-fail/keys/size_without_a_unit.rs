use toolwright::tool;

/// Read a text file.
#[tool(limits(output = "64"))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
