use toolwright::{RunTool, Tool, ToolContext};

struct Query;

/// Search the documents.
#[derive(Tool)]
#[tool(effect = "read")]
struct Search {
    query: Query,
    #[arg(rang = 1..=5)]
    most: u32,
    #[arg(range = 1..)]
    language: String,
}

impl RunTool for Search {
    type Output = Query;

    async fn run(self, _ctx: &ToolContext) -> Query {
        self.query
    }
}

fn main() {}
