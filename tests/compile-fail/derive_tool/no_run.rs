use toolwright::Tool;

/// Read a text file.
#[derive(Tool)]
struct ReadFile {
    path: String,
}

fn main() {}
