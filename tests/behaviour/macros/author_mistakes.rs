//! Mistakes of tool authors that the compiler cannot know: an executor of such tools is not built, and says why.

#![allow(
    clippy::many_single_char_names,
    reason = "the arguments of the tools stand for nothing"
)]

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use toolwright::executor::BuildProblem;
use toolwright::{Executor, RunTool, ToolContext, ToolRegistry, tool, tool_type, toolset};

const LEAST: u32 = 10;
const MOST: u32 = 50;
const DEFAULT: u32 = 99;
type Count = u32;
type Maybe = Option<u32>;

/// Each mistake as `tool pointer: message`.
fn told(registry: ToolRegistry) -> Vec<String> {
    let error = Executor::new(registry).unwrap_err();
    let told = |problem: &BuildProblem| match problem {
        BuildProblem::InvalidDeclaration {
            tool,
            origin,
            pointer,
            message,
            ..
        } => {
            assert_eq!(origin.package(), Some("toolwright-tests"), "{problem}");
            assert!(origin.file().ends_with("author_mistakes.rs"), "{problem}");
            assert!(
                problem.to_string().contains(&origin.to_string()),
                "{problem}"
            );
            format!("{tool} {pointer}: {message}")
        }
        other => other.to_string(),
    };
    error.problems().iter().map(told).collect()
}

#[track_caller]
fn one(registry: ToolRegistry, says: &str) {
    let told = told(registry);
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains(says), "{told:#?}");
}

mod defaults {
    use super::*;

    /// D.
    #[tool(pure, register = false)]
    fn by_constants(
        #[arg(default = DEFAULT, range = LEAST..=MOST)] a: u32,
        #[arg(default = DEFAULT, range = ..MOST)] b: Count,
        #[arg(default = DEFAULT, multiple_of = 5, range = 1..=100)] c: u32,
    ) -> u32 {
        a + b + c
    }

    /// D.
    #[tool(pure, register = false)]
    fn own(
        #[arg(default, range = 1..=50)] number: u32,
        #[arg(default, length = 1..)] text: String,
        #[arg(default, length = 1..)] list: Vec<String>,
        #[arg(default, pattern = "^[a-z]+$")] word: String,
        #[arg(default, one_of("a", "b"))] letter: String,
    ) -> String {
        format!("{number}{text}{list:?}{word}{letter}")
    }

    /// D.
    #[tool(pure, register = false)]
    fn texts(
        #[arg(default = "today", format = "date")] date: String,
        #[arg(default = vec!["a".to_owned(), "a".to_owned()], unique_items)] names: Vec<String>,
        #[arg(default = Some(99), range = ..=MOST)] alias: Maybe,
        #[arg(default = PathBuf::from("A"), pattern = "^[a-z]+$")] path: PathBuf,
    ) -> String {
        format!("{date}{names:?}{alias:?}{}", path.display())
    }

    /// D.
    #[tool(pure, register = false)]
    fn hidden(
        #[arg(secret, default = String::from("hunter2"), length = 12..)] password: String,
    ) -> usize {
        password.len()
    }

    #[test]
    fn d2_a_default_that_its_constraints_refuse_is_told_when_the_executor_is_built() {
        let registry = ToolRegistry::new().with(ByConstants).with(Own).with(Texts);
        let change = "Change the default or the constraint";
        assert_eq!(
            told(registry),
            [
                format!(
                    "by_constants /a: its default `99` is refused by `range = 10..=50`. {change}"
                ),
                format!(
                    "by_constants /b: its default `99` is refused by `range = ..=49`. {change}"
                ),
                format!(
                    "by_constants /c: its default `99` is refused by `multiple_of = 5`. {change}"
                ),
                format!("own /number: its default `0` is refused by `range = 1..=50`. {change}"),
                format!("own /text: its default `\"\"` is refused by `length = 1..`. {change}"),
                format!("own /list: its default `[]` is refused by `length = 1..`. {change}"),
                format!(
                    "own /word: its default `\"\"` is refused by `pattern = \"^[a-z]+$\"`. {change}"
                ),
                format!(
                    "own /letter: its default `\"\"` is refused by `one_of(\"a\", \"b\")`. {change}"
                ),
                format!(
                    "texts /date: its default `\"today\"` is refused by `format = \"date\"`. {change}"
                ),
                format!(
                    "texts /names: its default `[\"a\",\"a\"]` is refused by `unique_items`. {change}"
                ),
                format!("texts /alias: its default `99` is refused by `range = ..=50`. {change}"),
                format!(
                    "texts /path: its default `\"A\"` is refused by `pattern = \"^[a-z]+$\"`. {change}"
                ),
            ]
        );
    }

    #[test]
    fn d2_a_secret_default_is_told_without_its_value() {
        let error = Executor::new(ToolRegistry::new().with(Hidden)).unwrap_err();
        assert!(!error.to_string().contains("hunter2"), "{error}");
        assert!(
            error
                .to_string()
                .contains("at `/password`: its default is refused by `length = 12..`"),
            "{error}"
        );
    }

    #[tool_type]
    struct Page {
        #[arg(default = DEFAULT, range = LEAST..=MOST)]
        size: u32,
        #[serde(default)]
        #[arg(range = 1..)]
        from: u32,
        #[arg(default = "today", format = "date")]
        day: String,
    }

    #[tool_type(argument)]
    #[serde(default)]
    struct Window {
        #[arg(range = 1..=4)]
        width: u32,
    }

    impl Default for Window {
        fn default() -> Self {
            Self { width: 5 }
        }
    }

    #[tool_type(argument)]
    struct Unwritable(#[allow(dead_code, reason = "it is only read")] u32);

    #[tool_type(argument)]
    struct Held {
        #[arg(default = Vec::new(), length = 1..)]
        list: Vec<Unwritable>,
    }

    #[tool_type]
    enum Choice {
        Pages {
            #[arg(default = 0, range = LEAST..)]
            count: u32,
        },
    }

    /// D.
    #[tool(pure, register = false)]
    fn nested(
        pages: Vec<Page>,
        windows: HashMap<String, Window>,
        held: Held,
        choice: Option<Choice>,
    ) -> usize {
        let _ = choice;
        pages.len() + windows.len() + held.list.len()
    }

    #[test]
    fn d2_so_is_one_of_a_field_at_any_depth() {
        let change = "Change the default or the constraint";
        let mut told = told(ToolRegistry::new().with(Nested));
        told.sort();
        assert_eq!(
            told,
            [
                format!(
                    "nested /choice/Pages/count: its default `0` is refused by `range = 10..`. {change}"
                ),
                format!("nested /held/list: its default is refused by `length = 1..`. {change}"),
                format!(
                    "nested /pages/*/day: its default `\"today\"` is refused by `format = \"date\"`. {change}"
                ),
                format!(
                    "nested /pages/*/from: its default `0` is refused by `range = 1..`. {change}"
                ),
                format!(
                    "nested /pages/*/size: its default `99` is refused by `range = 10..=50`. {change}"
                ),
                format!(
                    "nested /windows/*/width: its default `5` is refused by `range = 1..=4`. {change}"
                ),
            ]
        );
    }

    #[tool_type]
    #[derive(Default)]
    struct Limits {
        #[arg(range = 1..)]
        most: u32,
    }

    /// D.
    #[tool(pure, register = false)]
    fn whole(#[arg(default)] limits: Limits) -> u32 {
        limits.most
    }

    #[test]
    fn d2_so_is_one_that_the_constraints_of_its_type_refuse() {
        one(
            ToolRegistry::new().with(Whole),
            "whole /limits: its default `{\"most\":0}` has a value at `most` that the constraints of its type refuse",
        );
    }

    /// D.
    #[derive(toolwright::Tool)]
    #[tool(pure, register = false)]
    struct Derived {
        #[arg(default = DEFAULT, range = ..=MOST)]
        a: u32,
    }

    impl RunTool for Derived {
        type Output = u32;

        async fn run(self, _: &ToolContext) -> u32 {
            self.a
        }
    }

    struct Set<const MOST_OF_SET: u32>;

    #[toolset(prefix = "set")]
    impl<const MOST_OF_SET: u32> Set<MOST_OF_SET> {
        /// D.
        #[tool(pure)]
        fn count(&self, #[arg(default = 3, range = ..=MOST_OF_SET)] a: u32) -> u32 {
            a
        }
    }

    #[test]
    fn d2_so_is_one_of_a_struct_and_of_a_method() {
        one(
            ToolRegistry::new().with_type::<Derived>(),
            "derived /a: its default `99` is refused by `range = ..=50`",
        );
        one(
            ToolRegistry::new().with_set(Set::<2>),
            "set.count /a: its default `3` is refused by `range = ..=2`",
        );
        Executor::new(ToolRegistry::new().with_set(Set::<3>)).unwrap();
    }

    /// D.
    #[tool(pure, register = false)]
    fn fits(
        #[arg(default = MOST, range = LEAST..=MOST)] a: u32,
        #[arg(default = "2026-01-31", format = "date")] b: String,
        #[arg(default, range = 1..)] c: Maybe,
    ) -> String {
        format!("{a}{b}{c:?}")
    }

    #[tokio::test]
    async fn d2_a_call_is_not_refused_for_a_default() {
        let executor = Executor::new(ToolRegistry::new().with(Fits)).unwrap();
        assert_eq!(executor.call("fits", "{}").await.text(), "502026-01-31None");
    }

    #[test]
    fn d2_so_it_is_told_where_tools_are_changed_and_renamed() {
        let executor = Executor::new(ToolRegistry::new()).unwrap();
        let error = executor
            .replace_tools(ToolRegistry::new().with(Own))
            .unwrap_err();
        assert_eq!(error.problems().len(), 5, "{error}");
        let prefixed = ToolRegistry::new().with(ByConstants).prefixed("kit");
        assert!(told(prefixed)[0].starts_with("kit.by_constants /a:"));
    }
}

mod constraints {
    use super::*;

    const LOW: u32 = 1;
    const HIGH: u32 = 9;
    const LONG: usize = 8;
    const SHORT: usize = 2;
    const ZERO: f64 = 0.0;

    /// D.
    #[tool(pure, register = false)]
    fn nothing(
        #[arg(range = HIGH..=LOW)] a: u32,
        #[arg(range = LOW..=HIGH, one_of(5, 20, 30))] b: Count,
        #[arg(length = LONG..=SHORT)] c: String,
        #[arg(length = LONG.., one_of("asc"))] d: Option<String>,
        #[arg(range = LOW..=HIGH, multiple_of = 10)] e: u32,
        #[arg(length = 12.., format = "date")] f: String,
        #[arg(format = "date", one_of("today"))] g: String,
        #[arg(range = HIGH..=LOW)] h: Maybe,
        #[arg(length = LONG..=SHORT)] i: BTreeMap<String, u32>,
        #[arg(range = ZERO..0.0)] j: f64,
    ) -> String {
        format!("{a}{b}{c}{d:?}{e}{f}{g}{h:?}{i:?}{j}")
    }

    #[test]
    fn d3_constraints_that_nothing_fits_are_told_when_the_executor_is_built() {
        let change = "Change one of the constraints";
        assert_eq!(
            told(ToolRegistry::new().with(Nothing)),
            [
                format!("nothing /a: no value is allowed: `range = 9..=1` is empty. {change}"),
                format!(
                    "nothing /b: `one_of` lists `20`, `30`, which `range = 1..=9` refuses. {change}"
                ),
                format!("nothing /c: no value is allowed: `length = 8..=2` is empty. {change}"),
                format!(
                    "nothing /d: `one_of` lists `\"asc\"`, which `length = 8..` refuses. {change}"
                ),
                format!(
                    "nothing /e: no value is allowed: there is no multiple for `multiple_of = 10` in \
                     `range = 1..=9`. {change}"
                ),
                format!(
                    "nothing /f: no value is allowed: no text of `format = \"date\"` has a `length = 12..`. {change}"
                ),
                format!(
                    "nothing /g: `one_of` lists `\"today\"`, which `format = \"date\"` refuses. {change}"
                ),
                format!("nothing /h: no value is allowed: `range = 9..=1` is empty. {change}"),
                format!("nothing /i: no value is allowed: `length = 8..=2` is empty. {change}"),
                format!("nothing /j: no value is allowed: `range = 0.0..0.0` is empty. {change}"),
            ]
        );
    }

    #[tool_type]
    struct Field {
        #[arg(range = HIGH..=LOW)]
        a: u32,
    }

    /// D.
    #[derive(toolwright::Tool)]
    #[tool(pure, register = false)]
    struct Typed {
        #[arg(length = LONG..=SHORT)]
        text: String,
        fields: Vec<Field>,
    }

    impl RunTool for Typed {
        type Output = String;

        async fn run(self, _: &ToolContext) -> String {
            self.text
                + &self
                    .fields
                    .iter()
                    .map(|field| field.a)
                    .sum::<u32>()
                    .to_string()
        }
    }

    #[test]
    fn d3_so_are_those_of_fields() {
        let told = told(ToolRegistry::new().with_type::<Typed>());
        assert_eq!(told.len(), 2, "{told:#?}");
        assert!(
            told[0].contains("/fields/*/a: no value is allowed: `range = 9..=1` is empty"),
            "{told:#?}"
        );
        assert!(
            told[1].contains("/text: no value is allowed: `length = 8..=2` is empty"),
            "{told:#?}"
        );
    }
}

mod whole {
    use super::*;

    type Text = String;
    type Perhaps = Option<Lines>;

    #[tool_type]
    struct Lines {
        first: Option<u32>,
    }

    #[tool_type]
    enum Order {
        Up,
        Down,
    }

    #[tool_type]
    struct Inner(u32);

    #[tool_type]
    #[serde(tag = "kind")]
    enum Shape {
        Circle { radius: f64 },
    }

    /// D.
    #[tool(pure, register = false, struct_name = TextTool)]
    fn text(#[arg(flatten)] a: Text) -> String {
        a
    }

    /// D.
    #[tool(pure, register = false, struct_name = OrderTool)]
    fn order(#[arg(flatten)] a: Order) -> u32 {
        match a {
            Order::Up => 1,
            Order::Down => 2,
        }
    }

    /// D.
    #[tool(pure, register = false, struct_name = InnerTool)]
    fn inner(#[arg(flatten)] a: Inner) -> u32 {
        a.0
    }

    struct Set;

    #[toolset]
    impl Set {
        /// D.
        #[tool(pure)]
        fn set(&self, #[arg(flatten)] a: Order) -> u32 {
            order(a)
        }
    }

    /// D.
    #[tool(pure, register = false, struct_name = ShapeTool)]
    fn shape(#[arg(flatten)] a: Shape) -> f64 {
        match a {
            Shape::Circle { radius } => radius,
        }
    }

    /// D.
    #[tool(pure, register = false)]
    fn map(#[arg(flatten)] a: BTreeMap<String, u32>) -> u32 {
        a.values().sum()
    }

    /// D.
    #[tool(pure, register = false, struct_name = PerhapsTool)]
    fn perhaps(#[arg(flatten)] a: Perhaps) -> Option<u32> {
        a.and_then(|lines| lines.first)
    }

    #[test]
    fn d4_flatten_of_what_reads_no_object_is_told_when_the_executor_is_built() {
        let says = "`a` is all the arguments by `flatten`, and they are an object, which its type does not read";
        one(ToolRegistry::new().with(TextTool), says);
        one(ToolRegistry::new().with(OrderTool), says);
        one(ToolRegistry::new().with(InnerTool), says);
        one(ToolRegistry::new().with_set(Set), says);
    }

    #[tokio::test]
    async fn d4_structs_maps_and_tagged_enums_are_read() {
        let registry = ToolRegistry::new()
            .with(ShapeTool)
            .with(Map)
            .with(PerhapsTool);
        let executor = Executor::new(registry).unwrap();
        let call = async |name: &str, arguments: &str| -> String {
            let outcome = executor.call(name, arguments).await;
            assert!(!outcome.result().is_error(), "{}", outcome.text());
            outcome.text()
        };
        assert_eq!(
            call("shape", r#"{"kind": "Circle", "radius": 2.5}"#).await,
            "2.5"
        );
        assert_eq!(call("map", r#"{"a": 2, "b": 3}"#).await, "5");
        assert_eq!(call("perhaps", r#"{"first": 3}"#).await, "3");
    }

    #[tool_type(argument)]
    struct Flat {
        #[serde(flatten)]
        title: Text,
        #[serde(flatten)]
        number: Option<Inner>,
        #[serde(flatten)]
        lines: Perhaps,
        #[serde(flatten)]
        more: BTreeMap<String, u32>,
    }

    /// D.
    #[tool(pure, register = false, struct_name = FlatTool)]
    fn flat(a: Vec<Flat>) -> usize {
        let one = |a: &Flat| {
            a.title.len()
                + usize::from(a.number.is_some())
                + usize::from(a.lines.is_some())
                + a.more.len()
        };
        a.iter().map(one).sum()
    }

    #[test]
    fn d4_so_is_a_flattened_field() {
        let told = told(ToolRegistry::new().with(FlatTool));
        assert_eq!(told.len(), 2, "{told:#?}");
        assert!(
            told[0].starts_with("flat /a/*: `title` has `#[serde(flatten)]`, and is neither"),
            "{told:#?}"
        );
        assert!(
            told[1].starts_with("flat /a/*: `number` has `#[serde(flatten)]`, and is neither"),
            "{told:#?}"
        );
    }
}

mod keys {
    use super::*;

    #[tool_type]
    #[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Point {
        x: u32,
    }

    #[tool_type]
    #[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Pair(u32, u32);

    #[tool_type]
    #[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Name(String);

    #[tool_type]
    #[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
    enum Kind {
        One,
        Two,
    }

    type ByPoint = BTreeMap<Point, u32>;

    #[tool_type]
    struct Holder {
        inner: Vec<ByPoint>,
    }

    /// D.
    #[tool(pure, register = false)]
    fn refused(
        a: HashMap<Point, u32>,
        b: BTreeMap<(u32, u32), u32>,
        c: Option<BTreeMap<Pair, u32>>,
        d: Holder,
        e: BTreeMap<Vec<u32>, u32>,
    ) -> usize {
        a.len() + b.len() + c.map_or(0, |map| map.len()) + d.inner.len() + e.len()
    }

    /// D.
    #[tool(pure, register = false)]
    fn flat(#[arg(flatten)] a: ByPoint) -> usize {
        a.len()
    }

    #[test]
    fn d5_maps_whose_keys_are_no_texts_are_told_when_the_executor_is_built() {
        let told = told(ToolRegistry::new().with(Refused));
        let starts = [
            "refused /a: the keys of a map are texts in JSON, and those of this map are read into the struct `Point`",
            "refused /b: the keys of a map are texts in JSON, and those of this map are read into a tuple of 2",
            "refused /c: the keys of a map are texts in JSON, and those of this map are read into the struct `Pair`",
            "refused /e: the keys of a map are texts in JSON, and those of this map are read into a list",
            "refused /d/inner/*: the keys of a map are texts in JSON, and those of this map are read into the struct \
             `Point`",
        ];
        assert_eq!(told.len(), starts.len(), "{told:#?}");
        for (told, start) in told.iter().zip(starts) {
            assert!(told.starts_with(start), "{told}\n{start}");
        }
        one(
            ToolRegistry::new().with(Flat),
            "flat : the keys of a map are texts",
        );
    }

    /// D.
    #[tool(pure, register = false)]
    fn read(
        a: BTreeMap<char, u32>,
        b: BTreeMap<Name, u32>,
        c: BTreeMap<Kind, u32>,
        d: BTreeMap<u64, i64>,
        e: BTreeMap<bool, u32>,
        f: BTreeMap<PathBuf, Vec<BTreeMap<String, u32>>>,
    ) -> String {
        let c: u32 = c.into_values().sum();
        let d: i64 = d.into_values().sum();
        format!("{a:?} {} {c} {d} {e:?} {}", b.len(), f.len())
    }

    #[tokio::test]
    async fn d5_other_keys_are_read() {
        let executor = Executor::new(ToolRegistry::new().with(Read)).unwrap();
        let arguments = r#"{"a": {"x": 1}, "b": {"n": 1}, "c": {"One": 1, "Two": 2}, "d": {"7": -7},
            "e": {"true": 1}, "f": {"p": [{"q": 1}]}}"#;
        assert_eq!(
            executor.call("read", arguments).await.text(),
            "{'x': 1} 1 3 -7 {true: 1} 1"
        );
        let wrong = executor
            .call(
                "read",
                r#"{"a": {"xy": 1}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {}}"#,
            )
            .await;
        assert!(wrong.text().contains("/a/xy"), "{}", wrong.text());
    }
}

mod lent {
    use super::*;

    struct Lender<T>(std::marker::PhantomData<T>);

    #[toolset]
    impl<T: Send + Sync + 'static> Lender<T> {
        /// D.
        #[tool(pure)]
        fn lent(&self, value: Option<&T>) -> bool {
            value.is_some()
        }
    }

    #[test]
    fn d1_a_text_that_nobody_lends_is_told_when_the_executor_is_built() {
        let registry =
            || ToolRegistry::new().with_set(Lender::<Vec<String>>(std::marker::PhantomData));
        let error = Executor::new(registry()).unwrap_err();
        assert!(error.to_string().contains("is `None` for ever"), "{error}");
        assert!(
            error
                .to_string()
                .contains("`Option<alloc::vec::Vec<alloc::string::String>>`"),
            "{error}"
        );
        Executor::builder(registry())
            .resource(vec![String::new()])
            .build()
            .unwrap();
        let of_sessions = Executor::builder(registry()).session_resource::<Vec<String>>();
        of_sessions.build().unwrap();
        Executor::new(ToolRegistry::new().with_set(Lender::<Executor>(std::marker::PhantomData)))
            .unwrap();
    }
}
