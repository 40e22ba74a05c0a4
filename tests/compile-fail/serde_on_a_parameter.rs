use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[serde(rename = "file")] path: String) -> String {
    path
}

fn main() {}
