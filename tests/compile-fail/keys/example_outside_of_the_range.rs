use toolwright::tool;

/// Read a text file.
#[tool(examples({"path": "a.txt", "from": 0}))]
async fn read_file(path: String, #[arg(range = 1..)] from: u32) -> String {
    format!("{path}{from}")
}

fn main() {}
