use toolwright::toolset;

struct Notes;

#[toolset(deny_undocumented)]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, title: String) -> String {
        title
    }
}

fn main() {}
