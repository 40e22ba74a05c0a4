//! Three tools as agents have them: a search with limits and a choice, a file that is written over,
//! and a booking of several people. Every limit and default is in the schema *and* enforced.

use std::path::PathBuf;
use toolwright::{AllowAll, Executor, FileAccess, discover, tool, tool_type};

/// What comes first.
#[tool_type]
#[derive(Debug, Default)]
#[serde(rename_all = "snake_case")]
enum Sort {
    /// What fits best.
    #[default]
    Relevance,
    /// What is newest.
    Date,
}

/// Search the documents.
#[tool(name = "docs.search", read_only)]
fn search_docs(
    /// What to look for.
    #[arg(length = 1..=200)]
    query: String,
    /// How many hits to return.
    #[arg(default = 10, range = 1..=50)]
    limit: u32,
    /// What comes first.
    #[arg(default)]
    sort: Sort,
) -> Vec<String> {
    vec![format!("{limit} hits for {query} by {sort:?}")]
}

struct Workspace {
    root: PathBuf,
}

/// Write a text file, over what is there.
#[tool(name = "fs.write", destructive, blocking, permission = FileAccess::write(path).within(&workspace.root))]
fn write_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// The whole new text.
    content: String,
    workspace: &Workspace,
) -> Result<usize, std::io::Error> {
    std::fs::write(workspace.root.join(path), &content)?;
    Ok(content.len())
}

/// Somebody who travels.
#[tool_type]
struct Passenger {
    /// As in the passport.
    #[arg(length = 1..)]
    name: String,
    /// In years.
    #[arg(range = 0..=120)]
    age: u8,
}

/// Book a flight.
#[tool(name = "flight.book")]
fn book_flight(
    /// The day of departure.
    #[arg(format = "date")]
    day: String,
    /// Who flies.
    #[arg(length = 1..=9)]
    passengers: Vec<Passenger>,
) -> String {
    let (first, others) = (&passengers[0], passengers.len() - 1);
    format!("{day}: {} ({}) and {others} others", first.name, first.age)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let executor = Executor::builder(discover!()?)
        .resource(Workspace { root: ".".into() })
        .permissions(AllowAll)
        .build()?;
    for (name, arguments) in [
        ("docs.search", r#"{"query": "tools", "sort": "date"}"#),
        (
            "docs.search",
            r#"{"query": "", "limit": 99, "sort": "newest"}"#,
        ),
        ("fs.write", r#"{"path": "../../etc/passwd"}"#),
        (
            "flight.book",
            r#"{"day": "2026-02-30", "passengers": [{"name": "Ada", "age": 136}]}"#,
        ),
        (
            "flight.book",
            r#"{"day": "2026-02-28", "passengers": [{"name": "Ada", "age": 36}]}"#,
        ),
    ] {
        println!("> {name} {arguments}");
        println!("{}\n", executor.call(name, arguments).await.text());
    }
    Ok(())
}
