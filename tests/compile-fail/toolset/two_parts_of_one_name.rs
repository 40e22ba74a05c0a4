use toolwright::toolset;

struct Notes;

#[toolset(part = Search)]
impl Notes {
    /// Search the notes.
    #[tool]
    async fn search(&self, text: String) -> String {
        text
    }
}

#[toolset(part = Search)]
impl Notes {
    /// Find a note.
    #[tool]
    async fn find(&self, text: String) -> String {
        text
    }
}

fn main() {}
