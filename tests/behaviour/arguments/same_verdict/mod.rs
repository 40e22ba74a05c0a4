//! A tool of Rust types, and a tool made at run time of the same schema, say the same of the same
//! arguments: whatever JSON comes in, both take it or both refuse it, and neither panics.
//!
//! `TOOLWRIGHT_CASES` says how many calls are made of each tool.

mod noise;
mod tools;

use std::env;
use std::sync::Arc;

use serde_json::Value;
use toolwright::arguments::Arguments;
use toolwright::content::ErrorKind;
use toolwright::permission::AllowAll;
use toolwright::{
    Executor, Tool, ToolContext, ToolError, ToolOutcome, ToolRegistry, ToolSpec, tool_fn,
};

use noise::Noise;

/// A tool in both forms.
struct Pair {
    spec: ToolSpec,
    tool: Arc<dyn Tool>,
    typed: Executor,
    untyped: Executor,
}

impl Pair {
    fn new(typed: impl Tool, strict: bool) -> Self {
        let of_types = typed.spec();
        let spec = ToolSpec::new(of_types.name().clone(), of_types.description().into_owned())
            .with_input_schema(of_types.input_schema().clone());
        let untyped = tool_fn(spec.clone(), async |_: Value, _: ToolContext| {
            Ok::<_, ToolError>(())
        });
        let executor = |registry| {
            let builder = Executor::builder(registry).permission_checker(AllowAll);
            builder.strict(strict).build().unwrap()
        };
        let typed = ToolRegistry::new().with(typed);
        let tool = Arc::clone(typed.get(spec.name().as_str()).unwrap());
        Self {
            spec,
            tool,
            typed: executor(typed),
            untyped: executor(ToolRegistry::new().with(untyped)),
        }
    }

    /// Calls both, with the text alone or as a tree too, and says whether they took the arguments.
    async fn call(&self, arguments: &str, as_tree: bool) -> bool {
        let name = self.spec.name().as_str();
        let typed = self.typed.call(name, arguments).await;
        let untyped = self.untyped.call(name, arguments).await;
        let said = || format!("{name} {arguments}\n{}\n{}", typed.text(), untyped.text());
        assert_eq!(takes(&typed), takes(&untyped), "{}", said());
        self.compare_reports(arguments, &typed);
        // A tree is no other call than its text, unless a number was rounded when the tree was made.
        if as_tree
            && fits_a_tree(arguments)
            && let Ok(tree) = serde_json::from_str::<Value>(arguments)
        {
            let from_tree = self.typed.call(name, &tree).await;
            assert_eq!(takes(&typed), takes(&from_tree), "tree: {}", said());
        }
        takes(&typed)
    }

    /// Compares the report of a call in which nothing could be repaired, made of the tree that was read for the repair,
    /// with the report of the tool alone, made of the text.
    fn compare_reports(&self, arguments: &str, typed: &ToolOutcome) {
        if let Some(invalid) = typed.error().and_then(ToolError::invalid_arguments)
            && typed.result().repairs().is_empty()
        {
            let alone = self.tool.parse(&Arguments::from(arguments)).err();
            assert_eq!(Some(invalid), alone.as_ref(), "{arguments}");
        }
    }
}

/// Returns true if no number is as long as those that a tree keeps as a float.
fn fits_a_tree(text: &str) -> bool {
    let mut digits = text.split(|c: char| !c.is_ascii_digit());
    digits.all(|digits| digits.len() < 20)
}

fn takes(outcome: &ToolOutcome) -> bool {
    match outcome.error().map(ToolError::kind) {
        None => true,
        Some(ErrorKind::InvalidArguments | ErrorKind::LimitExceeded) => false,
        Some(other) => panic!("{other}: {}", outcome.text()),
    }
}

fn cases() -> u64 {
    match env::var("TOOLWRIGHT_CASES") {
        Ok(text) => text.parse().expect("TOOLWRIGHT_CASES is a number"),
        Err(_) => 400,
    }
}

/// Calls each tool with values that its schema allows, with noise in them.
async fn compare(strict: bool) {
    for (seed, pair) in (1..).zip(tools::pairs(strict)) {
        let mut noise = Noise::new(seed, !strict);
        let (mut taken, mut refused) = (0_u64, 0_u64);
        for _ in 0..cases() {
            let text = noise.call(pair.spec.input_schema());
            if pair.call(&text, !noise.repeats).await {
                taken += 1;
            } else {
                refused += 1;
            }
        }
        // Noise that always fits, or never, shows nothing.
        let least = cases() / 50;
        assert!(taken >= least, "{}: {taken} taken", pair.spec.name());
        assert!(refused >= least, "{}: {refused} refused", pair.spec.name());
    }
}

#[tokio::test]
async fn both_forms_say_the_same_of_arbitrary_json() {
    compare(false).await;
}

#[tokio::test]
async fn both_forms_say_the_same_when_nothing_is_repaired() {
    compare(true).await;
}

#[tokio::test]
async fn both_forms_say_the_same_at_the_edges() {
    let deep = |levels: usize| format!("{{\"any\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    let huge = "k".repeat(100_000);
    let calls = [
        String::new(),
        "null".to_owned(),
        "{}".to_owned(),
        "[]".to_owned(),
        "{".to_owned(),
        "{} {}".to_owned(),
        "\u{feff}{}".to_owned(),
        r#"{"wide":18446744073709551615}"#.to_owned(),
        r#"{"wide":18446744073709551616}"#.to_owned(),
        r#"{"wide":"18446744073709551615"}"#.to_owned(),
        r#"{"wide":"18446744073709551616"}"#.to_owned(),
        r#"{"wide":1e19}"#.to_owned(),
        r#"{"wide":9007199254740992.0}"#.to_owned(),
        r#"{"wide":9007199254740994.0}"#.to_owned(),
        r#"{"wide":-0.0}"#.to_owned(),
        r#"{"wide":-1}"#.to_owned(),
        r#"{"signed":-9223372036854775808}"#.to_owned(),
        r#"{"signed":-9223372036854775809}"#.to_owned(),
        r#"{"signed":9223372036854775807}"#.to_owned(),
        r#"{"signed":9223372036854775808}"#.to_owned(),
        r#"{"small":255.0}"#.to_owned(),
        r#"{"small":256}"#.to_owned(),
        r#"{"small":2.5}"#.to_owned(),
        r#"{"real":1e308}"#.to_owned(),
        r#"{"real":1e400}"#.to_owned(),
        r#"{"real":"1e400"}"#.to_owned(),
        r#"{"real":9007199254740993}"#.to_owned(),
        r#"{"text":"\ud800"}"#.to_owned(),
        r#"{"text":"\u0000"}"#.to_owned(),
        "{\"text\":\"\0\"}".to_owned(),
        format!("{{\"{huge}\":1}}"),
        format!("{{\"any\":{{\"{huge}\":1}}}}"),
        deep(62),
        deep(63),
        deep(64),
        deep(200),
        deep(100_000),
    ];
    for strict in [false, true] {
        let pair = Pair::new(tools::Edges, strict);
        for call in &calls {
            pair.call(call, true).await;
        }
        for repeated in [r#"{"text":"a","text":"b"}"#, r#"{"any":{"a":1,"a":2}}"#] {
            assert!(!pair.call(repeated, false).await, "{repeated}");
        }
    }
}
