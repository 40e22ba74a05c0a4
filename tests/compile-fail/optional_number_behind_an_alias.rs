use toolwright::tool;

type Count = u32;

/// Read a text file.
#[tool]
async fn read_file(path: Option<&Count>) {
    let _ = path;
}

fn main() {}
