use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file<P: AsRef<str>>(path: P) {
    let _ = path.as_ref();
}

fn main() {}
