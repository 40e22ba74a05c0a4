//! `#[toolset]`: the methods of a value become tools that share it.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Mutex, PoisonError};

use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolRegistry, toolset};

/// Notes in memory. Calls run at once, so the value brings its lock.
#[derive(Default)]
struct Notes(Mutex<BTreeMap<String, String>>);

#[toolset(prefix = "notes")]
impl Notes {
    /// Write a note, over the one of that name.
    #[tool(idempotent)]
    fn write(&self, name: String, text: String) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.insert(name, text);
    }

    /// Read a note.
    #[tool(read_only)]
    fn read(&self, name: String) -> Result<String, String> {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes
            .get(&name)
            .cloned()
            .ok_or_else(|| format!("there is no note `{name}`"))
    }

    /// List the names of all notes.
    #[tool(read_only)]
    fn list(&self) -> Vec<String> {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.keys().cloned().collect()
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::builder(ToolRegistry::new().with_set(Notes::default()))
        .permission_checker(AllowAll)
        .build()?;
    for (name, arguments) in [
        ("notes.write", r#"{"name": "milk", "text": "buy two"}"#),
        ("notes.write", r#"{"name": "ada", "text": "call at six"}"#),
        ("notes.list", "{}"),
        ("notes.read", r#"{"name": "milk"}"#),
        ("notes.read", r#"{"name": "tea"}"#),
    ] {
        println!("> {name} {arguments}");
        println!("{}", executor.call(name, arguments).await.text());
    }
    Ok(())
}
