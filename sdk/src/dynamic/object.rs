//! Arguments that must be a JSON object, whatever they are read into.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::arguments::{
    Arguments, InvalidArguments, View, given_once, not_an_object, rounded, run_time, valid_of_whole,
};
use crate::spec::ToolSpec;

/// Reads the arguments of a call, which must satisfy the schema of the spec.
pub(super) fn parse<A: DeserializeOwned>(
    arguments: &Arguments<'_>,
    spec: &ToolSpec,
) -> Result<A, InvalidArguments> {
    check(arguments, spec)?;
    if let Some(invalid) = InvalidArguments::too_deep(arguments.view()) {
        return Err(invalid);
    }
    let rounded = rounded(arguments.view(), Some(spec));
    if !rounded.is_empty() {
        let valid = valid_of_whole(spec.input_schema());
        return Err(InvalidArguments::new(rounded).with_valid(valid));
    }
    if spec.promise().is_kept() {
        return arguments.parse_open();
    }
    let tree = arguments.to_value()?;
    run_time(&tree, spec)?;
    Arguments::from(&*tree).parse_open()
}

/// Refuses what is no object, and objects that have a name twice: a reader would take one of the
/// two, and another reader the other.
pub(super) fn check(arguments: &Arguments<'_>, spec: &ToolSpec) -> Result<(), InvalidArguments> {
    has_form(arguments, spec)
        .map_err(|invalid| invalid.with_valid(valid_of_whole(spec.input_schema())))
}

fn has_form(arguments: &Arguments<'_>, spec: &ToolSpec) -> Result<(), InvalidArguments> {
    match arguments.view() {
        View::Empty | View::Tree(Value::Object(_)) => Ok(()),
        View::Tree(other) => Err(not_an_object(other, spec)),
        View::Text(text) if text.trim_ascii_start().starts_with('{') => {
            given_once(text, || spec.hidden())
        }
        View::Text(text) => Err(match serde_json::from_str(text) {
            Ok(other) => not_an_object(&other, spec),
            Err(error) => InvalidArguments::syntax(text, &error),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::strict::TOLD;
    use crate::arguments::{ArgumentProblem, ProblemKind};
    use crate::id::ToolName;
    use serde_json::json;

    fn spec() -> ToolSpec {
        ToolSpec::new(ToolName::new("t").unwrap(), "")
    }

    fn refused(arguments: impl Into<Arguments<'static>>) -> Vec<(ProblemKind, String)> {
        let invalid = has_form(&arguments.into(), &spec()).unwrap_err();
        let told = |p: &ArgumentProblem| (p.kind(), p.pointer().to_owned());
        invalid.problems().iter().map(told).collect()
    }

    #[test]
    fn only_an_object_will_do() {
        for good in [
            "",
            " ",
            "null",
            "{}",
            " \t\r\n{\"a\": [null, true, -1, 1.5, \"x\"]} ",
        ] {
            assert!(has_form(&Arguments::from(good), &spec()).is_ok(), "{good}");
        }
        for other in ["[]", "[{}]", "5", "\"{}\"", " true"] {
            assert_eq!(
                refused(other),
                [(ProblemKind::Type, String::new())],
                "{other}"
            );
            let tree: Value = serde_json::from_str(other).unwrap();
            assert_eq!(
                refused(tree),
                [(ProblemKind::Type, String::new())],
                "{other}"
            );
        }
        for broken in ["{", "{} {}", "{\"a\":}", "x", "\u{c}{}"] {
            assert_eq!(
                refused(broken),
                [(ProblemKind::Syntax, String::new())],
                "{broken}"
            );
        }
        let deep = "{\"a\":".repeat(100_000);
        assert_eq!(refused(deep), [(ProblemKind::Syntax, String::new())]);
    }

    #[test]
    fn each_name_that_an_object_has_twice_is_told_once() {
        let text =
            r#"{"a": 1, "b/c": [{"x": 1}, {"x": 1, "y": {}, "x": 2, "x": 3}], "\u0061": {}}"#;
        let expected = ["/b~1c/1/x", "/a"].map(|at| (ProblemKind::Repeated, at.to_owned()));
        assert_eq!(refused(text), expected);
        assert!(has_form(&json!({"a": {"a": [{"a": 1}, {"a": 1}]}}).into(), &spec()).is_ok());
    }

    #[test]
    fn what_is_told_is_bounded() {
        let many: Vec<String> = (0..1_000).map(|n| format!("\"{n}\":1,\"{n}\":2")).collect();
        assert_eq!(refused(format!("{{{}}}", many.join(","))).len(), TOLD);
    }
}
