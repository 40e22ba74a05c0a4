//! Schemas and values that are built to take long, or all of the stack.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::super::pattern::WORK;
use super::{ViolationKind, broken, compiled, judges, told};

#[test]
fn schemas_built_to_be_deep_are_refused_or_read() {
    let mut deep = json!({"type": "string"});
    for _ in 0..60 {
        deep = json!({"properties": {"a": deep}});
    }
    compiled(&deep);
    for _ in 0..1000 {
        deep = json!({"not": deep});
    }
    assert!(broken(&deep).1.contains("nests deeper"), "it is refused");

    // Each refers to the next, all for one value.
    let chain = |length: usize| {
        let mut chain =
            json!({"$ref": "#/$defs/0", "$defs": {length.to_string(): {"type": "object"}}});
        for n in 0..length {
            chain["$defs"][n.to_string()] = json!({"$ref": format!("#/$defs/{}", n + 1)});
        }
        chain
    };
    judges(&chain(500), &[json!({})], &[json!([])]);
    assert!(
        broken(&chain(20_000)).1.contains("references"),
        "it is refused"
    );
}

#[test]
fn values_built_to_be_deep_are_refused_or_judged() {
    let schema = json!({
        "$defs": {"list": {"anyOf": [
            {"allOf": [{"not": {"type": "integer"}}, {"items": {"$ref": "#/$defs/list"}}]},
            {"const": 1},
        ]}},
        "$ref": "#/$defs/list",
    });
    let deep =
        |levels: usize, inner: Value| (0..levels).fold(inner, |inner, _| Value::Array(vec![inner]));
    judges(
        &schema,
        &[deep(126, json!("a")), deep(126, json!(1))],
        &[
            deep(126, json!(2)),
            deep(200, json!("a")),
            deep(2000, json!("a")),
        ],
    );
}

#[test]
fn many_ways_through_a_schema_cost_no_more_than_a_few() {
    let started = Instant::now();
    // All for one value, or for ever deeper parts of it.
    let doubled = |keyword: &str, deeper: bool, length: usize| {
        let mut schema =
            json!({"$ref": "#/$defs/0", "$defs": {length.to_string(): {"type": "string"}}});
        for n in 0..length {
            let next = json!({"$ref": format!("#/$defs/{}", n + 1)});
            let next = if deeper {
                json!({"properties": {"a": next}})
            } else {
                next
            };
            schema["$defs"][n.to_string()] = json!({keyword: [next, next]});
        }
        schema
    };
    for keyword in ["anyOf", "allOf", "oneOf"] {
        for deeper in [false, true] {
            assert!(
                broken(&doubled(keyword, deeper, 40))
                    .1
                    .contains("alternatives")
            );
            let few = compiled(&doubled(keyword, deeper, 12));
            let value = (0..12).fold(json!(5), |inner, _| json!({"a": inner}));
            let value = if deeper { value } else { json!(5) };
            assert!(!few.violations(&value).is_empty());
        }
    }
    let names: Vec<String> = (0..12).map(|n| format!("#/$defs/{n}")).collect();
    let all = json!({"anyOf": names.iter().map(|name| json!({"$ref": name})).collect::<Vec<_>>()});
    let each: serde_json::Map<_, _> = (0..12).map(|n| (n.to_string(), all.clone())).collect();
    let mesh = json!({"$ref": "#/$defs/0", "$defs": each});
    assert!(broken(&mesh).1.contains("lead back"));
    let tree = json!({
        "$defs": {"node": {"anyOf": [
            {"properties": {"next": {"$ref": "#/$defs/node"}, "a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"next": {"$ref": "#/$defs/node"}, "b": {"type": "string"}}, "required": ["b"]},
            {"properties": {"next": {"$ref": "#/$defs/node"}, "c": {"type": "string"}}, "required": ["c"]},
        ]}},
        "$ref": "#/$defs/node",
    });
    let value = (0..60).fold(
        json!({"a": 1}),
        |next, _| json!({"a": "", "b": "", "c": "", "next": next}),
    );
    let validator = compiled(&tree);
    assert!(!validator.holds(&value));
    assert!(!validator.violations(&value).is_empty());
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn hostile_patterns_and_texts_end_and_are_never_let_through() {
    let long = "a".repeat(100_000);
    for pattern in [
        "(a+)+$",
        "^(a|a)*$",
        r"^(?=(a+)+$)b",
        r"^(a+)+\1$",
        r"(?<!b)(a*)*c",
        "(?!b)a*c",
    ] {
        let validator = compiled(&json!({"properties": {"a": {"pattern": pattern}}}));
        let started = Instant::now();
        let value = json!({"a": format!("{long}!")});
        assert!(!validator.holds(&value), "{pattern}");
        assert!(!validator.violations(&value).is_empty());
        assert!(started.elapsed() < Duration::from_secs(20), "{pattern}");
    }
    let anchored = compiled(&json!({"pattern": r"^(?!\s*$)."}));
    assert!(anchored.holds(&json!("a".repeat(60_000))));
    let names = json!({"patternProperties": {"^(?!b)(a+)+$": true}, "additionalProperties": false});
    assert!(compiled(&names).holds(&json!({"aaa": 1})));
    assert!(!compiled(&names).holds(&json!({long.as_str(): 1})));
    // It is not known whether the pattern matches: neither it nor its contrary holds.
    let pattern = r"^((a+)+)+\1$";
    for schema in [
        json!({"pattern": pattern}),
        json!({"not": {"pattern": pattern}}),
    ] {
        let value = json!(format!("{}!", "a".repeat(64)));
        assert!(!compiled(&schema).holds(&value), "{schema}");
        assert!(!compiled(&schema).holds(&json!(long)), "{schema}");
    }
}

#[test]
fn large_values_are_judged() {
    let schema = json!({"properties": {
        "ids": {"items": {"type": "integer"}, "uniqueItems": true},
        "objects": {"items": {"type": "object", "required": ["a"]}, "uniqueItems": true},
    }});
    let validator = compiled(&schema);
    let started = Instant::now();
    let mut ids: Vec<u32> = (0..200_000).collect();
    assert!(validator.holds(&json!({"ids": ids})));
    ids.push(7);
    let violations = told(validator.violations(&json!({"ids": ids})));
    assert_eq!(violations.len(), 1);
    let objects: Vec<Value> = (0..20_000).map(|n| json!({"a": n})).collect();
    assert!(validator.holds(&json!({"objects": objects})));
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// A validator that counts how often its keyword `x-count` is asked.
fn counting(schema: &Value) -> (jsonschema::Validator, Arc<AtomicUsize>) {
    struct Count(Arc<AtomicUsize>);

    impl<'i> jsonschema::Keyword<'i> for Count {
        fn validate(&self, _: &'i Value) -> Result<(), jsonschema::ValidationError<'i>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }

        fn is_valid(&self, _: &'i Value) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed);
            true
        }
    }

    let count = Arc::new(AtomicUsize::new(0));
    let shared = Arc::clone(&count);
    let options = jsonschema::options().with_keyword("x-count", move |_, _, _| {
        Ok(Box::new(Count(Arc::clone(&shared))))
    });
    (options.build(schema).unwrap(), count)
}

/// So many alternatives, each a list of so many, of which only the last takes a text.
fn nested(alternatives: usize, keyword: &str) -> Value {
    let leaf = |n: usize| {
        let kind = if n + 1 == alternatives {
            "string"
        } else {
            "boolean"
        };
        json!({"x-count": true, "type": kind})
    };
    let leaves: Vec<Value> = (0..alternatives).map(leaf).collect();
    let list = json!({"x-count": true, "type": "array", "items": {keyword: leaves}});
    let lists = vec![list; alternatives];
    json!({"properties": {"rows": {keyword: lists}}})
}

#[test]
fn work_is_counted_before_it_begins_and_no_less_than_there_is() {
    for (alternatives, keyword) in [(1, "anyOf"), (3, "oneOf"), (8, "oneOf"), (8, "allOf")] {
        let schema = nested(alternatives, keyword);
        for rows in [0, 1, 50] {
            let value = json!({"rows": vec![json!(1); rows]});
            let (judge, count) = counting(&schema);
            let _ = judge.is_valid(&value);
            let done = count.load(Ordering::Relaxed);
            let counted = compiled(&schema).work_of(&value);
            assert!(
                done <= counted,
                "{keyword} {alternatives}: {done} > {counted}"
            );
        }
    }
}

#[test]
fn alternatives_that_multiply_with_a_large_value_are_refused_at_their_argument() {
    let validator = compiled(&nested(30, "oneOf"));
    let few = json!({"rows": vec![json!(1); 1_000]});
    assert!(!validator.holds(&few));
    assert!(
        validator
            .violations(&few)
            .iter()
            .all(|c| c.kind != ViolationKind::TooMuch)
    );
    let many = json!({"rows": vec![json!(1); 180_000], "b": 1});
    assert!(validator.work_of(&many) > WORK);
    assert!(!validator.holds(&many));
    let told = told(validator.violations(&many));
    assert_eq!(told, [("/rows".to_owned(), ViolationKind::TooMuch)]);
}

#[test]
fn a_pattern_that_is_large_beside_its_text_is_refused_at_the_text() {
    let pattern = r"^(\S+\s?){1,2000}$";
    let validator = compiled(&json!({
        "properties": {"rows": {"items": {"pattern": pattern}}, "plain": {"pattern": "^[a-z ]*$"}},
        "propertyNames": {"maxLength": 10},
    }));
    let long = "word ".repeat(180_000);
    let fits = json!({"rows": ["a few words"], "plain": long});
    assert!(validator.holds(&fits));
    for (value, place) in [
        (json!({"rows": ["a", long]}), "/rows/1"),
        // No one of them is too much.
        (
            json!({"rows": vec!["word word word word"; 5_000]}),
            "/rows/",
        ),
    ] {
        assert!(!validator.holds(&value));
        let told = told(validator.violations(&value));
        assert_eq!(told.len(), 1);
        assert!(told[0].0.starts_with(place), "{}", told[0].0);
        assert_eq!(told[0].1, ViolationKind::TooMuch);
    }
    let names = compiled(&json!({"patternProperties": {pattern: true}}));
    assert!(names.holds(&json!({"a few words": 1})));
    assert!(!names.holds(&json!({long.as_str(): 1})));
    let huge = json!({"anyOf": vec![json!({"pattern": "(a{1000}){100}"}); 3]});
    assert!(broken(&huge).1.contains("patterns"));
}
