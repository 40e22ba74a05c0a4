use toolwright::tool;

#[tool(description = "Reads a text file.")]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
