//! Three tools as agents have them: a search with limits and a choice, a file that is written over, and a booking of
//! several people. The schema shows every limit and default, and each is enforced. What no schema can say, such as the
//! seats that are left, the app behind the tools checks.
//!
//! `cargo run --bin three-tools FOLDER` keeps documents and bookings in that folder; without one they go at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::{cmp::Reverse, env, error::Error, fs, io, path::PathBuf};
use toolwright::{Executor, FileAccess, ToolError, discover, tool, tool_type};
use toolwright_policy::{PermissionPolicy, Rule};

/// The order of the hits.
#[tool_type]
#[derive(Debug, Default)]
#[serde(rename_all = "snake_case")]
enum Sort {
    /// The document with the most hits first.
    #[default]
    Relevance,
    /// The newest document first.
    Date,
}

/// Search the documents.
#[tool(name = "docs.search", read_only, blocking, permission = FileAccess::read_tree(".").within(&workspace.root))]
fn search_docs(
    /// The text to look for.
    #[arg(length = 1..=200)]
    query: String,
    /// The most documents to return.
    #[arg(default = 10, range = 1..=50)]
    limit: usize,
    /// The order of the hits.
    #[arg(default)]
    sort: Sort,
    workspace: &Workspace,
) -> io::Result<Vec<String>> {
    let mut hits = workspace.hits(&query, &sort)?;
    hits.truncate(limit);
    Ok(hits)
}

/// Write a text file, over what is there.
#[tool(name = "fs.write", destructive, blocking, permission = FileAccess::write(path).within(&workspace.root))]
fn write_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// The whole new text.
    content: String,
    workspace: &Workspace,
) -> io::Result<usize> {
    fs::write(workspace.root.join(path), &content)?;
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
#[tool(name = "flight.book", blocking)]
fn book_flight(
    /// The day of departure.
    #[arg(format = "date")]
    day: String,
    /// The passengers.
    #[arg(length = 1..=9)]
    passengers: Vec<Passenger>,
    flights: &Flights,
) -> Result<String, ToolError> {
    flights.book(&day, &passengers)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let folder = env::args_os()
        .nth(1)
        .map_or(temporary.path().to_owned(), PathBuf::from);
    // The bookings lie beside the documents, where no file tool reaches.
    let root = folder.join("documents");
    fs::create_dir_all(&root)?;
    let root = root.canonicalize()?;
    let policy = PermissionPolicy::builder(&root)
        .allowed_tree(".")
        .rule(Rule::allow().tools(["flight.book"]))
        .build()?;
    let executor = Executor::builder(discover!()?)
        .resource(Workspace { root })
        .resource(Flights::open(folder.join("bookings.json"))?)
        .permission_checker(policy)
        .build()?;
    for (name, arguments) in CALLS {
        println!("> {name} {arguments}");
        println!("{}\n", executor.call(name, arguments).await.text());
    }
    Ok(())
}

/// The calls of a model, and some that are refused.
const CALLS: [(&str, &str); 15] = [
    (
        "fs.write",
        r#"{"path": "plan.md", "content": "Take the tools.\nSharpen the tools.\n"}"#,
    ),
    (
        "fs.write",
        r#"{"path": "list.md", "content": "Buy tools.\n"}"#,
    ),
    ("docs.search", r#"{"query": "tools"}"#),
    (
        "docs.search",
        r#"{"query": "tools", "sort": "date", "limit": 2}"#,
    ),
    (
        "docs.search",
        r#"{"query": "", "limit": 99, "sort": "newest"}"#,
    ),
    ("fs.write", r#"{"path": "plan.md", "content": "Rest.\n"}"#),
    ("docs.search", r#"{"query": "tools"}"#),
    ("fs.write", r#"{"path": "../../etc/passwd"}"#),
    (
        "fs.write",
        r#"{"path": "../bookings.json", "content": "{}"}"#,
    ),
    (
        "flight.book",
        r#"{"day": "2026-02-30", "passengers": [{"name": "Ada", "age": 136}]}"#,
    ),
    (
        "flight.book",
        r#"{"day": "2026-02-27", "passengers": [{"name": "Ada", "age": 36}, {"name": "Ben", "age": 7}]}"#,
    ),
    (
        "flight.book",
        r#"{"day": "2026-02-27", "passengers": [{"name": "Ada", "age": 36}]}"#,
    ),
    (
        "flight.book",
        r#"{"day": "2026-02-27", "passengers": [{"name": "Eve", "age": 40}, {"name": "Jo", "age": 41}]}"#,
    ),
    (
        "flight.book",
        r#"{"day": "2026-02-27", "passengers": [{"name": "Tim", "age": 8}]}"#,
    ),
    (
        "flight.book",
        r#"{"day": "2026-02-28", "passengers": [{"name": "Eve", "age": 40}]}"#,
    ),
];

/// The app's documents: the files of a folder.
struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Returns the documents that hold a text, in an order, each with its number of hits.
    fn hits(&self, text: &str, sort: &Sort) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let count = fs::read_to_string(entry.path())?.matches(text).count();
            if count > 0 {
                found.push((name, count, entry.metadata()?.modified()?));
            }
        }
        found.sort();
        match sort {
            Sort::Relevance => found.sort_by_key(|(_, count, _)| Reverse(*count)),
            Sort::Date => found.sort_by_key(|(.., modified)| Reverse(*modified)),
        }
        Ok(found
            .into_iter()
            .map(|(name, count, _)| format!("{name}: {count}"))
            .collect())
    }
}

/// The seats of each flight.
const SEATS: usize = 3;

/// The app's flights: the names of those who fly, by day, kept in a file.
struct Flights {
    file: PathBuf,
    booked: Mutex<BTreeMap<String, BTreeSet<String>>>,
}

impl Flights {
    fn open(file: PathBuf) -> Result<Self, Box<dyn Error>> {
        let booked = match fs::read(&file) {
            Ok(text) => serde_json::from_slice(&text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                BTreeMap::from([("2026-02-27".to_owned(), BTreeSet::new())])
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Self {
            file,
            booked: Mutex::new(booked),
        })
    }

    /// Books seats for all of these people, or for nobody.
    fn book(&self, day: &str, passengers: &[Passenger]) -> Result<String, ToolError> {
        if passengers.iter().all(|passenger| passenger.age < 16) {
            return Err(ToolError::failed(
                "a child flies with somebody of 16 or older",
            ));
        }
        let mut booked = self.booked.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = booked.clone();
        let names = changed
            .get_mut(day)
            .ok_or_else(|| ToolError::not_found(format!("there is no flight on {day}")))?;
        let left = SEATS.saturating_sub(names.len());
        for Passenger { name, .. } in passengers {
            if !names.insert(name.clone()) {
                return Err(ToolError::failed(format!(
                    "{name} is booked on {day} already"
                )));
            }
        }
        let Some(left) = left.checked_sub(passengers.len()) else {
            return Err(ToolError::failed(format!("seats left on {day}: {left}")));
        };
        // A whole file takes the place of the old one, and only then the booking counts.
        let new = self.file.with_extension("new");
        fs::write(&new, serde_json::to_vec(&changed)?)?;
        fs::rename(new, &self.file)?;
        *booked = changed;
        Ok(format!("booked, seats left on {day}: {left}"))
    }
}
