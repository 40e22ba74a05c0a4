use toolwright::toolset;

struct Notes {
    folder: String,
}

#[toolset]
impl Notes {
    /// Read a note.
    #[tool(permission = toolwright::FileAccess::read(&self.foldr))]
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {}
