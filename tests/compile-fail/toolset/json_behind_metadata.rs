use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Find notes.
    #[tool(metadata = {"team": "notes"})]
    async fn find(&self, text: String) -> String {
        text
    }
}

fn main() {}
