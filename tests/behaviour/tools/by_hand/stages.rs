//! The stages of a call, which are those of any other tool: refusal, permission, panic, timeout and
//! cancellation.

use std::time::Duration;

use serde_json::json;
use toolwright::arguments::ProblemKind;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::permission::{AllowAll, Verdict};
use toolwright::spec::Effect;
use toolwright::tools::from_bytes;
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolRegistry, tool_fn,
};

use super::function::Motto;
use super::{Object, executor, kind, pure};
use crate::support::{Trace, judge, place, places};

/// A registry of all forms; each tool counts its runs and asks for permission.
fn asking(trace: &Trace) -> ToolRegistry {
    let (one, two) = (trace.clone(), trace.clone());
    let (asked, asked_bytes) = (trace.clone(), trace.clone());
    let request = |target: &str| PermissionRequest::new("test", target, "Do it");
    let function = tool_fn(pure("function"), move |_: Object, _ctx| {
        let trace = one.clone();
        async move {
            trace.note("body");
            Ok::<_, ToolError>(())
        }
    })
    .with_permission(move |arguments: &Object, ctx: &ToolContext| {
        asked.note("ask");
        request(&format!("{} {}", ctx.tool_name(), json!(arguments)))
    });
    let bytes = from_bytes(pure("bytes"), move |_, _| {
        two.note("body");
        Ok::<_, ToolError>(Vec::new())
    })
    .with_permission(move |input: &Vec<u8>, ctx: &ToolContext| {
        asked_bytes.note("ask");
        let input = std::str::from_utf8(input).unwrap();
        Some(request(&format!("{} {input}", ctx.tool_name())))
    });
    ToolRegistry::new().with(function).with(bytes)
}

#[tokio::test]
async fn permission_is_asked_with_the_arguments_before_the_body_runs() {
    for (verdict, expected) in [
        (Verdict::Allow, None),
        (Verdict::ask("it is risky"), Some(ErrorKind::Denied)),
        (Verdict::deny("never"), Some(ErrorKind::Denied)),
    ] {
        let trace = Trace::default();
        let seen = trace.clone();
        let checker = judge(
            |_| Verdict::Allow,
            move |_, request| {
                seen.note(request.target());
                verdict.clone()
            },
        );
        let builder = Executor::builder(asking(&trace)).permission_checker(checker);
        let executor = builder.build().unwrap();
        for name in ["function", "bytes"] {
            let outcome = executor.call(name, r#"{"n":1}"#).await;
            let error = outcome.error().map(ToolError::kind);
            assert_eq!(error, expected, "{name}");
            let ran = usize::from(expected.is_none());
            let target = format!("{name} {{\"n\":1}}");
            let stages = ["ask", &target, "body"];
            assert_eq!(trace.take(), stages[..2 + ran], "{name}");
        }
    }
}

#[tokio::test]
async fn s1_14_arguments_are_refused_before_anybody_is_asked() {
    let trace = Trace::default();
    let executor = Executor::new(asking(&trace)).unwrap();
    for name in ["function", "bytes"] {
        for (arguments, kind) in [
            ("[]", ProblemKind::Type),
            ("5", ProblemKind::Type),
            ("\"{\"", ProblemKind::Type),
            ("{} {}", ProblemKind::Syntax),
            ("hello", ProblemKind::Syntax),
        ] {
            let refused = executor.call(name, arguments).await;
            assert_eq!(places(&refused), [place(kind, "")], "{name} {arguments}");
        }
        let twice = executor.call(name, r#"{"a": {"b": 1, "b": 2}}"#).await;
        assert_eq!(places(&twice), [place(ProblemKind::Repeated, "/a/b")]);
        let list = executor.call(name, json!([1])).await;
        assert_eq!(places(&list), [place(ProblemKind::Type, "")]);
    }
    assert!(trace.take().is_empty());
}

#[tokio::test]
async fn a_permission_that_cannot_be_worked_out_ends_the_call() {
    let trace = Trace::default();
    let seen = trace.clone();
    let tool = tool_fn(pure("t"), move |_: Object, _ctx| {
        seen.note("body");
        async { Ok::<_, ToolError>(()) }
    })
    .with_permission(|arguments: &Object, ctx: &ToolContext| {
        assert!(!arguments.contains_key("panic"), "no target");
        ctx.require::<Motto>()?;
        Err::<PermissionRequest, _>(ToolError::not_found("no such target"))
    });
    let executor = executor(tool);
    assert_eq!(kind(&executor.call("t", "").await), ErrorKind::Unavailable);
    let panicked = executor.call("t", r#"{"panic": 1}"#).await;
    assert_eq!(kind(&panicked), ErrorKind::Panicked);
    assert!(trace.take().is_empty());
}

#[tokio::test]
async fn a_panic_anywhere_in_a_closure_ends_its_call_and_nothing_else() {
    let function = tool_fn(pure("function"), |arguments: Object, _ctx| {
        assert!(!arguments.contains_key("at once"), "hunter2");
        async move {
            tokio::task::yield_now().await;
            assert!(!arguments.contains_key("later"), "hunter2");
            Ok::<_, ToolError>("well")
        }
    });
    let bytes = from_bytes(pure("bytes"), |input, _ctx| {
        assert!(input == b"{}", "hunter2");
        Ok::<_, ToolError>(b"well".to_vec())
    });
    let executor = Executor::new(ToolRegistry::new().with(function).with(bytes)).unwrap();
    for (name, arguments) in [
        ("function", r#"{"at once": 1}"#),
        ("function", r#"{"later": 1}"#),
        ("bytes", r#"{"at once": 1}"#),
    ] {
        let outcome = executor.call(name, arguments).await;
        assert_eq!(kind(&outcome), ErrorKind::Panicked, "{name} {arguments}");
        assert_eq!(outcome.result().source(), ResultSource::Executor);
        assert!(!outcome.text().contains("hunter2"));
        assert_eq!(executor.call(name, "").await.text(), "well");
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_ends_a_body_that_waits() {
    let trace = Trace::default();
    let seen = trace.clone();
    let tool = |effect| {
        let seen = seen.clone();
        let spec = pure("nap")
            .with_effect(effect)
            .with_timeout(Duration::from_secs(2));
        tool_fn(spec, move |_: Object, _ctx| {
            let seen = seen.clone();
            async move {
                tokio::time::sleep(Duration::from_secs(9)).await;
                seen.note("slept");
                Ok::<_, ToolError>(())
            }
        })
    };
    for (effect, unknown) in [(Effect::Pure, false), (Effect::AtMostOnce, true)] {
        let begun = tokio::time::Instant::now();
        let builder = Executor::builder(ToolRegistry::new().with(tool(effect)));
        let executor = builder.permission_checker(AllowAll).build().unwrap();
        let outcome = executor.call("nap", "").await;
        assert_eq!(kind(&outcome), ErrorKind::TimedOut);
        assert_eq!(begun.elapsed(), Duration::from_secs(2));
        assert_eq!(outcome.text().contains("effect is unknown"), unknown);
    }
    assert!(trace.take().is_empty());
}

#[tokio::test]
async fn a_cancelled_turn_ends_its_call_and_starts_no_other() {
    let trace = Trace::default();
    let (function_trace, bytes_trace) = (trace.clone(), trace.clone());
    let function = tool_fn(pure("function"), move |_: Object, ctx: ToolContext| {
        // Before the future is made: a call that was cancelled must not get here.
        function_trace.note("called");
        let trace = function_trace.clone();
        async move {
            ctx.cancelled().await;
            trace.note("told");
            std::future::pending::<()>().await;
            Ok::<_, ToolError>(())
        }
    });
    let bytes = from_bytes(pure("bytes"), move |_, _| {
        bytes_trace.note("called");
        Ok::<_, ToolError>(Vec::new())
    });
    let executor = Executor::new(ToolRegistry::new().with(function).with(bytes)).unwrap();
    let turn = executor.session("s").turn();
    let (cancelled, ()) = tokio::join!(turn.call(ToolCall::new("function", "")), async {
        tokio::task::yield_now().await;
        turn.cancel();
    });
    assert_eq!(kind(&cancelled), ErrorKind::Cancelled);
    assert_eq!(trace.take()[0], "called");
    for name in ["function", "bytes"] {
        let late = turn.call(ToolCall::new(name, "")).await;
        assert_eq!(late.text(), "the call was cancelled before it began");
    }
    assert!(trace.take().is_empty());
}
