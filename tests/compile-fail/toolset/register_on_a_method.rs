use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool(register = false)]
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {}
