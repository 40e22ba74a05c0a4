use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool(struct_name = Read)]
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {}
