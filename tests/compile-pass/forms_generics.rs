//! Generic blocks, and blocks with everything else that a block may hold.

#![deny(warnings)]

use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use toolwright::{Executor, ToolContext, ToolRegistry, tool_type, toolset};

trait Source: Send + Sync + 'static {
    type Item: Display;

    fn item(&self, place: usize) -> Option<Self::Item>;
}

impl<T: Display + Clone + Send + Sync + 'static> Source for Vec<T> {
    type Item = T;

    fn item(&self, place: usize) -> Option<T> {
        self.get(place).cloned()
    }
}

struct Reader<S = Vec<u8>, const N: usize = 4, K = u8>
where
    S: Source,
{
    source: S,
    seen: Mutex<HashMap<K, usize>>,
}

macro_rules! helper {
    ($name:ident) => {
        fn $name() -> usize {
            3
        }
    };
}

#[toolset(prefix = "reader")]
impl<S: Source, const N: usize, K> Reader<S, N, K>
where
    K: Debug + Eq + Hash + Send + 'static,
    for<'a> &'a K: Debug,
    [u8; N]: Send,
{
    const FIRST: usize = { 1 - 1 };
    const NAMES: [&'static str; 2] = ["a", "b"];

    helper!(three);

    /// Read an item.
    #[tool(read_only)]
    async fn read(
        &self,
        #[arg(default = Self::FIRST, range = Self::FIRST..=N)] place: usize,
        ctx: &ToolContext,
        sizes: Option<&[u8; N]>,
    ) -> Result<String, String> {
        let _ = (ctx, sizes, Self::NAMES);
        let item = self.source.item(place);
        item.map(|item| item.to_string())
            .ok_or_else(|| format!("none of {N}"))
    }

    fn generic<T: Display>(&self, value: T) -> String
    where
        T: Clone,
    {
        format!("{value}{}", Self::three())
    }

    /// Say how many were seen.
    #[tool(read_only, needs(HashMap<String, Vec<u8>>), permission = self.generic(1).parse::<u8>().ok().and(None::<toolwright::PermissionRequest>))]
    fn seen(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

#[toolset(part = Other)]
impl Reader {
    /// Read the first.
    #[tool]
    fn first(&self) -> Option<u8> {
        self.source.item(0)
    }
}

struct Plain<T>(T)
where
    T: ?Sized;

#[toolset]
impl<T> Plain<T>
where
    T: ?Sized + Send + Sync + 'static,
{
    /// Nothing.
    #[tool]
    fn nothing(self: &Self) {
        let _ = &self.0;
    }
}

struct Borrowing<'a>(&'a str);

#[toolset]
impl Borrowing<'static> {
    /// Tell.
    #[tool(name = "tell")]
    fn tell(&self) -> &'static str {
        self.0
    }

    /// Tell what is borrowed.
    #[tool]
    async fn borrowed(&self) -> &str {
        self.0
    }
}

#[tool_type(result)]
#[derive(Debug, Default)]
struct Page<T, const N: usize = 2>
where
    T: Clone,
{
    entries: Vec<T>,
}

#[tool_type]
#[derive(Debug)]
enum Either<A, B = String> {
    A(A),
    B { b: B },
}

/// Turn it about.
#[toolwright::tool]
fn turn(either: Either<u8>) -> Page<Either<u8, String>> {
    Page {
        entries: vec![either],
    }
}

impl<A: Clone, B: Clone> Clone for Either<A, B> {
    fn clone(&self) -> Self {
        match self {
            Self::A(a) => Self::A(a.clone()),
            Self::B { b } => Self::B { b: b.clone() },
        }
    }
}

#[tokio::test]
async fn program_runs() {
    let reader: Reader<Vec<&'static str>, 7, String> = Reader {
        source: vec!["a", "b"],
        seen: Mutex::default(),
    };
    let first: Reader = Reader {
        source: vec![7],
        seen: Mutex::default(),
    };
    let tools = ToolRegistry::new()
        .with_set(reader)
        .with_part(Other, Arc::new(first))
        .with_set(Plain(1))
        .with_set(Borrowing("told"))
        .with(Turn);
    let executor = Executor::builder(tools)
        .resource(HashMap::<String, Vec<u8>>::new())
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    for (tool, arguments, expected) in [
        ("reader.read", "", "a"),
        ("reader.read", r#"{"place": 5}"#, "none of 7"),
        ("reader.seen", "", "0"),
        ("first", "", "7"),
        ("tell", "", "told"),
        ("borrowed", "", "told"),
        (
            "turn",
            r#"{"either": {"B": {"b": "x"}}}"#,
            r#"{"entries":[{"B":{"b":"x"}}]}"#,
        ),
    ] {
        assert_eq!(
            executor.call(tool, arguments).await.text(),
            expected,
            "{tool}"
        );
    }
    assert!(
        !executor
            .call("reader.read", r#"{"place": 8}"#)
            .await
            .is_success()
    );
}
