use toolwright::toolset;

type Title = String;

struct Notes;

#[toolset]
impl Notes {
    fn check(title: Title) -> Result<(), String> {
        Err(title)
    }

    /// Read a note.
    #[tool(validate = Self::check)]
    async fn read(&self, title: Title) -> String {
        title
    }
}

fn main() {}
