use toolwright::toolset;

struct Notes {
    folder: String,
}

#[toolset]
impl Notes {
    /// Read a note.
    #[tool(permission = self.folder.as_str())]
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {}
