use std::panic::Location;
use std::sync::Arc;

use serde_json::json;

use super::{Declared, Part, before_first_heading, spec_of};
use crate::schema::{OutputSchema, Unkept};
use crate::spec::{Capability, Determinism, Drawn, Mistakes, SchemaSource};

struct Source;

impl SchemaSource for Source {
    fn argument_names(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn input(&self) -> Drawn {
        Drawn {
            schema: json!({"type": "object", "examples": [{"n": 1}]}),
            unkept: Unkept::default(),
            mistakes: Mistakes::new("", Location::caller(), Vec::new()),
        }
    }

    fn is_kept(&self) -> bool {
        false
    }

    fn write_input(&self, _text: &mut Vec<u8>) -> serde_json::Result<bool> {
        Ok(false)
    }

    fn output(&self) -> Option<Arc<OutputSchema>> {
        None
    }

    fn argument_aliases(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
}

#[test]
fn what_is_declared_is_in_the_spec() {
    static DECLARED: Declared = (
        "all",
        "Everything.",
        &[
            Part::Determinism(Determinism::Bounded),
            Part::Capabilities(&["fs:read:/data", "net:connect:a:443"]),
            Part::Memory(67_108_864),
            Part::Fuel(1000),
            Part::Output(65_536),
            Part::Concurrent,
            Part::Durable,
            Part::Pool("gpu"),
            Part::ExplicitOnly,
            Part::Examples(&[r#"{"n": 2}"#]),
            Part::Secrets(&["token"]),
        ],
        "",
    );
    let spec = spec_of(&DECLARED, &Source).unwrap();
    assert_eq!(spec.determinism(), Determinism::Bounded);
    let capabilities: Vec<&str> = spec.capabilities().iter().map(Capability::as_str).collect();
    assert_eq!(capabilities, ["fs:read:/data", "net:connect:a:443"]);
    let bounds = spec.bounds();
    assert_eq!(
        (bounds.memory(), bounds.fuel()),
        (Some(67_108_864), Some(1000))
    );
    assert_eq!((bounds.output(), bounds.timeout()), (Some(65_536), None));
    assert!(spec.is_concurrent() && spec.is_explicit_only());
    assert_eq!((spec.is_durable(), spec.pool()), (true, Some("gpu")));
    assert_eq!(spec.examples(), [json!({"n": 1}), json!({"n": 2})]);
    assert_eq!(spec.secrets(), ["token"]);
}

#[test]
fn a_capability_that_is_none_is_required_all_the_same() {
    static DECLARED: Declared = (
        "odd",
        "Odd.",
        &[Part::Capabilities(&["fs", "a:b:\u{1}", "", ":::"])],
        "",
    );
    let spec = spec_of(&DECLARED, &Source).unwrap();
    let required: Vec<&str> = spec.capabilities().iter().map(Capability::as_str).collect();
    assert_eq!(
        required,
        [
            "invalid:capability:<fs>",
            "invalid:capability:<a:b:\\u{1}>",
            "invalid:capability:<>",
            "invalid:capability:<:::>",
        ]
    );
}

#[test]
fn the_description_ends_at_the_first_heading() {
    assert_eq!(
        before_first_heading(" One.\nTwo.\n\n# Errors\nx"),
        "One.\nTwo."
    );
    assert_eq!(
        before_first_heading("#1 is no heading\n## Notes"),
        "#1 is no heading"
    );
    assert_eq!(before_first_heading("# Only"), "");
}
