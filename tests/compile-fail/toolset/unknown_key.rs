use toolwright::toolset;

struct Notes;

#[toolset(prefx = "notes")]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {}
