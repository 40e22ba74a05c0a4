use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[cfg_attr(all(), tool)]
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {}
