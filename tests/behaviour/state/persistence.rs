//! States of sessions that go on in another executor, by way of a folder.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use toolwright::executor::{StateError, StatePersistence};
use toolwright::id::SessionId;
use toolwright::state::{FolderStates, SaveOutcome, StateCommand, StateStore};
use toolwright::ticket::StoreError;
use toolwright::{
    Executor, Session, ToolCall, ToolContext, ToolOutput, ToolRegistry, async_trait, tool,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Count(u32);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Directory {
    path: String,
}

/// Count.
#[tool(register = false)]
fn count_up(ctx: &ToolContext) -> ToolOutput {
    let before = ctx.state::<Count>().map_or(0, |count| count.0);
    let more = StateCommand::update(|count: &mut Count| count.0 += 1);
    ToolOutput::text(before.to_string()).with_command(more)
}

/// A session of an executor of its own, as another process has one.
fn session() -> Session {
    let tools = ToolRegistry::new().with(CountUp);
    let executor = Executor::builder(tools)
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    executor.session("s-1")
}

fn persistence(store: &FolderStates) -> StatePersistence {
    StatePersistence::new(store.clone())
        .with::<Count>("count")
        .with::<Directory>("directory")
}

async fn stored(store: &FolderStates) -> (u64, Value) {
    let stored = store.load(&SessionId::new("s-1")).await.unwrap().unwrap();
    (stored.version, Value::Object(stored.values))
}

fn values(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// All that an error and its sources show.
fn chain(error: &StateError) -> String {
    let mut shown = vec![format!("{error} {error:?}")];
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        shown.push(format!("{error} {error:?}"));
        source = error.source();
    }
    shown.join(" / ")
}

#[tokio::test]
async fn a_session_goes_on_in_another_executor() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStates::new(folder.path());
    let call = || ToolCall::new("count_up", "{}");

    let first = session();
    let mut saved = persistence(&store).load(&first).await.unwrap();
    assert_eq!(saved.version(), 0);
    assert_eq!(first.call(call()).await.text(), "0");
    first.set_state(Directory {
        path: "/data".to_owned(),
    });
    assert_eq!(saved.save().await.unwrap(), 1);
    assert_eq!(first.call(call()).await.text(), "1");
    assert_eq!(saved.save().await.unwrap(), 2);
    assert_eq!(
        stored(&store).await,
        (2, json!({"count": 2, "directory": {"path": "/data"}}))
    );

    let second = session();
    assert!(second.state().get::<Count>().is_none());
    let mut taken = persistence(&store).load(&second).await.unwrap();
    assert_eq!(taken.version(), 2);
    assert_eq!(second.call(call()).await.text(), "2");
    assert_eq!(second.state().get::<Directory>().unwrap().path, "/data");

    // A value that the session lets go of is not stored any more.
    second.apply([StateCommand::remove::<Directory>()]).unwrap();
    assert_eq!(taken.save().await.unwrap(), 3);
    assert_eq!(stored(&store).await, (3, json!({"count": 3})));
}

#[tokio::test]
async fn of_two_executors_that_save_one_session_the_second_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStates::new(folder.path());
    let (first, second) = (session(), session());
    let mut one = persistence(&store).load(&first).await.unwrap();
    let mut other = persistence(&store).load(&second).await.unwrap();
    first.set_state(Count(1));
    one.save().await.unwrap();
    first.set_state(Count(2));
    one.save().await.unwrap();
    second.set_state(Count(10));
    for _ in 0..2 {
        let error = other.save().await.unwrap_err();
        assert!(matches!(
            error,
            StateError::Conflict {
                expected: 0,
                stored: 2,
                ..
            }
        ));
        assert_eq!(
            error.to_string(),
            "another process has saved the session: version 2 is stored, and version 0 was loaded here; load it again"
        );
    }
    // Nothing was stored, and the session is as it was.
    assert_eq!(stored(&store).await, (2, json!({"count": 2})));
    assert_eq!(second.state().get::<Count>().unwrap().0, 10);

    let mut other = persistence(&store).load(&second).await.unwrap();
    assert_eq!(second.state().get::<Count>().unwrap().0, 2);
    second.set_state(Count(3));
    assert_eq!(other.save().await.unwrap(), 3);
    assert!(one.save().await.is_err());
    assert_eq!(stored(&store).await, (3, json!({"count": 3})));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_that_save_at_once_one_wins() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStates::new(folder.path());
    // All have loaded before the first one saves.
    let loaded_by_all = std::sync::Arc::new(tokio::sync::Barrier::new(8));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let persistence = persistence(&store);
        let loaded_by_all = std::sync::Arc::clone(&loaded_by_all);
        tasks.spawn(async move {
            let session = session();
            let mut loaded = persistence.load(&session).await.unwrap();
            loaded_by_all.wait().await;
            session.set_state(Count(1));
            let mut retries = 0;
            while let Err(error) = loaded.save().await {
                assert!(matches!(error, StateError::Conflict { .. }), "{error}");
                retries += 1;
                loaded = persistence.load(&session).await.unwrap();
                let seen = session.state().get::<Count>().unwrap().0;
                session.set_state(Count(seen + 1));
            }
            retries
        });
    }
    tasks.join_all().await;
    assert_eq!(stored(&store).await.0, 8);
}

#[tokio::test]
async fn values_of_another_version_of_the_app_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStates::new(folder.path());
    let newer = values(json!({"count": 4, "theme": {"dark": true}, "seen": [1, null]}));
    let saved = store.save(&SessionId::new("s-1"), 0, &newer).await;
    assert_eq!(saved.unwrap(), SaveOutcome::Saved { version: 1 });

    let session = session();
    let mut loaded = persistence(&store).load(&session).await.unwrap();
    session.set_state(Count(5));
    session.set_state(Directory {
        path: "/".to_owned(),
    });
    loaded.save().await.unwrap();
    assert_eq!(
        stored(&store).await,
        (
            2,
            json!({
                "count": 5, "directory": {"path": "/"}, "theme": {"dark": true}, "seen": [1, null],
            })
        )
    );
}

#[tokio::test]
async fn a_value_of_another_type_is_named_and_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStates::new(folder.path());
    let wrong = values(json!({"count": 7, "directory": "hunter2"}));
    store.save(&SessionId::new("s-1"), 0, &wrong).await.unwrap();
    let session = session();
    session.set_state(Count(1));
    let error = persistence(&store).load(&session).await.unwrap_err();
    assert!(matches!(
        error,
        StateError::Value {
            name: "directory",
            ..
        }
    ));
    assert_eq!(
        error.to_string(),
        "the value `directory` of the session's state is not JSON of its type: it was stored by another version of the \
         app, or cannot be serialized"
    );
    assert!(!chain(&error).contains("hunter2"), "{}", chain(&error));
    // All or nothing: the count was right.
    assert_eq!(session.state().get::<Count>().unwrap().0, 1);
    assert_eq!(stored(&store).await.0, 1);
}

#[derive(Debug, Clone)]
struct Secretive;

impl Serialize for Secretive {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("hunter2"))
    }
}

impl<'de> Deserialize<'de> for Secretive {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Ok(Self)
    }
}

#[tokio::test]
async fn a_value_without_json_is_named_and_nothing_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStates::new(folder.path());
    let session = session();
    let persistence = persistence(&store).with::<Secretive>("secretive");
    let mut loaded = persistence.load(&session).await.unwrap();
    session.set_state(Count(1));
    session.set_state(Secretive);
    let error = loaded.save().await.unwrap_err();
    assert!(matches!(
        error,
        StateError::Value {
            name: "secretive",
            ..
        }
    ));
    assert!(!chain(&error).contains("hunter2"), "{}", chain(&error));
    let nothing = store.load(&SessionId::new("s-1")).await.unwrap();
    assert!(nothing.is_none());
    let shown = format!("{persistence:?} {loaded:?}");
    assert!(shown.contains("secretive") && !shown.contains("Count(1)"));
}

/// Cannot be reached.
struct Gone;

#[async_trait]
impl StateStore for Gone {
    async fn load(
        &self,
        _: &SessionId,
    ) -> Result<Option<toolwright::state::StoredState>, StoreError> {
        Ok(None)
    }

    async fn save(
        &self,
        _: &SessionId,
        _: u64,
        _: &Map<String, Value>,
    ) -> Result<SaveOutcome, StoreError> {
        Err(StoreError::new("the disk is full"))
    }

    async fn forget_session(&self, _: &SessionId) -> Result<(), StoreError> {
        Ok(())
    }
}

#[tokio::test]
async fn a_store_that_fails_is_the_source_of_the_error() {
    let session = session();
    let persistence = StatePersistence::new(Gone).with::<Count>("count");
    let mut loaded = persistence.load(&session).await.unwrap();
    session.set_state(Count(1));
    let error = loaded.save().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the state of the session cannot be loaded or saved"
    );
    assert!(
        chain(&error).contains("the disk is full"),
        "{}",
        chain(&error)
    );
    assert_eq!(loaded.version(), 0);
}
