use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file((from, to): (i32, i32)) {
    let _ = from + to;
}

fn main() {}
