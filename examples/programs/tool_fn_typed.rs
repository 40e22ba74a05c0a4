//! `tool_fn_typed` makes a tool of a closure, with the schemas of the types that it takes and returns. A closure captures
//! what a function cannot: here there is one tool for each shelf of a library, found when the program runs.

use std::collections::BTreeMap;
use std::error::Error;

use toolwright::spec::Effect;
use toolwright::tools::tool_fn_typed;
use toolwright::{Executor, ToolError, ToolName, ToolRegistry, ToolSpec, tool_type};

/// A question to a shelf.
#[tool_type(argument)]
struct Find {
    /// A part of the title.
    #[arg(length = 2..)]
    title: String,
    /// The number of books to return.
    #[arg(default = 1, range = 1..=5)]
    limit: usize,
}

/// The books that were found.
#[tool_type(result)]
struct Found {
    books: Vec<String>,
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let library = BTreeMap::from([
        ("history", vec!["A History of Maps", "Maps of the Sea"]),
        ("cooking", vec!["Bread", "More Bread", "Soup"]),
    ]);

    let mut tools = ToolRegistry::new();
    for (shelf, books) in library {
        let name = ToolName::new(format!("library.{shelf}"))?;
        let spec =
            ToolSpec::new(name, format!("Find books about {shelf}.")).with_effect(Effect::ReadOnly);
        tools.register(tool_fn_typed(spec, move |find: Find| {
            let fitting = books.iter().filter(|book| book.contains(&find.title));
            let books: Vec<String> = fitting.take(find.limit).map(ToString::to_string).collect();
            if books.is_empty() {
                return Err(ToolError::not_found(format!(
                    "no title has `{}` in it",
                    find.title
                )));
            }
            Ok(Found { books })
        }))?;
    }

    let executor = Executor::new(tools)?;
    for (name, arguments) in [
        ("library.history", r#"{"title": "Maps", "limit": 5}"#),
        ("library.cooking", r#"{"title": "Bread"}"#),
        ("library.cooking", r#"{"title": "Cake"}"#),
        ("library.cooking", r#"{"titel": "Soup", "limit": 9}"#),
    ] {
        println!("> {name} {arguments}");
        println!("{}", executor.call(name, arguments).await.text());
    }
    Ok(())
}
