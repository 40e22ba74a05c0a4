use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(default = "up", one_of("asc", "desc"))] value: String) {
    let _ = value;
}

fn main() {}
