use toolwright::tool;

struct Notes;

impl Notes {
    /// Open the notes.
    #[tool]
    fn open() -> Self {
        Self
    }
}

fn main() {}
