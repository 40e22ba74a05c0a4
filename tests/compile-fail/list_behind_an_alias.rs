use toolwright::tool;

type Names = Vec<Box<str>>;

/// Read a text file.
#[tool]
async fn read_file(path: &Names) {
    let _ = path;
}

fn main() {}
