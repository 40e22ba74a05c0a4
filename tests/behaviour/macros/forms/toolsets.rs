//! `#[toolset]`: a value that tools share, with whatever names its methods and arguments have.

use std::collections::HashMap;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use toolwright::arguments::ProblemKind;
use toolwright::content::ErrorKind;
use toolwright::permission::{AllowAll, Verdict};
use toolwright::tools::Toolset;
use toolwright::{
    Executor, PermissionRequest, Tool, ToolCall, ToolContext, ToolRegistry, testing, tool_type,
    toolset,
};

use crate::support::{HandMade, judge, place, places};

/// A value with much in it, counted while it is there.
struct Counter {
    total: AtomicUsize,
    running: AtomicUsize,
    most: AtomicUsize,
    alive: Arc<AtomicUsize>,
}

impl Counter {
    fn new(alive: &Arc<AtomicUsize>) -> Self {
        alive.fetch_add(1, Ordering::SeqCst);
        Self {
            total: AtomicUsize::new(0),
            running: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            alive: Arc::clone(alive),
        }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

#[toolset(prefix = "counter")]
impl Counter {
    /// Add to the total.
    #[tool(idempotent)]
    async fn add(&self, amount: usize) -> usize {
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(20)).await;
        self.running.fetch_sub(1, Ordering::SeqCst);
        self.total.fetch_add(amount, Ordering::SeqCst) + amount
    }

    /// Tell the total.
    #[tool(read_only)]
    fn total(&self) -> usize {
        self.total.load(Ordering::SeqCst)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_calls_at_once_share_one_value() {
    let alive = Arc::default();
    let counter = Arc::new(Counter::new(&alive));
    let registry = ToolRegistry::new().with_set_arc(Arc::clone(&counter));
    let executor = Executor::builder(registry).permission_checker(AllowAll);
    let executor = executor.build().unwrap();
    let calls: Vec<_> = (0..100)
        .map(|number| {
            let executor = executor.clone();
            tokio::spawn(async move {
                let session = executor.session(format!("s-{}", number % 7));
                let arguments = json!({"amount": number});
                session.call(ToolCall::new("counter.add", arguments)).await
            })
        })
        .collect();
    for call in calls {
        assert!(call.await.unwrap().is_success());
    }
    assert_eq!(executor.call("counter.total", "").await.text(), "4950");
    assert_eq!(counter.total(), 4950);
    assert!(counter.most.load(Ordering::SeqCst) > 50, "they ran at once");
}

#[tokio::test]
async fn the_value_is_dropped_with_the_last_that_has_it() {
    let alive = Arc::default();
    let alone = ToolRegistry::new().with_set(Counter::new(&alive));
    assert_eq!(alive.load(Ordering::SeqCst), 1);
    drop(alone);
    assert_eq!(alive.load(Ordering::SeqCst), 0);

    let counter = Arc::new(Counter::new(&alive));
    let registry = ToolRegistry::new().with_set_arc(Arc::clone(&counter));
    let executor = Executor::new(registry.clone()).unwrap();
    drop(registry);
    assert!(Arc::strong_count(&counter) > 1);
    let tool = Arc::clone(executor.tools().get("counter.add").unwrap());
    let waiting = tool.parse(&r#"{"amount": 1}"#.into()).unwrap();
    drop((executor, tool));
    // A parsed call has the value, and gives it back.
    assert_eq!(Arc::strong_count(&counter), 2);
    let ctx = testing::context().build();
    waiting.start(&ctx).await.unwrap();
    assert_eq!(Arc::strong_count(&counter), 1);
    let weak = Arc::downgrade(&counter);
    drop(counter);
    assert!(weak.upgrade().is_none());
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

/// Keeps one of anything.
struct Keeper<T> {
    kept: Mutex<Option<T>>,
}

#[toolset(prefix = "keeper")]
impl<T> Keeper<T>
where
    T: serde::de::DeserializeOwned
        + schemars::JsonSchema
        + serde::Serialize
        + Display
        + Clone
        + Default
        + Send
        + 'static,
{
    /// Keep it.
    #[tool(idempotent, permission = self.ask(thing, more))]
    fn keep(&self, #[arg(default)] thing: T, more: HashMap<String, Vec<T>>) -> Option<T> {
        let last = more.into_values().flatten().last();
        self.kept.lock().unwrap().replace(last.unwrap_or(thing))
    }

    fn ask(&self, thing: &T, more: &HashMap<String, Vec<T>>) -> Option<PermissionRequest> {
        let summary = format!("{thing} and {}", more.len());
        self.kept
            .lock()
            .unwrap()
            .is_none()
            .then(|| PermissionRequest::new("keep", "", summary))
    }
}

fn keeper<T>() -> Keeper<T> {
    Keeper {
        kept: Mutex::new(None),
    }
}

#[tokio::test]
async fn a_generic_set_is_made_for_each_type_and_one_registry_has_one_of_them() {
    for (registry, kind, argument) in [
        (
            ToolRegistry::new().with_set(keeper::<u8>()),
            "integer",
            json!(7),
        ),
        (
            ToolRegistry::new().with_set(keeper::<String>()),
            "string",
            json!("x"),
        ),
    ] {
        let schema = registry
            .get("keeper.keep")
            .unwrap()
            .spec()
            .input_schema()
            .clone();
        assert_eq!(schema["properties"]["thing"]["type"], kind);
        let more = &schema["properties"]["more"]["additionalProperties"];
        assert_eq!(more["items"]["type"], kind);
        let builder = Executor::builder(registry).permission_checker(AllowAll);
        let executor = builder.build().unwrap();
        let first = json!({"thing": argument, "more": {}});
        assert_eq!(executor.call("keeper.keep", first).await.text(), "");
        let second = executor
            .call("keeper.keep", json!({"more": {"a": []}}))
            .await;
        assert_eq!(second.text(), argument.to_string().trim_matches('"'));
        let wrong = executor
            .call("keeper.keep", json!({"more": {"a": [[]]}}))
            .await;
        assert_eq!(places(&wrong), [place(ProblemKind::Type, "/more/a/0")]);
    }

    let both = ToolRegistry::new()
        .with_set(keeper::<u8>())
        .with_set(keeper::<String>());
    let error = both.check().unwrap_err();
    let [collision] = error.collisions() else {
        panic!("{error}");
    };
    let text = error.to_string();
    assert!(collision.to_string().contains("`keeper.keep`"), "{text}");
    assert_eq!(
        text.matches("toolsets.rs").count(),
        2,
        "both places are named: {text}"
    );
    assert!(Executor::new(both).is_err());
}

/// Names that the expansion might use itself, or that hide something.
struct Names {
    this: &'static str,
    values: u8,
}

#[toolset(prefix = "names")]
impl Names {
    const MOST: u8 = 9;
    const WORD: &'static str = "word";

    /// Take arguments by all the names that are near.
    #[tool(pure, permission = self.ask(this, __this, *values, context))]
    async fn all(
        &self,
        this: String,
        #[arg(name = "under")] __this: String,
        #[arg(default = Self::MOST, range = 1..=9)] values: u8,
        #[arg(name = "cx")] __cx: Option<u8>,
        context: Option<String>,
        receiver: Option<u8>,
        #[arg(default = Self::WORD.to_owned())] all: String,
    ) -> String {
        let _ = (__cx, receiver);
        format!("{} {this} {__this} {values} {context:?} {all}", self.this)
    }

    fn ask(
        &self,
        this: &str,
        under: &str,
        values: u8,
        context: &Option<String>,
    ) -> PermissionRequest {
        let own = self.this;
        let context = context.as_deref().unwrap_or("-");
        let summary = format!("{own} {this} {under} {values} {context} {}", Self::MOST);
        PermissionRequest::new("names", "", summary)
    }

    /// An argument named like its method, and one like another.
    #[tool(pure, permission = PermissionRequest::new("m", "", format!("{method} {}", self.values)))]
    fn method(&self, method: u8, other: u8) -> u8 {
        method + Self::other(other)
    }

    /// Without a value.
    #[tool(pure, permission = Self::request(other))]
    fn other(#[arg(range = 0..=9)] other: u8) -> u8 {
        other + Self::MOST
    }

    fn request(other: &u8) -> PermissionRequest {
        PermissionRequest::new("other", "", format!("{other} of {}", Self::MOST))
    }

    /// Take words that Rust has its own use for.
    #[tool(name = "raw", pure)]
    fn r#match(&self, r#type: String, r#self_: Option<String>, r#in: bool) -> String {
        format!("{} {type} {in} {self_:?}", self.this, type = r#type, in = r#in)
    }
}

#[tokio::test]
async fn no_name_of_an_argument_is_taken_already() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let checker = judge(
        |_| Verdict::Allow,
        move |_, request| {
            seen.lock().unwrap().push(request.summary().to_owned());
            Verdict::Allow
        },
    );
    let names = Names {
        this: "own",
        values: 77,
    };
    let builder = Executor::builder(ToolRegistry::new().with_set(names));
    let executor = builder.permission_checker(checker).build().unwrap();
    let call = async |name: &str, arguments: serde_json::Value| {
        let outcome = executor.call(name, arguments).await;
        (
            outcome.text(),
            asked.lock().unwrap().drain(..).collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        call(
            "names.all",
            json!({"this": "a", "under": "b", "context": "c"})
        )
        .await,
        (
            "own a b 9 Some(\"c\") word".to_owned(),
            vec!["own a b 9 c 9".to_owned()]
        )
    );
    assert_eq!(
        call("names.method", json!({"method": 1, "other": 2})).await,
        ("12".to_owned(), vec!["1 77".to_owned()])
    );
    assert_eq!(
        call("names.other", json!({"other": 3})).await,
        ("12".to_owned(), vec!["3 of 9".to_owned()])
    );
    assert_eq!(
        call("names.raw", json!({"type": "t", "in": true})).await,
        ("own t true None".to_owned(), vec![])
    );
    let schema = executor
        .tools()
        .get("names.all")
        .unwrap()
        .spec()
        .input_schema()
        .clone();
    assert_eq!(schema["properties"]["values"]["default"], 9);
    assert_eq!(schema["required"], json!(["this", "under"]));
}

#[tool_type]
#[derive(Debug)]
struct Span {
    #[arg(range = 1..)]
    first: u32,
    last: Option<u32>,
}

struct Book {
    lines: Vec<&'static str>,
}

#[toolset(prefix = "book")]
impl Book {
    /// Show lines.
    #[tool(read_only)]
    fn lines(&self, span: Span) -> Vec<&'static str> {
        let last = span.last.map_or(self.lines.len(), |last| last as usize);
        self.lines[span.first as usize - 1..last.min(self.lines.len())].to_vec()
    }

    /// Fail as asked.
    #[tool(read_only)]
    async fn fail(&self, panic: bool) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        assert!(!panic, "the book is on fire");
        Err(format!("there are {} lines", self.lines.len()).into())
    }

    /// Only here.
    #[cfg(not(any()))]
    #[tool(read_only)]
    fn here(&self) -> usize {
        self.lines.len()
    }

    /// Only elsewhere.
    #[cfg(any())]
    #[tool(read_only)]
    fn here(&self, elsewhere: Nothing) -> Missing {}
}

#[toolset(part = Printing, prefix = "book")]
impl Book {
    /// Print a page.
    #[tool]
    fn print(&self, ctx: &ToolContext) -> String {
        format!("{} in {}", self.lines.len(), ctx.session_id())
    }
}

#[toolset(part = binding, prefix = "book")]
impl Book {
    /// Bind it.
    #[tool]
    async fn bind(&self) -> usize {
        self.lines.len()
    }
}

#[tokio::test]
async fn parts_are_added_one_by_one_and_conditions_hold() {
    let book = Arc::new(Book {
        lines: vec!["a", "b", "c"],
    });
    let names = |registry: &ToolRegistry| -> Vec<String> {
        registry.names().map(ToString::to_string).collect()
    };
    let main = ToolRegistry::new().with_set_arc(Arc::clone(&book));
    assert_eq!(names(&main), ["book.fail", "book.here", "book.lines"]);
    let printing = ToolRegistry::new().with_part(Printing, Arc::clone(&book));
    assert_eq!(names(&printing), ["book.print"]);
    let all = main
        .with_part(Printing, Arc::clone(&book))
        .with_part(binding, Arc::clone(&book));
    let executor = Executor::builder(all)
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    assert_eq!(executor.tools().len(), 5);
    assert_eq!(executor.call("book.print", "").await.text(), "3 in default");
    assert_eq!(executor.call("book.bind", "").await.text(), "3");
    assert_eq!(executor.call("book.here", "").await.text(), "3");
    let lines = executor
        .call("book.lines", r#"{"span": {"first": 2}}"#)
        .await;
    assert_eq!(lines.text(), r#"["b","c"]"#);
    let wrong = executor
        .call("book.lines", r#"{"span": {"first": 0, "lst": 1}}"#)
        .await;
    assert!(wrong.text().contains("`/span/"), "{}", wrong.text());

    // The second addition of a part is a collision.
    let twice = ToolRegistry::new()
        .with_part(Printing, Arc::clone(&book))
        .with_part(Printing, book);
    assert_eq!(twice.check().unwrap_err().collisions().len(), 1);
}

#[tokio::test]
async fn s0_39_an_error_or_a_panic_of_a_method_leaves_the_value_as_it_was() {
    let book = Book { lines: vec!["a"] };
    let executor = Executor::new(ToolRegistry::new().with_set(book)).unwrap();
    for _ in 0..2 {
        let failed = executor.call("book.fail", r#"{"panic": false}"#).await;
        assert_eq!(failed.text(), "there are 1 lines");
        let panicked = executor.call("book.fail", r#"{"panic": true}"#).await;
        assert_eq!(panicked.error().unwrap().kind(), ErrorKind::Panicked);
        // Out of bounds, which is a panic in a sync body.
        let panicked = executor
            .call("book.lines", r#"{"span": {"first": 9}}"#)
            .await;
        assert_eq!(panicked.error().unwrap().kind(), ErrorKind::Panicked);
        assert_eq!(executor.call("book.here", "").await.text(), "1");
    }
}

#[test]
fn the_methods_stay_methods() {
    let book = Book {
        lines: vec!["a", "b"],
    };
    assert_eq!(
        book.lines(Span {
            first: 2,
            last: None
        }),
        ["b"]
    );
    assert_eq!(book.here(), 2);
    assert_eq!(Names::other(1), 10);
    assert_eq!(Toolset::<()>::tools(Arc::new(book)).len(), 3);
}

/// A set by hand that does not work.
struct Broken;

impl Toolset for Broken {
    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>> {
        panic!("no tools today")
    }
}

/// A set by hand that has the same tool twice, and one that cannot be described.
struct Careless;

struct Indescribable;

impl Tool for Indescribable {
    fn spec(&self) -> &toolwright::ToolSpec {
        panic!("no words")
    }

    fn parse(
        &self,
        _arguments: &toolwright::arguments::Arguments<'_>,
    ) -> Result<Box<dyn toolwright::tools::Invocation>, toolwright::arguments::InvalidArguments>
    {
        unreachable!("it is never registered")
    }
}

impl Toolset for Careless {
    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>> {
        let one: Arc<dyn Tool> = Arc::new(HandMade::new("one"));
        vec![Arc::clone(&one), Arc::new(Indescribable), one]
    }
}

#[test]
fn a_set_by_hand_that_is_wrong_is_told_and_keeps_no_other_out() {
    let registry = ToolRegistry::new()
        .with_set(Careless)
        .with(HandMade::new("two"));
    let error = registry.check().unwrap_err();
    let text = error.to_string();
    assert_eq!(error.collisions().len(), 1, "{text}");
    assert!(text.contains("panicked in `spec()`"), "{text}");
    assert!(registry.contains("one") && registry.contains("two"));

    // A panic before there are any tools unwinds to the code that registers the set, as with any constructor.
    let registered = catch_unwind(AssertUnwindSafe(|| ToolRegistry::new().with_set(Broken)));
    match registered {
        Ok(registry) => assert!(registry.check().is_err()),
        Err(payload) => assert_eq!(payload.downcast_ref(), Some(&"no tools today")),
    }
}
