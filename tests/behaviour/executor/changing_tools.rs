//! Tools that change while the executor is there.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::json;
use toolwright::arguments::{Arguments, InvalidArguments};
use toolwright::content::ErrorKind;
use toolwright::context::ResourceKey;
use toolwright::executor::{BuildProblem, Limits, SessionOptions, WaitMode};
use toolwright::id::SessionId;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::registry::{FeatureGate, RoleRules, Selector};
use toolwright::spec::Effect;
use toolwright::ticket::{Answer, TicketErrorKind};
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, PermissionRequest, Tool, ToolCall, ToolContext, ToolError, ToolName, ToolOutcome,
    ToolOutput, ToolRegistry, ToolSpec, async_trait, tool,
};

use crate::support::HandMade;

fn says(name: &'static str, what: &'static str) -> HandMade {
    HandMade::new(name).run(move |_, _| Ok(ToolOutput::text(what)))
}

fn call(name: &str) -> ToolCall<'_> {
    ToolCall::new(name, "{}").with_id("c-1")
}

#[tokio::test]
async fn s3_06_a_description_follows_in_the_next_listing() {
    let executor = Executor::new(ToolRegistry::new().with(HandMade::new("a"))).unwrap();
    let session = executor.session("s-1");
    assert!(
        session
            .tools()
            .to_json()
            .unwrap()
            .contains("Give the arguments back.")
    );
    let described = |text: &'static str| {
        move |tools: &mut ToolRegistry| {
            tools.remove("a");
            let spec = ToolSpec::new("a".parse().unwrap(), text);
            tools.register(HandMade::new("a").spec(|_| spec.clone()))
        }
    };
    executor
        .update_tools(described("Now for numbers."))
        .unwrap();
    for listing in [session.tools(), executor.tools(), session.turn().tools()] {
        let listing = listing.to_json().unwrap();
        assert!(listing.contains("Now for numbers.") && !listing.contains("arguments back"));
    }
    // A description that is computed needs no change of tools.
    let count = Arc::new(AtomicU32::new(0));
    let computed = HandMade::new("b").spec(|spec| {
        let count = Arc::clone(&count);
        spec.with_computed_description(move || {
            format!("There are {}.", count.load(Ordering::SeqCst))
        })
    });
    executor
        .update_tools(|tools| tools.register(computed.clone()))
        .unwrap();
    let prefixed = ToolRegistry::new().with_server("s", executor_registry(&computed));
    executor
        .update_tools(|tools| {
            tools.merge(prefixed.clone(), toolwright::registry::OnCollision::Fail)
        })
        .unwrap();
    for number in [1, 2] {
        count.store(number, Ordering::SeqCst);
        let listing = session.tools().to_json().unwrap();
        let told = format!("There are {number}.");
        assert_eq!(listing.matches(&told).count(), 2, "{listing}");
    }
}

fn executor_registry(tool: &HandMade) -> ToolRegistry {
    ToolRegistry::new().with(tool.clone())
}

#[tokio::test]
async fn a_turn_keeps_its_tools_and_the_next_has_others() {
    let registry = || {
        ToolRegistry::new()
            .with(says("a", "old"))
            .with(says("gone", "old"))
    };
    let executor = Executor::new(registry()).unwrap();
    let session = executor.session("s-1");
    let selecting = SessionOptions::new().tools(Selector::all());
    let selecting = executor.session_with("s-2", selecting);
    let turns = [session.turn(), selecting.turn()];
    executor
        .replace_tools(
            ToolRegistry::new()
                .with(says("a", "new"))
                .with(says("b", "new")),
        )
        .unwrap();
    for turn in &turns {
        let outcomes = turn.call_all([call("a"), call("gone"), call("b")]).await;
        let texts: Vec<String> = outcomes.iter().map(ToolOutcome::text).collect();
        assert_eq!(texts[..2], ["old", "old"]);
        assert!(texts[2].starts_with("there is no tool `b`"), "{texts:?}");
        assert_eq!(turn.call(call("gone")).await.text(), "old");
        assert_eq!(turn.tools().len(), 2);
    }
    for session in [&session, &selecting] {
        assert_eq!(session.call(call("a")).await.text(), "new");
        assert_eq!(session.call(call("b")).await.text(), "new");
        assert_eq!(session.turn().call(call("a")).await.text(), "new");
    }
    // Again, from others than the first.
    let turn = session.turn();
    executor.replace_tools(registry()).unwrap();
    assert_eq!(turn.call(call("b")).await.text(), "new");
    assert_eq!(session.call(call("a")).await.text(), "old");
}

#[tokio::test]
async fn trap_a_call_of_what_was_removed_since_it_was_advertised_says_so() {
    let registry = ToolRegistry::new()
        .with(says("fs.read", "old"))
        .with_unadvertised(says("till", ""));
    let executor = Executor::new(registry).unwrap();
    let session = executor.session("s-1");
    let options = || SessionOptions::new().tools(Selector::new(["web.*"]).unwrap());
    let other = executor.session_with("s-2", options());
    assert_eq!(other.tools().specs().len(), 0);
    executor
        .replace_tools(ToolRegistry::new().with(says("fs.raed", "new")))
        .unwrap();
    for name in ["fs.read", "fs_read"] {
        let outcome = session.call(call(name)).await;
        let error = outcome.error().unwrap();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::NotFound, "tool_removed")
        );
        assert!(error.message().contains("any more"), "{error}");
        assert_eq!(outcome.result().call_id().unwrap().as_str(), "c-1");
    }
    // A session that never had the tool is not told about it.
    for (session, name) in [
        (&other, "fs.read"),
        (&session, "till"),
        (&session, "nothing"),
    ] {
        let outcome = session.call(call(name)).await;
        assert_eq!(outcome.error().unwrap().code(), "unknown_tool", "{name}");
        assert!(!outcome.text().contains("any more"), "{name}");
    }
    // It may come back.
    executor
        .update_tools(|tools| tools.register(says("fs.read", "back")))
        .unwrap();
    assert_eq!(session.call(call("fs.read")).await.text(), "back");
}

/// Asks about everything whose version it does not know.
struct ByVersion;

impl PermissionChecker for ByVersion {
    fn check_tool(&self, tool: &ToolSpec) -> Verdict {
        match tool.version() {
            Some("1") => Verdict::Allow,
            Some(_) => Verdict::ask("it is new"),
            None => Verdict::deny("it has no version"),
        }
    }

    fn check_request(&self, call: &CallView<'_>, _: &PermissionRequest) -> Verdict {
        self.check_tool(call.spec())
    }
}

fn of_version(name: &'static str, version: &'static str) -> HandMade {
    HandMade::new(name).spec(|spec| spec.with_version(version))
}

#[tokio::test]
async fn the_checker_judges_new_tools_as_it_judged_the_old() {
    let executor = Executor::builder(ToolRegistry::new().with(of_version("a", "1")))
        .permission_checker(ByVersion)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    assert_eq!(session.call(call("a")).await.text(), "{}");
    executor
        .replace_tools(
            ToolRegistry::new()
                .with(of_version("a", "2"))
                .with(HandMade::new("b")),
        )
        .unwrap();
    let outcome = session.call(call("a")).await;
    let ToolOutcome::Suspended(suspension) = outcome else {
        panic!("it is asked about: {outcome:?}");
    };
    let denied = session.call(call("b")).await;
    assert_eq!(denied.error().unwrap().kind(), ErrorKind::Denied);
    let outcome = session
        .resume(suspension.ticket(), Answer::yes())
        .await
        .unwrap();
    assert_eq!(outcome.text(), "{}");
}

#[tokio::test]
async fn a_ticket_of_a_tool_that_was_replaced_is_not_resumed() {
    let executor = Executor::builder(ToolRegistry::new().with(of_version("a", "2")))
        .permission_checker(ByVersion)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let mut tickets = Vec::new();
    for _ in 0..4 {
        let ToolOutcome::Suspended(suspension) = session.call(call("a")).await else {
            panic!("it is asked about");
        };
        tickets.push(suspension);
    }
    let resume = async |at: usize| session.resume(tickets[at].ticket(), Answer::yes()).await;
    executor
        .replace_tools(ToolRegistry::new().with(of_version("a", "3")))
        .unwrap();
    assert_eq!(
        resume(0).await.unwrap_err().kind(),
        TicketErrorKind::ChangedTool
    );
    executor.replace_tools(ToolRegistry::new()).unwrap();
    assert_eq!(
        resume(1).await.unwrap_err().kind(),
        TicketErrorKind::ChangedTool
    );
    // Neither is one of a feature that was switched off meanwhile.
    let tools = Selector::new(["a"]).unwrap();
    executor.set_feature_gate(FeatureGate::closed("a", tools.clone(), "audit"));
    executor
        .replace_tools(ToolRegistry::new().with(of_version("a", "2")))
        .unwrap();
    assert_eq!(
        resume(2).await.unwrap_err().kind(),
        TicketErrorKind::ChangedTool
    );
    // The same definition is the same tool.
    executor.set_feature_gate(FeatureGate::open("a", tools));
    assert_eq!(resume(3).await.unwrap().text(), "{}");
}

#[tokio::test]
async fn a_call_that_waits_in_place_goes_on_with_its_own_tool() {
    let ask = |_: &ToolContext| Ok(vec![PermissionRequest::new("x", "y", "Do it")]);
    let tool = |what: &'static str| {
        let tool = says("a", what).ask(ask);
        tool.spec(|spec| spec.with_effect(Effect::AtMostOnce).with_version(what))
    };
    let executor = Executor::builder(ToolRegistry::new().with(tool("first")))
        .approvals(WaitMode::Blocking)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    executor
        .replace_tools(ToolRegistry::new().with(tool("old")))
        .unwrap();
    let mut events = executor.tickets().subscribe();
    let running = tokio::spawn({
        let session = session.clone();
        async move { session.turn().call(call("a")).await }
    });
    events.recv().await.unwrap();
    executor.replace_tools(ToolRegistry::new()).unwrap();
    for pending in executor
        .tickets()
        .list(&toolwright::ticket::TicketFilter::all())
        .await
        .unwrap()
    {
        let id = pending.ticket().id();
        executor.tickets().answer(id, Answer::yes()).await.unwrap();
    }
    assert_eq!(running.await.unwrap().text(), "old");
}

struct Database;

/// Query the database.
#[tool(register = false, read_only)]
fn query(database: &Database) -> &'static str {
    let _ = database;
    "rows"
}

#[tokio::test]
async fn what_cannot_be_taken_changes_nothing() {
    let executor = Executor::new(ToolRegistry::new().with(says("a", "old"))).unwrap();
    let session = executor.session("s-1");
    let error = executor
        .replace_tools(ToolRegistry::new().with(Query))
        .unwrap_err();
    assert!(matches!(
        error.problems(),
        [BuildProblem::MissingResource { .. }]
    ));
    assert!(
        error
            .to_string()
            .starts_with("the executor's tools cannot be changed so:")
    );
    let twice = ToolRegistry::new().with(says("a", "")).with(says("a", ""));
    let error = executor.replace_tools(twice).unwrap_err();
    assert!(matches!(error.problems(), [BuildProblem::Registry(_)]));
    let error = executor.update_tools(|tools| {
        tools.remove("a");
        tools.register(says("b", "new"))?;
        tools.register(says("b", "new"))
    });
    assert!(matches!(
        error.unwrap_err().problems(),
        [BuildProblem::Registry(_)]
    ));
    assert_eq!(session.call(call("a")).await.text(), "old");
    assert_eq!(executor.tools().len(), 1);

    let executor = Executor::builder(ToolRegistry::new())
        .resource(Database)
        .build()
        .unwrap();
    executor
        .replace_tools(ToolRegistry::new().with(Query))
        .unwrap();
    assert_eq!(executor.call("query", "").await.text(), "rows");
}

/// Notes for which sessions it is to clean up.
struct Holder {
    spec: ToolSpec,
    mark: &'static str,
    cleaned: Arc<Mutex<Vec<String>>>,
}

struct Nothing;

impl Invocation for Nothing {
    fn start(self: Box<Self>, _: &ToolContext) -> Started<'_> {
        Started::Done(Ok(ToolOutput::empty()))
    }
}

#[async_trait]
impl Tool for Holder {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs(&self) -> &[ResourceKey] {
        &[]
    }

    fn parse(&self, _: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        Ok(Box::new(Nothing))
    }

    async fn cleanup_session(&self, session: &SessionId) -> Result<(), ToolError> {
        self.cleaned
            .lock()
            .unwrap()
            .push(format!("{} for {session}", self.mark));
        Ok(())
    }
}

#[tokio::test]
async fn the_end_of_a_session_cleans_up_what_was_replaced_meanwhile() {
    let cleaned = Arc::new(Mutex::new(Vec::new()));
    let holder = |mark: &'static str| {
        let spec = ToolSpec::new(ToolName::new("hold").unwrap(), "Hold.").with_effect(Effect::Pure);
        let cleaned = Arc::clone(&cleaned);
        ToolRegistry::new().with(Holder {
            spec,
            mark,
            cleaned,
        })
    };
    let executor = Executor::new(holder("first")).unwrap();
    let of_first = executor.session("s-1");
    let idle = executor.session("s-2");
    let selecting = || SessionOptions::new().tools(Selector::all());
    let selects = executor.session_with("s-3", selecting());
    for session in [&of_first, &selects] {
        session.call(call("hold")).await;
    }
    executor.replace_tools(holder("second")).unwrap();
    for session in [&of_first, &selects] {
        session.call(call("hold")).await;
    }
    let of_second = executor.session("s-4");
    of_second.call(call("hold")).await;
    executor.replace_tools(holder("third")).unwrap();
    of_second.call(call("hold")).await;
    executor.replace_tools(ToolRegistry::new()).unwrap();
    executor
        .update_tools(|tools| tools.register(HandMade::new("other")))
        .unwrap();

    let ends = async |session: toolwright::Session| {
        session.end().await.unwrap();
        let mut cleaned = std::mem::take(&mut *cleaned.lock().unwrap());
        cleaned.sort();
        cleaned
    };
    assert_eq!(ends(of_first).await, ["first for s-1", "second for s-1"]);
    assert_eq!(ends(idle).await, ["first for s-2"]);
    assert_eq!(ends(selects).await, ["first for s-3", "second for s-3"]);
    assert_eq!(ends(of_second).await, ["second for s-4", "third for s-4"]);
    assert_eq!(ends(executor.session("s-5")).await, [""; 0]);
}

#[tokio::test]
async fn a_session_with_a_selection_follows_its_executor() {
    let rules = RoleRules::new().never(Selector::new(["web.post"]).unwrap());
    let executor = Executor::new(ToolRegistry::new().with(says("web.get", "1"))).unwrap();
    let options = SessionOptions::new().tools(Selector::new(["web.*"]).unwrap());
    let session = executor.session_with("s-1", options.role(rules));
    let below = session.sub_session("s-2");
    let mut watches = [session.watch_tools(), below.watch_tools()];
    let mut of_all = executor.watch_tools();
    let registry = ToolRegistry::new()
        .with(says("web.get", "2"))
        .with(says("web.post", "2"))
        .with(says("web.put", "2"))
        .with(says("fs.read", "2"));
    executor.replace_tools(registry).unwrap();
    for session in [&session, &below] {
        assert_eq!(session.call(call("web.get")).await.text(), "2");
        assert_eq!(session.call(call("web.put")).await.text(), "2");
        for name in ["web.post", "fs.read"] {
            let outcome = session.call(call(name)).await;
            assert_eq!(outcome.error().unwrap().code(), "unknown_tool");
        }
    }
    for watch in &mut watches {
        let change = watch.changed().await;
        assert_eq!(change.added(), ["web.put"]);
        // Another body behind the same description is no change for a model.
        assert!(change.changed().is_empty() && change.removed().is_empty());
        assert_eq!(change.tools().len(), 2);
    }
    assert_eq!(
        of_all.changed().await.added(),
        ["fs.read", "web.post", "web.put"]
    );

    executor
        .update_tools(|tools| {
            tools.remove("fs.read");
            tools.remove("web.get");
            tools.register(HandMade::new("web.get").spec(|spec| spec.with_title("Get")))
        })
        .unwrap();
    let change = of_all.changed().await;
    assert_eq!(
        (change.removed(), change.changed()),
        (
            &["fs.read"].map(|name| name.parse::<ToolName>().unwrap())[..],
            &["web.get"].map(|name| name.parse::<ToolName>().unwrap())[..]
        )
    );
    let change = watches[1].changed().await;
    assert!(change.removed().is_empty() && change.changed() == ["web.get"]);

    // Changes that do not concern a session are not reported in it.
    executor
        .update_tools(|tools| tools.register(HandMade::new("fs.read")))
        .unwrap();
    let gate = FeatureGate::closed("put", Selector::new(["web.put"]).unwrap(), "audit");
    executor.set_feature_gate(gate);
    assert_eq!(watches[1].changed().await.removed(), ["web.put"]);
    assert_eq!(watches[0].changed().await.tools().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_and_changes_at_once_find_one_list_or_the_other() {
    let registry = |mark: &'static str| {
        let tools = [says("a", mark), says("b", mark)];
        tools
            .into_iter()
            .fold(ToolRegistry::new(), ToolRegistry::with)
    };
    let executor = Executor::new(registry("0")).unwrap();
    let options = SessionOptions::new().tools(Selector::all());
    let sessions = [
        executor.session("s-1"),
        executor.session_with("s-2", options),
    ];
    let mut tasks = tokio::task::JoinSet::new();
    for session in sessions {
        tasks.spawn(async move {
            for _ in 0..300 {
                let outcomes = session.turn().call_all([call("a"), call("b")]).await;
                assert_eq!(outcomes[0].text(), outcomes[1].text());
                tokio::task::yield_now().await;
            }
        });
    }
    for _ in 0..2 {
        let executor = executor.clone();
        tasks.spawn(async move {
            for round in 0..100 {
                executor
                    .replace_tools(registry(if round % 2 == 0 { "1" } else { "2" }))
                    .unwrap();
                tokio::task::yield_now().await;
            }
        });
    }
    // Nobody's change gets lost.
    for number in 0..4 {
        let executor = executor.clone();
        tasks.spawn(async move {
            for round in 0..20 {
                let name = format!("tool.{number}.{round}");
                let add = |tools: &mut ToolRegistry| tools.register(HandMade::new(name.clone()));
                executor.update_tools(add).unwrap();
                assert!(!executor.tools().is_empty());
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    let before = executor.tools().len();
    let added: Vec<_> = (0..4)
        .map(|number| {
            let executor = executor.clone();
            tokio::spawn(async move {
                for round in 0..20 {
                    let name = format!("late.{number}.{round}");
                    let add =
                        |tools: &mut ToolRegistry| tools.register(HandMade::new(name.clone()));
                    executor.update_tools(add).unwrap();
                }
            })
        })
        .collect();
    for task in added {
        task.await.unwrap();
    }
    assert_eq!(executor.tools().len(), before + 80);
    assert_eq!(executor.call("late.0.0", json!({})).await.text(), "{}");
}

#[tokio::test]
async fn what_was_cut_is_read_on_after_a_change_and_whatever_is_selected() {
    let long = || HandMade::new("long").run(|_, _| Ok(ToolOutput::text("x".repeat(5_000))));
    let executor = Executor::builder(ToolRegistry::new().with(long()))
        .limits(Limits::new().max_output_bytes(1_000))
        .result_store(toolwright::results::MemoryResults::new())
        .build()
        .unwrap();
    let options = SessionOptions::new().tools(Selector::new(["long"]).unwrap());
    for session in [
        executor.session("s-1"),
        executor.session_with("s-2", options),
    ] {
        let cut = session.call(call("long")).await;
        let id = cut.result().invocation_id().to_string();
        executor.replace_tools(ToolRegistry::new()).unwrap();
        executor
            .update_tools(|tools| tools.register(long()))
            .unwrap();
        let read = json!({"id": id, "offset": 4_990});
        let more = session.call(ToolCall::new("result.read", read)).await;
        assert!(more.text().starts_with("xxxxxxxxxx\n"), "{}", more.text());
    }
    let denying = SessionOptions::new().tools(Selector::new(["*", "!result.*"]).unwrap());
    assert_eq!(executor.session_with("s-3", denying).tools().len(), 1);
}
