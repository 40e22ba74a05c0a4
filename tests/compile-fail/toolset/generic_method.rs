use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read<T: Into<String>>(&self, name: T) -> String {
        name.into()
    }
}

fn main() {}
