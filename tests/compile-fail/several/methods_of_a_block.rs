use toolwright::toolset;

struct Query;

struct Notes;

#[toolset(prefx = "notes")]
impl Notes {
    #[tool]
    async fn find(&self, query: Query) -> String {
        let _ = query;
        String::new()
    }

    /// Add a note.
    #[tool]
    async fn add(&mut self, text: String) -> Query {
        let _ = text;
        Query
    }

    /// Count the notes.
    #[tool]
    async fn count(&self, #[arg(length = 1..)] least: u32) -> u32 {
        least
    }
}

fn main() {}
