use toolwright::{ToolRegistry, toolset};

struct Notes;

#[toolset]
impl Notes {
    #[tool]
    async fn read(&self, name: String) -> String {
        name
    }

    /// Search the notes.
    #[tool]
    async fn search(&self, text: String) -> String {
        self.read(text).await
    }

    fn len(&self) -> usize {
        0
    }
}

fn main() {
    let notes = Notes;
    drop(notes.read(String::new()));
    drop(notes.search(String::new()));
    let _ = notes.len();
    let _ = ToolRegistry::new().with_set(notes);
}
