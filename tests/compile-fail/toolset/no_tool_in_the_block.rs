use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {}
