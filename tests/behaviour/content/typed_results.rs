//! Results read into Rust types.

use std::collections::BTreeMap;
use std::error::Error;

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::content::ReadResultError;
use toolwright::executor::{Limits, WaitMode};
use toolwright::{Content, Executor, ToolCall, ToolError, ToolOutcome, ToolOutput, ToolRegistry};

use crate::support::{HandMade, outcome};

#[derive(Debug, PartialEq, Deserialize)]
struct Forecast {
    place: String,
    days: Vec<Day>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Day {
    celsius: i32,
    sky: Sky,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Sky {
    Clear,
    Grey,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "it is read, and that is all")]
struct Strict {
    place: String,
}

fn gives(output: impl Fn() -> ToolOutput + Send + Sync + 'static) -> ToolOutcome {
    outcome(HandMade::new("tool").run(move |_, _| Ok(output())))
}

fn data(value: Value) -> ToolOutcome {
    gives(move || ToolOutput::json(&value).unwrap())
}

fn weather() -> Value {
    json!({"place": "Bonn", "days": [{"celsius": 4, "sky": "grey"}, {"celsius": -1, "sky": "clear"}]})
}

/// Place, what was expected and what was found.
fn mismatch<T: serde::de::DeserializeOwned + std::fmt::Debug>(
    outcome: &ToolOutcome,
) -> (String, String, String) {
    match outcome.json::<T>().unwrap_err() {
        ReadResultError::Mismatch {
            pointer,
            expected,
            found,
            ..
        } => (pointer, expected, found),
        other => panic!("another error: {other:?}"),
    }
}

fn parts(pointer: &str, expected: &str, found: &str) -> (String, String, String) {
    (pointer.to_owned(), expected.to_owned(), found.to_owned())
}

#[test]
fn s1_41_a_result_is_read_into_a_type() {
    let read: Forecast = data(weather()).json().unwrap();
    assert_eq!(read.place, "Bonn");
    assert_eq!(
        read.days[1],
        Day {
            celsius: -1,
            sky: Sky::Clear
        }
    );
    // The result itself reads the same, and what a type does not know is passed over.
    let mut more = weather();
    more["source"] = json!("station 7");
    assert_eq!(data(more).result().json::<Forecast>().unwrap(), read);
    assert_eq!(data(weather()).json::<Value>().unwrap(), weather());
    assert_eq!(data(json!(5)).json::<u8>().unwrap(), 5);
    // Numbers keep all their digits.
    assert_eq!(data(json!(u64::MAX)).json::<u64>().unwrap(), u64::MAX);

    // Text is text, whatever it looks like, and may hold JSON.
    assert_eq!(gives(|| "5".into()).json::<String>().unwrap(), "5");
    assert_eq!(gives(|| "5".into()).json::<u8>().unwrap(), 5);
    assert_eq!(gives(|| "grey".into()).json::<Sky>().unwrap(), Sky::Grey);
    let text = weather().to_string();
    assert_eq!(
        gives(move || text.clone().into())
            .json::<Forecast>()
            .unwrap(),
        read
    );
    // The one part of data is read, although words and images stand beside it.
    let mixed = gives(|| {
        let image = Content::image([1, 2], "image/png");
        let day = Content::json(&json!({"celsius": 1, "sky": "grey"})).unwrap();
        ToolOutput::text("today:").with(image).with(day)
    });
    assert_eq!(mixed.json::<Day>().unwrap().celsius, 1);
    // Nothing is null.
    gives(ToolOutput::empty).json::<()>().unwrap();
    assert_eq!(
        gives(ToolOutput::empty).json::<Option<Day>>().unwrap(),
        None
    );
}

#[test]
fn s1_41_what_does_not_fit_is_named_with_its_place() {
    let with = |pointer: &str, value: Value| {
        let mut weather = weather();
        *weather.pointer_mut(pointer).unwrap() = value;
        mismatch::<Forecast>(&data(weather))
    };
    let (pointer, expected, found) = with("/days/1/celsius", json!("cold"));
    assert_eq!(
        (&*pointer, &*found),
        ("/days/1/celsius", "the text \"cold\"")
    );
    assert!(
        expected.contains("integer") || expected.contains("i32"),
        "{expected}"
    );
    let (pointer, _, found) = with("/days/0/celsius", json!(1.5));
    assert_eq!((&*pointer, &*found), ("/days/0/celsius", "1.5"));
    let (pointer, expected, found) = with("/days/1/sky", json!("dark"));
    assert_eq!((&*pointer, &*found), ("/days/1/sky", "the text \"dark\""));
    assert_eq!(expected, "one of \"clear\", \"grey\"");
    let (pointer, _, found) = with("/days", json!({}));
    assert_eq!((&*pointer, &*found), ("/days", "an empty object"));
    let missing = with("/days/0", json!({"sky": "grey"}));
    assert_eq!(missing, parts("/days/0/celsius", "a value", "nothing"));
    let (pointer, expected, found) = mismatch::<Strict>(&data(weather()));
    assert_eq!((&*pointer, &*found), ("/days", "a list of 2"));
    assert!(expected.contains("\"place\""), "{expected}");
    // Names are escaped as in a pointer.
    let odd = data(json!({"a/b": {"~": "x"}}));
    let (pointer, ..) = mismatch::<BTreeMap<String, BTreeMap<String, u8>>>(&odd);
    assert_eq!(pointer, "/a~1b/~0");
    // As a whole, also where it is text that is no JSON, or JSON of another type.
    for (text, expected) in [
        ("lots", "the text \"lots\""),
        ("300", "300"),
        ("[1]", "a list of 1"),
    ] {
        let (pointer, _, found) = mismatch::<u8>(&gives(move || text.into()));
        assert_eq!((&*pointer, &*found), ("", expected));
    }
    let (pointer, _, found) = mismatch::<u8>(&gives(ToolOutput::empty));
    assert_eq!((&*pointer, &*found), ("", "null"));

    let wrong = data(json!({"place": 7, "days": []}));
    let error = wrong.json::<Forecast>().unwrap_err().to_string();
    assert!(
        error.starts_with("the result, at `/place`: expected "),
        "{error}"
    );
    assert!(error.ends_with(", found 7"), "{error}");
}

#[tokio::test]
async fn s1_41_a_call_without_data_says_why() {
    let failed =
        outcome(HandMade::new("tool").run(|_, _| Err(ToolError::not_found("no such place"))));
    let error = failed.json::<Forecast>().unwrap_err();
    assert!(matches!(&error, ReadResultError::Failed(error) if error.message() == "no such place"));
    assert_eq!(
        error.to_string(),
        "the call ended in an error: no such place"
    );
    assert!(error.source().is_some());

    let writes =
        HandMade::new("writes").spec(|spec| spec.with_effect(toolwright::spec::Effect::AtMostOnce));
    let registry = || ToolRegistry::new().with(writes.clone());
    let denied = Executor::new(registry())
        .unwrap()
        .call("writes", "{}")
        .await;
    assert!(matches!(
        denied.json::<Value>(),
        Err(ReadResultError::Failed(_))
    ));
    let executor = Executor::builder(registry())
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let waits = executor
        .session("s")
        .call(ToolCall::new("writes", "{}"))
        .await;
    assert_eq!(waits.json::<Value>().unwrap_err(), ReadResultError::Pending);

    let several = gives(|| {
        [1, 2]
            .map(|n| Content::json(&n).unwrap())
            .into_iter()
            .collect()
    });
    let error = several.json::<u8>().unwrap_err();
    assert!(error.to_string().contains("2 parts of data"), "{error}");

    let large = HandMade::new("large").run(|_, _| Ok(ToolOutput::json(&vec![7; 100]).unwrap()));
    let executor = Executor::builder(ToolRegistry::new().with(large))
        .limits(Limits::new().max_output_bytes(50))
        .build();
    let cut = executor.unwrap().call("large", "{}").await;
    let error = cut.json::<Vec<u8>>().unwrap_err();
    assert!(error.to_string().contains("of 201 bytes"), "{error}");
    assert!(error.to_string().contains("max_output_bytes"), "{error}");
}
