use toolwright::tool;

type Paths = [String];

/// Read a text file.
#[tool]
async fn read_file(paths: &Paths) {
    let _ = paths;
}

fn main() {}
