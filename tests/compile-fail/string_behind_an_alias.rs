use toolwright::tool;

type Title = String;

/// Read a text file.
#[tool]
async fn read_file(path: &Title) {
    let _ = path;
}

fn main() {}
