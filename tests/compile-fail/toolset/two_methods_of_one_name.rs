use toolwright::toolset;

struct Notes;

#[toolset(prefix = "notes")]
impl Notes {
    /// Read a note.
    #[tool(read_only)]
    async fn read(&self, name: String) -> String {
        name
    }

    /// Show a note.
    #[tool(name = "read", read_only)]
    async fn show(&self, name: String) -> String {
        name
    }
}

fn main() {}
