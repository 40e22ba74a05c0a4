use toolwright::toolset;

type Title = String;

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, title: &Title) -> usize {
        title.len()
    }
}

fn main() {}
