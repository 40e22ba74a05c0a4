use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(help = "The path of the file.")] path: String) -> String {
    path
}

fn main() {}
