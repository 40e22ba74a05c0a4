use toolwright::tool;

/// Read a text file.
#[tool(limits(memory = 64))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
