use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: String, #[arg(default = DEFAULT)] from: u32) -> String {
    path.repeat(from as usize)
}

fn main() {}
