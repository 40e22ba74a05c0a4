use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, name: String) -> String {
        nmae
    }
}

fn main() {}
