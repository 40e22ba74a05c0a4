//! The six steps of a call: capabilities, limits, execution, the normal form of what came out, the record with
//! its hashes, and the return.

use serde_json::json;
use toolwright::arguments::{ArgumentProblem, Arguments, InvalidArguments, ProblemKind};
use toolwright::content::ContentHash;
use toolwright::executor::{Limits, OutputCheck};
use toolwright::permission::AllowAll;
use toolwright::spec::Effect;
use toolwright::{Executor, ToolOutput, ToolRegistry};
use toolwright_journal::{
    Journal, JournalLog, LogError, LogLine, LogLines, MemoryLog, RecordKind, RecordedOutput, record,
};

use super::support::kinds;
use crate::support::{HandMade, Trace};

/// A log that notes each record when it is written.
struct NotingLog {
    log: MemoryLog,
    trace: Trace,
}

impl JournalLog for NotingLog {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        self.log.head()
    }

    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        let before = kinds(&self.log).len();
        self.log.append(head, lines)?;
        for kind in kinds(&self.log).split_off(before) {
            match kind {
                RecordKind::Requested(_) => self.trace.note("request recorded"),
                RecordKind::Responded(response) => self.trace.note(recorded(&response)),
                _ => {}
            }
        }
        Ok(())
    }

    fn sync(&self) -> Result<(), LogError> {
        self.log.sync()
    }

    fn read(&self) -> Result<LogLines, LogError> {
        self.log.read()
    }
}

fn recorded(response: &record::Response) -> String {
    let (hash, output) = (response.response_hash, &response.output);
    match (&response.error, output) {
        (Some(error), _) => format!("recorded {hash}: {}", error.kind()),
        (None, RecordedOutput::Inline(output)) => format!("recorded {hash}: {}", output.as_str()),
        (None, _) => format!("recorded {hash}, elsewhere"),
    }
}

/// A tool that notes its steps; what it gives is no object unless `fits`.
fn step(capability: bool, fits: bool, trace: &Trace) -> HandMade {
    let (parsed, ran) = (trace.clone(), trace.clone());
    HandMade::new("step")
        .spec(|spec| {
            let spec = spec
                .with_effect(Effect::AtMostOnce)
                .with_output_schema(json!({"type": "object"}));
            if capability {
                spec.with_capability("fs:read:/data".parse().unwrap())
            } else {
                spec
            }
        })
        .parse(move |arguments: &Arguments<'_>| {
            parsed.note("read");
            match arguments.to_value()?.get("right") {
                Some(_) => Ok(()),
                None => Err(InvalidArguments::new(vec![ArgumentProblem::new(
                    ProblemKind::Missing,
                    "/right",
                    "is required",
                )])),
            }
        })
        .run(move |_, _| {
            ran.note("executed");
            let text = if fits {
                r#"{"b": 2, "a": 1.0}"#
            } else {
                r#"["no object"]"#
            };
            let raw = serde_json::value::RawValue::from_string(text.to_owned()).unwrap();
            Ok(ToolOutput::json(&raw).unwrap())
        })
}

/// Each call breaks the rule of one step and of all later ones, and so ends at that step; the last breaks none.
#[tokio::test]
async fn s1_26_the_order_of_the_six_steps_is_fixed() {
    const RIGHT: &str = r#"{"right": true}"#;
    let (denied, limited) = ("capability denied", "limit exceeded");
    let all = ["read", "request recorded", "executed"];
    let normal = r#"{"content":[{"json":{"a":1,"b":2},"type":"json"}],"status":"success"}"#;
    for (capability, bytes, arguments, fits, steps, end) in [
        (true, 1, "{ }", false, &["request recorded"][..], denied),
        (false, 1, "{ }", false, &["request recorded"], limited),
        (
            false,
            99,
            "{ }",
            false,
            &["read", "request recorded"],
            "invalid arguments",
        ),
        (false, 99, RIGHT, false, &all, "internal error"),
        (false, 99, RIGHT, true, &all, normal),
    ] {
        let trace = Trace::default();
        let noting = NotingLog {
            log: MemoryLog::new(),
            trace: trace.clone(),
        };
        let (journal, _) = Journal::open(noting).unwrap();
        let executor = Executor::builder(ToolRegistry::new().with(step(capability, fits, &trace)))
            .permission_checker(AllowAll)
            .check_output(OutputCheck::Refuse)
            .limits(Limits::new().max_input_bytes(bytes))
            .call_recorder(journal)
            .build()
            .unwrap();
        let outcome = executor.call("step", arguments).await;
        trace.note("returned");
        let hash = outcome.result().response_hash().unwrap();
        let mut expected: Vec<String> = steps.iter().map(ToString::to_string).collect();
        expected.extend([format!("recorded {hash}: {end}"), "returned".to_owned()]);
        assert_eq!(trace.take(), expected);
    }
}
