//! Attributes of other kinds, wherever they stand.

#![deny(warnings)]
#![allow(clippy::non_minimal_cfg)]

use toolwright::{RunTool, Tool, ToolContext, ToolEnum, ToolRegistry, tool, tool_type, toolset};

struct Notes;

#[allow(clippy::unused_self)]
#[toolset(prefix = "notes")]
#[cfg(all())]
/// A block.
#[doc(hidden)]
impl Notes {
    #![allow(non_snake_case)]

    /// Read
    #[inline]
    /// a note
    #[tool]
    /// by name.
    #[must_use]
    fn scattered(&self, nameOfNote: String) -> String {
        nameOfNote
    }

    #[doc = include_str!("forms_attributes.rs")]
    #[tool]
    #[doc(hidden)]
    #[expect(unused_variables)]
    fn included(&self, unused: u8) {}

    /// Read on condition.
    #[tool]
    #[cfg_attr(all(), inline, must_use)]
    fn on_condition(&self) -> u8 {
        1
    }

    #[cfg_attr(any(), doc = "Not read.")]
    /// Read anyway.
    #[tool]
    #[cold]
    async fn anyway(&self, #[allow(unused_variables)] unused: u8) {}

    #[tool]
    /** Read. */
    #[cfg(not(any()))]
    fn block(&self) {}

    #[cfg(any())]
    #[tool]
    /// Never there.
    fn never_above(&self, what: Nothing) {}

    /// Never there.
    #[tool]
    #[cfg(any())]
    fn never_below(&self, what: Nothing) {}

    #[cfg(any())]
    fn no_tool(&self, what: Nothing) {}

    #[cfg(any())]
    const NONE: Nothing = Nothing;
}

#[toolset(part = Never)]
#[cfg(any())]
impl Nothing {
    /// Never there.
    #[tool]
    fn never(&self) {}
}

#[cfg(any())]
#[toolset(part = Never)]
impl Nothing {
    /// Never there.
    #[tool]
    fn never(&self) {}
}

/// Read
#[derive(Debug)]
/// a note
#[derive(Tool)]
#[must_use]
#[tool(pure)]
/// by name.
#[allow(non_snake_case)]
#[non_exhaustive]
struct Read {
    #[doc = "Which."]
    #[allow(dead_code)]
    #[arg(length = 1..)]
    /// By name.
    nameOfNote: String,
    #[doc(hidden)]
    #[arg(default = 1)]
    #[cfg_attr(all(), allow(dead_code))]
    number: u8,
}

impl RunTool for Read {
    type Output = u8;

    async fn run(self, _: &ToolContext) -> u8 {
        1
    }
}

#[doc = include_str!("forms_attributes.rs")]
#[derive(Tool)]
#[doc(hidden)]
struct Included;

impl RunTool for Included {
    type Output = ();

    async fn run(self, _: &ToolContext) {}
}

#[cfg_attr(all(), derive(Tool), tool(pure))]
/// Read on condition.
struct OnCondition;

impl RunTool for OnCondition {
    type Output = ();

    async fn run(self, _: &ToolContext) {}
}

/// Never there.
#[derive(Tool)]
#[cfg(any())]
struct Never(Nothing);

#[cfg(any())]
#[derive(Tool)]
struct Never(Nothing);

/// Tools.
#[derive(ToolEnum)]
#[must_use]
#[non_exhaustive]
enum Set {
    /// Read.
    #[doc(hidden)]
    Read(Read),
    #[cfg(all())]
    Included(Included),
    #[cfg(any())]
    Never(Nothing),
    OnCondition(#[allow(dead_code)] OnCondition),
}

/// A type.
#[tool_type]
/// It is one.
#[derive(Debug, Clone)]
#[must_use]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
struct Page {
    #[cfg(any())]
    #[arg(default = Nothing, length = 1.., example = Nothing)]
    never: Nothing,
    #[arg(range = 1..)]
    #[cfg(all())]
    numberOfPage: u8,
    #[serde(default)]
    #[doc = include_str!("forms_attributes.rs")]
    #[arg(length = 1..)]
    text: Option<String>,
    #[serde(skip)]
    skipped: Option<u8>,
}

#[tool_type]
#[cfg(any())]
struct NeverThere {
    #[arg(default = Nothing, length = 1..)]
    never: Nothing,
}

#[cfg(any())]
#[tool_type]
enum NeverHere {
    Never(#[arg(default = Nothing, length = 1..)] Nothing),
}

#[tool_type]
#[cfg_attr(all(), serde(rename_all = "snake_case"))]
enum Kind {
    #[cfg(any())]
    Never {
        #[arg(default = Nothing, length = 1..)]
        never: Nothing,
    },
    #[serde(rename = "one")]
    #[schemars(title = "One")]
    First {
        #[arg(length = 1..)]
        text: String,
    },
    Other,
}

#[cfg_attr(all(), doc = "Turn it.")]
#[tool]
#[must_use]
fn turn(page: Page, kind: Kind) -> Option<Page> {
    let is_first = match &kind {
        Kind::First { text } => !text.is_empty(),
        Kind::Other => false,
    };
    let shown = page.skipped.is_none() && page.numberOfPage > 0 && page.text.is_none();
    (is_first && shown).then_some(page)
}

#[cfg(test)]
mod tests {
    /// Only in tests.
    #[toolwright::tool]
    fn tested() {}
}

#[test]
fn program_runs() {
    let set = ToolRegistry::new()
        .with_set(Notes)
        .with_enum::<Set>()
        .with(Turn);
    for (tool, description) in [
        ("notes.scattered", "Read\na note\nby name."),
        ("notes.on_condition", "Read on condition."),
        ("notes.anyway", "Read anyway."),
        ("notes.block", "Read."),
        ("read", "Read\na note\nby name."),
        ("on_condition", "Read on condition."),
        ("turn", "Turn it."),
    ] {
        assert_eq!(set.get(tool).unwrap().spec().description(), description);
    }
    for tool in ["notes.included", "included"] {
        assert!(
            set.get(tool)
                .unwrap()
                .spec()
                .description()
                .contains("Attributes of other")
        );
    }
    assert_eq!(set.len(), 9);
    let read = set.get("read").unwrap().spec().input_schema();
    assert_eq!(
        read["properties"]["nameOfNote"]["description"],
        "Which.\nBy name."
    );
    let turn = set.get("turn").unwrap().spec().input_schema();
    let page = &turn["properties"]["page"]["properties"];
    assert!(
        page["text"]["description"]
            .as_str()
            .unwrap()
            .contains("Attributes of other")
    );
    assert_eq!((page.get("skipped"), page.get("never")), (None, None));
    let kind = turn["properties"]["kind"].to_string();
    assert!(
        kind.contains("\"one\"") && kind.contains("\"other\""),
        "{kind}"
    );
}
