use toolwright::{ToolRegistry, toolset};

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {
    let _ = ToolRegistry::new().with(Notes);
}
