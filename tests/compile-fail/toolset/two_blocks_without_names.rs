use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, name: String) -> String {
        name
    }
}

#[toolset]
impl Notes {
    /// Search the notes.
    #[tool]
    async fn search(&self, text: String) -> String {
        text
    }
}

fn main() {}
