use toolwright::{ToolRegistry, toolset};

struct Notes;

#[toolset(part = Search)]
impl Notes {
    /// Search the notes.
    #[tool]
    async fn search(&self, text: String) -> String {
        text
    }
}

fn main() {
    let _ = ToolRegistry::new().with_set(Notes);
}
