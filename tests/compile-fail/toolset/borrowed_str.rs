use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, name: &str) -> String {
        name.to_owned()
    }
}

fn main() {}
