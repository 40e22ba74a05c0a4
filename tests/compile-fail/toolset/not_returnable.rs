use toolwright::toolset;

struct Notes;

struct Note {
    name: String,
}

#[toolset]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, name: String) -> Note {
        Note { name }
    }
}

fn main() {}
