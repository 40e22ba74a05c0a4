use toolwright::toolset;

trait Read {
    async fn read(&self, name: String) -> String;
}

struct Notes;

#[toolset]
impl Read for Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {}
