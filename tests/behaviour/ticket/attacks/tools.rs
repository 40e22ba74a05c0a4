//! Tools that are not what somebody was asked about.

use std::sync::Arc;

use serde_json::json;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::permission::Verdict;
use toolwright::spec::Effect;
use toolwright::ticket::{Answer, Answers, MemoryTickets, TicketErrorKind};
use toolwright::{Executor, ToolCall, ToolOutput, ToolRegistry, ToolSpec};

use crate::support::{HandMade, judge};
use crate::waiting_support::{Runs, interrupted, key};

/// An executor with one tool that asks, or with none.
fn process(
    store: &MemoryTickets,
    runs: &Arc<Runs>,
    tool: Option<impl FnOnce(ToolSpec) -> ToolSpec>,
) -> Executor {
    let runs = Arc::clone(runs);
    let change = tool.map(|change| {
        let run = move |_: &_, _: &_| {
            runs.add();
            Ok(ToolOutput::text("ran"))
        };
        HandMade::new("launch").spec(change).run(run)
    });
    let mut tools = ToolRegistry::new().with(HandMade::new("another"));
    if let Some(tool) = change {
        tools = tools.with(tool);
    }
    Executor::builder(tools)
        .permission_checker(judge(|_| Verdict::ask("it flies"), |_, _| Verdict::Allow))
        .approvals(
            Approvals::new()
                .waiting(WaitMode::Suspending)
                .ticket_store(store.clone())
                .ticket_key(key()),
        )
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_tool_that_has_changed_or_is_gone_does_not_run() {
    type Change = fn(ToolSpec) -> ToolSpec;
    let (store, runs) = (MemoryTickets::new(), Arc::new(Runs::default()));
    let same: Change = |spec| spec;
    let before = process(&store, &runs, Some(same));
    let session = before.session("s-1");
    let call = ToolCall::new("launch", r#"{"at": "noon"}"#);
    let suspension = interrupted(session.call(call).await);
    let ticket = suspension.ticket();
    let described: Change = |spec| {
        let name = spec.name().clone();
        ToolSpec::new(name, "Launch at once.").with_effect(Effect::Pure)
    };
    let schema: Change = |spec| {
        let schema = json!({"type": "object", "properties": {"at": {}}});
        spec.with_input_schema(schema)
    };
    let effect: Change = |spec| spec.with_effect(Effect::AtMostOnce);
    let version: Change = |spec| spec.with_version("2");
    let changes = [
        Some(described),
        Some(schema),
        Some(effect),
        Some(version),
        None,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let after = process(&store, &runs, change);
        let session = after.session("s-1");
        for answers in [Answer::yes().into(), Answers::none()] {
            let error = session.resume(ticket, answers).await.unwrap_err();
            assert_eq!(
                error.kind(),
                TicketErrorKind::ChangedTool,
                "{number}: {error}"
            );
            assert!(error.to_string().contains("`launch`"));
        }
        assert_eq!(runs.count(), 0);
    }
    let same = process(&store, &runs, Some(same));
    let outcome = same.session("s-1").resume(ticket, Answer::yes()).await;
    assert_eq!(outcome.unwrap().text(), "ran");
    assert_eq!(runs.count(), 1);
}
