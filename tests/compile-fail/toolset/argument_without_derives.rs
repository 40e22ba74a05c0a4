use toolwright::toolset;

struct Notes;

struct Query {
    text: String,
}

#[toolset]
impl Notes {
    /// Search the notes.
    #[tool]
    async fn search(&self, query: Query) -> String {
        query.text
    }
}

fn main() {}
