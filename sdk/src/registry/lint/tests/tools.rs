//! Tools as a whole: their names and descriptions, and those that panic.

use std::sync::Arc;

use super::*;
use LintKind::{Description, Panicked};

#[test]
fn a_name_that_models_see_with_a_hash_in_it_is_told_of() {
    let name: &'static str = Box::leak("n".repeat(65).into_boxed_str());
    let found = lint([Shown::new(name, "Do something.")]);
    assert_eq!(places(found.clone()), [at(LintKind::ToolName, "")]);
    assert!(found[0].message().contains("65 characters"), "{}", found[0]);
    assert_eq!(found[0].other_tool(), None);

    let name: &'static str = Box::leak(format!("{}.d", "n".repeat(62)).into_boxed_str());
    assert_eq!(
        lint([
            Shown::new(name, "Do something."),
            Shown::new("a-b_C.d", "Do another thing.")
        ]),
        []
    );

    // The other one has the name as its own.
    let found = lint([
        Shown::new("fs.read", "Read a file."),
        Shown::new("fs_read", "Look at it."),
    ]);
    let of_name = found
        .iter()
        .find(|lint| lint.kind() == LintKind::ToolName)
        .unwrap();
    assert_eq!(of_name.tool(), "fs.read");
    assert_eq!(of_name.other_tool().unwrap(), "fs_read");
    assert!(of_name.message().contains("`fs_read_"), "{of_name}");
}

#[test]
fn a_name_that_is_the_alias_of_another_tool_is_told_of() {
    let mut other = Shown::new("look", "Look at something.");
    other.spec = other.spec.with_alias(ToolName::new("fs_read").unwrap());
    let found = lint([Shown::new("fs.read", "Read a file."), other]);
    assert_eq!(places(found.clone()), [at(LintKind::ToolName, "")]);
    assert_eq!(found[0].tool(), "fs.read");
    assert_eq!(found[0].other_tool().unwrap(), "look");

    let mut own = Shown::new("fs.read", "Read a file.");
    own.spec = own.spec.with_alias(ToolName::new("fs_read").unwrap());
    assert_eq!(lint([own]), []);
}

#[test]
fn descriptions_are_neither_missing_nor_short_nor_long() {
    let told = |text: &str| places(lint([Shown::new("tool", text)]));
    for text in [
        "",
        "  \n ",
        "Reads.",
        "   Reads    ",
        &"x".repeat(1025),
        &"ü".repeat(1025),
    ] {
        assert_eq!(told(text), [at(Description, "")], "{text:?}");
    }
    for text in [
        "Read file.",
        "读取文件",
        &"x".repeat(1024),
        &"ü".repeat(1024),
    ] {
        assert_eq!(told(text), [], "{text:?}");
    }
}

struct Panics {
    spec: ToolSpec,
    at: &'static str,
}

impl Tool for Panics {
    fn spec(&self) -> &ToolSpec {
        assert_ne!(self.at, "spec");
        &self.spec
    }

    fn facts(&self) -> crate::tool::ToolFacts {
        crate::tool::ToolFacts {
            names: Some(("panics", &[])),
            ..crate::tool::ToolFacts::default()
        }
    }

    fn needs(&self) -> &[ResourceKey] {
        assert_ne!(self.at, "needs");
        &[]
    }

    fn parse(&self, _: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        Err(InvalidArguments::default())
    }
}

#[test]
fn a_tool_that_panics_takes_no_other_down() {
    for part in ["spec", "needs"] {
        let spec = ToolSpec::new(ToolName::new("panics").unwrap(), "short");
        let mut registry = ToolRegistry::new().with(Shown::new("other", "bad"));
        registry
            .register_arc(Arc::new(Panics { spec, at: part }))
            .unwrap();
        let found = registry.lint();
        let panicked: Vec<&Lint> = found.iter().filter(|l| l.kind() == Panicked).collect();
        assert_eq!(panicked.len(), 1, "{found:?}");
        assert_eq!(panicked[0].tool(), "panics");
        assert!(panicked[0].message().contains(part), "{}", panicked[0]);
        let others: Vec<&str> = found
            .iter()
            .filter(|lint| lint.kind() == Description)
            .map(|lint| lint.tool().as_str())
            .collect();
        let expected: &[&str] = if part == "spec" {
            &["other"]
        } else {
            &["other", "panics"]
        };
        assert_eq!(others, expected);
    }
}

#[test]
fn findings_are_sorted_and_the_same_each_time() {
    let schema = json!({"type": "object", "properties": {"z": {}, "a": {}}});
    let tools = || {
        [("b.tool", "short"), ("a.tool", "short")]
            .map(|(name, text)| Shown::new(name, text).schema(schema.clone()))
    };
    let found = lint(tools());
    let order: Vec<(&str, &str)> = found
        .iter()
        .map(|lint| (lint.tool().as_str(), lint.pointer()))
        .collect();
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(found.len(), 2 * 5 + 1);
    let mut back = tools();
    back.reverse();
    assert_eq!(lint(back), found);
    assert_eq!(lint([]), []);
}
