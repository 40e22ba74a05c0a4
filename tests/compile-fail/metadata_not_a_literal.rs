use toolwright::tool;

const TIER: i64 = 2;

/// Read a text file.
#[tool(metadata(tier = TIER))]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
