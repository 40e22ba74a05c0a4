use toolwright::Tool;

/// Read a text file.
#[derive(Tool)]
struct ReadFile<T> {
    path: T,
}

fn main() {}
