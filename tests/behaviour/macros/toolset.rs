//! `#[toolset]`: methods as tools that share a value.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use toolwright::permission::{AllowAll, Verdict};
use toolwright::{Executor, PermissionRequest, ToolContext, ToolName, ToolRegistry, toolset};

use crate::support::judge;

#[derive(Default)]
struct Notes {
    texts: Mutex<BTreeMap<String, String>>,
    reads: AtomicUsize,
    owner: &'static str,
}

#[toolset(prefix = "notes")]
impl Notes {
    const LIMIT: usize = 3;

    /// Read a note.
    #[tool(read_only, aliases("show"))]
    async fn read(
        &self,
        /// The name of the note.
        #[arg(length = 1..)]
        name: String,
    ) -> Result<String, std::io::Error> {
        tokio::task::yield_now().await;
        self.reads.fetch_add(1, Ordering::Relaxed);
        let texts = self.texts.lock().unwrap();
        let text = texts.get(&name).cloned();
        text.ok_or_else(|| std::io::Error::other(format!("there is no note `{name}`")))
    }

    /// Write a note.
    #[tool(name = "write", idempotent, permission = self.ask(name))]
    fn write(&self, name: String, #[arg(default = "(empty)")] text: String) -> usize {
        let mut texts = self.texts.lock().unwrap();
        texts.insert(name, text);
        texts.len().min(Self::LIMIT)
    }

    fn ask(&self, name: &str) -> PermissionRequest {
        let summary = format!("{} writes {name}", self.owner);
        PermissionRequest::new("notes.write", name.to_owned(), summary)
    }

    /// Tell how notes are named.
    #[tool(pure)]
    fn rules() -> &'static str {
        "short"
    }

    /// Tell the session.
    #[tool(read_only)]
    fn whose(&self, ctx: &ToolContext, unit: Option<&Unit>) -> String {
        format!(
            "{} in {}{}",
            self.owner,
            ctx.session_id(),
            unit.map_or("", |unit| unit.0)
        )
    }

    #[cfg(any())]
    /// Never there.
    #[tool]
    fn never(&self, what: Nothing) {}

    #[cfg(not(any()))]
    /// Always there.
    #[tool(read_only)]
    fn always(&self) {}
}

struct Unit(&'static str);

#[toolset(part = Search)]
impl Notes {
    /// Search the notes.
    #[tool(name = "notes.search", read_only)]
    async fn search(&self, word: String) -> Vec<String> {
        let texts = self.texts.lock().unwrap();
        texts
            .keys()
            .filter(|key| key.contains(&word))
            .cloned()
            .collect()
    }
}

#[toolset(part = statistics)]
impl Notes {
    /// Count the reads.
    #[tool(name = "notes.reads", read_only)]
    fn count(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }
}

/// A store of things.
trait Store: Send + Sync + 'static {
    type Key: serde::de::DeserializeOwned
        + schemars::JsonSchema
        + Send
        + 'static
        + Default
        + serde::Serialize;

    fn get(&self, key: &Self::Key) -> String;
}

struct Numbers;

impl Store for Numbers {
    type Key = u64;

    fn get(&self, key: &u64) -> String {
        format!("number {key}")
    }
}

struct Shelf<S, const N: usize>
where
    S: Store,
{
    store: S,
}

#[toolset]
impl<S, const N: usize> Shelf<S, N>
where
    S: Store,
{
    /// Get a thing.
    #[tool(name = "shelf.get", read_only)]
    async fn get(
        &self,
        /// The key.
        #[arg(default)]
        key: S::Key,
    ) -> String {
        format!("{} of {N}", self.store.get(&key))
    }
}

#[tokio::test]
async fn methods_share_their_value() {
    let notes = Arc::new(Notes {
        owner: "Ada",
        ..Notes::default()
    });
    let registry = ToolRegistry::new()
        .with_set_arc(Arc::clone(&notes))
        .with_part(Search, Arc::clone(&notes))
        .with_part(statistics, Arc::clone(&notes));
    let names: Vec<&str> = registry.names().map(ToolName::as_str).collect();
    assert_eq!(
        names,
        [
            "notes.always",
            "notes.read",
            "notes.reads",
            "notes.rules",
            "notes.search",
            "notes.whose",
            "notes.write"
        ]
    );
    let executor = Executor::builder(registry)
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    assert_eq!(
        executor
            .call("notes.write", r#"{"name": "a"}"#)
            .await
            .text(),
        "1"
    );
    assert_eq!(
        executor.call("notes.show", r#"{"name": "a"}"#).await.text(),
        "(empty)"
    );
    assert_eq!(
        executor
            .call("notes.search", r#"{"word": "a"}"#)
            .await
            .text(),
        r#"["a"]"#
    );
    assert_eq!(executor.call("notes.reads", "").await.text(), "1");
    assert_eq!(executor.call("notes.rules", "").await.text(), "short");
    assert_eq!(
        executor.call("notes.whose", "").await.text(),
        "Ada in default"
    );
    let missing = executor.call("notes.read", r#"{"name": "b"}"#).await;
    assert_eq!(missing.text(), "there is no note `b`");
    let refused = executor
        .call("notes.read", r#"{"name": "", "nam": 1}"#)
        .await;
    assert!(
        refused.text().contains("`/nam`: there is no such argument"),
        "{}",
        refused.text()
    );
    assert!(
        refused.text().contains("at least 1 character"),
        "{}",
        refused.text()
    );
    // The one that is missing was looked for too.
    assert_eq!(notes.reads.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_permission_sees_the_value() {
    let checker = judge(
        |_| Verdict::Allow,
        |_, request| Verdict::deny(format!("no: {}", request.summary())),
    );
    let notes = Notes {
        owner: "Ada",
        ..Notes::default()
    };
    let executor = Executor::builder(ToolRegistry::new().with_set(notes))
        .permission_checker(checker)
        .build()
        .unwrap();
    let denied = executor.call("notes.write", r#"{"name": "a"}"#).await;
    assert!(
        denied.text().contains("no: Ada writes a"),
        "{}",
        denied.text()
    );
}

#[tokio::test]
async fn generic_blocks_work() {
    let registry = ToolRegistry::new().with_set(Shelf::<Numbers, 3> { store: Numbers });
    let spec = registry.get("shelf.get").unwrap().spec();
    assert_eq!(spec.input_schema()["properties"]["key"]["default"], 0);
    let executor = Executor::new(registry).unwrap();
    assert_eq!(
        executor.call("shelf.get", r#"{"key": 7}"#).await.text(),
        "number 7 of 3"
    );
    assert_eq!(executor.call("shelf.get", "").await.text(), "number 0 of 3");
}

#[tokio::test]
async fn two_values_of_one_type_stay_apart() {
    let first = Executor::builder(ToolRegistry::new().with_set(Notes {
        owner: "Ada",
        ..Notes::default()
    }))
    .resource(Unit(" (unit)"))
    .build()
    .unwrap();
    let second = Executor::new(ToolRegistry::new().with_set(Notes {
        owner: "Bob",
        ..Notes::default()
    }))
    .unwrap();
    assert_eq!(
        first.call("notes.whose", "").await.text(),
        "Ada in default (unit)"
    );
    assert_eq!(
        second.call("notes.whose", "").await.text(),
        "Bob in default"
    );
}

#[test]
fn s2_11_a_set_that_is_added_twice_is_a_collision() {
    let registry = ToolRegistry::new()
        .with_set(Notes::default())
        .with_set(Notes::default());
    let error = registry.check().unwrap_err();
    assert_eq!(error.collisions().len(), 6, "{error}");
}
