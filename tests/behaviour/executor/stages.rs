//! The stages of a call: their order, where they stop, and what becomes of errors.

use std::io::{Error, ErrorKind as IoKind};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use toolwright::arguments::{ArgumentProblem, InvalidArguments, ProblemKind};
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::permission::Verdict;
use toolwright::{
    Executor, PermissionRequest, ToolError, ToolOutcome, ToolOutput, ToolRegistry, tool,
};

use crate::support::{HandMade, Trace, judge};

/// The place where a call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    Lookup,
    Parse,
    ToolVerdict,
    Requests,
    RequestVerdict,
    Invoke,
    Nowhere,
}

/// An executor of one tool, `traced`, each of whose stages notes that it runs.
fn traced(stop: Stop, trace: &Trace) -> Executor {
    let [parse, requests, check, invoke] = [(); 4].map(|()| trace.clone());
    let tool = HandMade::new("traced")
        .parse(move |_| {
            parse.note("parse");
            let refused = ArgumentProblem::new(ProblemKind::Type, "", "they are not to its taste");
            match stop {
                Stop::Parse => Err(InvalidArguments::new(vec![refused])),
                _ => Ok(()),
            }
        })
        .ask(move |_| {
            requests.note("proposed_requests");
            match stop {
                Stop::Requests => Err(ToolError::unavailable("the target cannot be found out")),
                _ => Ok(vec![PermissionRequest::new("test", "target", "Do it")]),
            }
        })
        .run(move |_, _| {
            invoke.note("invoke");
            match stop {
                Stop::Invoke => Err(ToolError::failed("it broke").with_source("a cable")),
                _ => Ok(ToolOutput::text("done")),
            }
        });
    let checker = judge(
        move |_| match stop {
            Stop::ToolVerdict => Verdict::deny("not this tool"),
            _ => Verdict::Allow,
        },
        move |_, _| {
            check.note("check");
            match stop {
                Stop::RequestVerdict => Verdict::deny("not this target"),
                _ => Verdict::Allow,
            }
        },
    );
    let registry = ToolRegistry::new().with(tool);
    Executor::builder(registry)
        .permission_checker(checker)
        .build()
        .unwrap()
}

#[tokio::test]
async fn s0_23_a_stop_at_a_stage_means_that_later_ones_never_run() {
    let stages = ["parse", "proposed_requests", "check", "invoke"];
    let cases = [
        (Stop::Lookup, 0, Some(ErrorKind::NotFound)),
        (Stop::Parse, 1, Some(ErrorKind::InvalidArguments)),
        (Stop::ToolVerdict, 1, Some(ErrorKind::Denied)),
        (Stop::Requests, 2, Some(ErrorKind::Unavailable)),
        (Stop::RequestVerdict, 3, Some(ErrorKind::Denied)),
        (Stop::Invoke, 4, Some(ErrorKind::Failed)),
        (Stop::Nowhere, 4, None),
    ];
    for (stop, ran, kind) in cases {
        let trace = Trace::default();
        let executor = traced(stop, &trace);
        let name = match stop {
            Stop::Lookup => "elsewhere",
            _ => "traced",
        };
        let outcome = executor.call(name, "{}").await;
        assert_eq!(trace.take(), stages[..ran], "{stop:?}");
        assert_eq!(outcome.error().map(ToolError::kind), kind, "{stop:?}");
        // However it ended, there is one result, normalised.
        assert!(matches!(outcome, ToolOutcome::Completed(_)), "{stop:?}");
        assert_eq!(outcome.result().is_error(), kind.is_some(), "{stop:?}");
        let by_the_tool = matches!(stop, Stop::Invoke | Stop::Nowhere);
        assert_eq!(
            outcome.result().source() == ResultSource::Tool,
            by_the_tool,
            "{stop:?}"
        );
        assert!(!outcome.text().is_empty(), "{stop:?}");
        assert!(
            !outcome.text().contains("cable"),
            "the source is for the log"
        );
    }
}

/// A result that notes when it is turned into an output.
struct Noted(Trace);

impl Serialize for Noted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.note("normalise");
        serializer.serialize_str("done")
    }
}

fn noted_request(trace: &Trace) -> PermissionRequest {
    trace.note("proposed_requests");
    PermissionRequest::new("test", "target", "Do it")
}

/// Note each stage.
#[tool(permission = noted_request(trace))]
async fn note_stages(trace: &Trace) -> Noted {
    trace.note("invoke");
    Noted(trace.clone())
}

#[tokio::test]
async fn s0_23_a_result_is_normalised_last() {
    let trace = Trace::default();
    let check = trace.clone();
    let executor = Executor::builder(ToolRegistry::new().with(NoteStages))
        .resource(trace.clone())
        .permission_checker(judge(
            |_| Verdict::Allow,
            move |_, _| {
                check.note("check");
                Verdict::Allow
            },
        ))
        .build()
        .unwrap();
    assert_eq!(executor.call("note_stages", "").await.text(), "done");
    assert_eq!(
        trace.take(),
        ["proposed_requests", "check", "invoke", "normalise"]
    );
}

/// Read a settings file.
#[tool(read_only)]
fn read_settings(path: PathBuf) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
    let text = std::fs::read_to_string(path)?;
    Ok(serde_json::from_str(&text)?)
}

/// Connect to a port of this machine.
#[tool(read_only)]
fn connect(port: u16) -> Result<(), Error> {
    match TcpStream::connect(("127.0.0.1", port)) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == IoKind::ConnectionRefused => Err(error),
        Err(other) => panic!("the port gave another error: {other}"),
    }
}

#[tokio::test]
async fn s0_38_every_failure_becomes_text_for_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, broken) = (folder.path().join("missing"), folder.path().join("broken"));
    std::fs::write(&broken, "{not json").unwrap();
    // The listener gives its port back when it is dropped.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();

    let executor = Executor::new(ToolRegistry::new().with(ReadSettings).with(Connect)).unwrap();
    let failures = [
        (
            executor
                .call("read_settings", json!({"path": missing}))
                .await,
            "os error",
        ),
        (
            executor
                .call("read_settings", json!({"path": broken}))
                .await,
            "key must be a string",
        ),
        (
            executor.call("connect", json!({"port": port})).await,
            "refused",
        ),
    ];
    for (outcome, part) in failures {
        let result = outcome.into_result();
        assert!(result.is_error());
        let error = result.error().unwrap();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert!(
            std::error::Error::source(error).is_some(),
            "the log has the cause"
        );
        assert!(result.text().contains(part), "{}", result.text());
        assert_eq!(result.text(), error.message());
    }

    let no_json = executor.call("read_settings", "{path: 1}").await;
    assert!(no_json.result().is_error());
    assert!(
        no_json.text().contains("not valid JSON"),
        "{}",
        no_json.text()
    );
}

/// Open the hatch.
#[tool(read_only)]
async fn open_hatch(force: bool) -> Result<&'static str, ToolError> {
    if force {
        tokio::task::yield_now().await;
        panic!("the hatch broke off");
    }
    Err(ToolError::failed("the hatch is stuck"))
}

#[tokio::test]
async fn s0_39_errors_stay_within_their_call() {
    let registry = ToolRegistry::new()
        .with(OpenHatch)
        .with(HandMade::new("echo"));
    let session = Executor::new(registry).unwrap().session("s");
    let call = |name: &'static str, arguments: &'static str| {
        session.call(toolwright::ToolCall::new(name, arguments))
    };
    for _ in 0..2 {
        let failed = call("open_hatch", r#"{"force": false}"#).await;
        assert_eq!(failed.error().unwrap().kind(), ErrorKind::Failed);
        let panicked = call("open_hatch", r#"{"force": true}"#).await;
        assert_eq!(panicked.error().unwrap().kind(), ErrorKind::Panicked);
        assert!(
            !panicked.text().contains("broke off"),
            "{}",
            panicked.text()
        );
        assert_eq!(call("echo", r#"{"a":1}"#).await.text(), r#"{"a":1}"#);
    }
}
