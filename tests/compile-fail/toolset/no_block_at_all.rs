use toolwright::ToolRegistry;

struct Notes;

impl Notes {
    /// Read a note.
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {
    drop(Notes.read(String::new()));
    let _ = ToolRegistry::new().with_set(Notes);
}
