use toolwright::Tool;

/// Read or write a file.
#[derive(Tool)]
enum File {
    Read { path: String },
    Write { path: String },
}

fn main() {}
