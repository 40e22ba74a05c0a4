use toolwright::tool;

/// A text file.
#[tool]
struct ReadFile {
    path: String,
}

fn main() {}
