use toolwright::toolset;

struct Notes;

struct Missing;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, name: String) -> Result<String, Missing> {
        if name.is_empty() { Err(Missing) } else { Ok(name) }
    }
}

fn main() {}
