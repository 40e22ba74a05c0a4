use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(#[arg(one_of("1", "2"))] value: u32) {
    let _ = value;
}

fn main() {}
