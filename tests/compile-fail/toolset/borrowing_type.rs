use toolwright::toolset;

struct Notes<'a> {
    folder: &'a str,
}

#[toolset]
impl<'a> Notes<'a> {
    /// Read a note.
    #[tool]
    async fn read(&self, name: String) -> String {
        format!("{}/{name}", self.folder)
    }
}

fn main() {}
