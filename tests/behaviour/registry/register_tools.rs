//! Tools that are made with the registries they need, and tools that are for the app alone.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use toolwright::content::ErrorKind;
use toolwright::executor::{BuildProblem, WaitMode};
use toolwright::permission::{AllowAll, PermissionRegistry, Verdict};
use toolwright::question::{Question, UserInteractionRegistry};
use toolwright::registry::{OnCollision, RegistryError};
use toolwright::ticket::{Answer, TicketEvent, WaitKind};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry,
    toolset,
};

use crate::support::{HandMade, judge};

struct Surveys {
    interactions: UserInteractionRegistry,
}

#[toolset]
impl Surveys {
    /// Ask the user.
    #[tool(name = "survey.ask", read_only)]
    async fn ask(&self, ctx: &ToolContext) -> Result<String, ToolError> {
        let question = Question::yes_no("Do you like it?");
        let receiver = self.interactions.register(ctx, question).await?;
        Ok(receiver.recv().await?.to_string())
    }
}

/// Opens doors: asks which, and whether it may.
struct Doors {
    interactions: UserInteractionRegistry,
    permissions: PermissionRegistry,
}

#[toolset]
impl Doors {
    /// Open a door.
    #[tool(name = "door.open", read_only)]
    async fn open(&self, ctx: &ToolContext) -> Result<String, ToolError> {
        let which = Question::text("Which door?");
        let which = self.interactions.register(ctx, which).await?;
        let door = which.recv().await?.into_text();
        let request = PermissionRequest::new("door.open", &door, format!("Open {door}"));
        let answer = self.permissions.register(ctx, request).await?;
        if answer.recv().await?.is_refusal() {
            return Err(ToolError::denied("permission denied"));
        }
        Ok(format!("{door} is open"))
    }
}

fn with_doors() -> Executor {
    Executor::builder(ToolRegistry::new())
        .register_tools(|registries| {
            registries.tools.register(HandMade::new("door.list"))?;
            let doors = Doors {
                interactions: registries.interactions.clone(),
                permissions: registries.permissions.clone(),
            };
            Ok(ToolRegistry::new().with_set(doors))
        })
        .approvals(WaitMode::Blocking)
        .build()
        .unwrap()
}

#[test]
fn s2_15_the_closure_gets_three_registries() {
    let executor = with_doors();
    assert_eq!(names(&executor), ["door.open"]);
    assert!(executor.tools().get("door.list").is_some());
}

/// From the first call on, and against the very registries that the host has.
#[tokio::test]
async fn s2_18_a_tool_uses_the_registries_at_its_first_call() {
    let executor = with_doors();
    let mut events = executor.tickets().subscribe();
    let host = async {
        let mut asked = Vec::new();
        while asked.len() < 2 {
            let Some(TicketEvent::Opened(tickets)) = events.recv().await else {
                continue;
            };
            asked.push(tickets[0].kind());
            let id = tickets[0].id();
            match tickets[0].kind() {
                WaitKind::Question => executor
                    .interactions()
                    .respond(id, "the gate")
                    .await
                    .map(drop),
                _ => executor.tickets().answer(id, Answer::yes()).await.map(drop),
            }
            .unwrap();
        }
        asked
    };
    let (outcome, asked) = tokio::join!(executor.call("door.open", "{}"), host);
    assert_eq!(outcome.text(), "the gate is open");
    assert_eq!(asked, [WaitKind::Question, WaitKind::Approval]);
}

fn names(executor: &Executor) -> Vec<String> {
    let tools = executor.tools();
    let specs = tools.specs();
    specs.map(|spec| spec.name().as_str().to_owned()).collect()
}

#[tokio::test]
async fn s2_16_what_is_registered_and_not_returned_is_for_the_app_alone() {
    let executor = Executor::builder(ToolRegistry::new().with(HandMade::new("first")))
        .register_tools(|registries| {
            registries.tools.register(HandMade::new("hidden.till"))?;
            Ok(ToolRegistry::new().with(HandMade::new("shown")))
        })
        .build()
        .unwrap();
    assert_eq!(names(&executor), ["first", "shown"]);
    assert!(!executor.tools().to_json().unwrap().contains("till"));
    assert_eq!(executor.tools().len(), 3);

    let session = executor.session("s-1");
    let by_host = ToolCall::new("hidden.till", "{}").by_host();
    assert_eq!(session.call(by_host).await.text(), "{}");
    let by_host = ToolCall::new("hidden_till", "{}").by_host().into_owned();
    assert!(by_host.is_by_host());
    assert!(session.turn().call(by_host).await.is_success());
}

/// Neither by its name, nor by its wire name, nor by a name that is near: for a model the tool does not exist.
#[tokio::test]
async fn a_model_does_not_reach_what_it_is_not_told_of() {
    let ran = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&ran);
    let till = HandMade::new("app.till")
        .spec(|spec| spec.with_alias("cash".try_into().unwrap()))
        .run(move |_, _| {
            noted.store(true, Ordering::Relaxed);
            Ok(toolwright::ToolOutput::empty())
        });
    let executor = Executor::builder(ToolRegistry::new().with_unadvertised(till))
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    for name in ["app.till", "app_till", "cash", "app.tilll"] {
        let call = ToolCall::new(name, "{}");
        let preview = session.preview(&call).unwrap_err();
        let outcome = session.call(call).await;
        let error = outcome.error().unwrap();
        assert_eq!(error, &preview);
        assert_eq!(error.code(), "unknown_tool");
        assert_eq!(error.message(), format!("there is no tool `{name}`"));
        assert_eq!(executor.call(name, "{}").await.error(), Some(error));
    }
    assert!(!ran.load(Ordering::Relaxed));
    let by_host = ToolCall::new("cash", "{}").by_host();
    assert!(session.call(by_host).await.is_success());
    assert!(ran.load(Ordering::Relaxed));
}

#[tokio::test]
async fn the_app_is_judged_like_any() {
    let door = HandMade::new("door").ask(|_| {
        let request = PermissionRequest::new("door.open", "vault", "Open the vault");
        Ok(vec![request])
    });
    let denies = judge(|_| Verdict::Allow, |_, _| Verdict::deny("it is night"));
    let executor = Executor::builder(ToolRegistry::new().with_unadvertised(door))
        .permission_checker(denies)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let outcome = session.call(ToolCall::new("door", "{}").by_host()).await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
}

/// A call by the app goes on, though a model could not have made it.
#[tokio::test]
async fn what_the_app_calls_can_wait_and_go_on() {
    let door = HandMade::new("door").ask(|_| {
        let request = PermissionRequest::new("door.open", "vault", "Open the vault");
        Ok(vec![request])
    });
    let door = door.spec(|spec| spec.with_effect(toolwright::spec::Effect::AtMostOnce));
    let executor = Executor::builder(ToolRegistry::new().with_unadvertised(door))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let waiting = session.call(ToolCall::new("door", "{}").by_host()).await;
    let ToolOutcome::Suspended(suspension) = waiting else {
        panic!("{waiting:?}");
    };
    let resumed = session.resume(suspension.ticket(), Answer::yes()).await;
    assert_eq!(resumed.unwrap().text(), "{}");
}

#[test]
fn a_tool_that_is_there_can_be_kept_back() {
    let mut registry = ToolRegistry::new()
        .with(HandMade::new("a"))
        .with(HandMade::new("b"));
    assert!(registry.unadvertise("b"));
    assert!(!registry.unadvertise("c"));
    let mut all = ToolRegistry::new();
    all.merge(registry, OnCollision::Fail).unwrap();
    let snapshot = all.freeze().unwrap();
    let shown: Vec<&str> = snapshot.specs().map(|spec| spec.name().as_str()).collect();
    assert_eq!(shown, ["a"]);
    assert!(snapshot.get("b").is_some());
}

#[derive(Debug)]
struct NoDatabase(std::io::Error);

impl std::fmt::Display for NoDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the survey tools need a database")
    }
}

impl Error for NoDatabase {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

#[test]
fn s2_17_a_closure_that_fails_keeps_the_executor_from_being_built() {
    let refused = || std::io::Error::other("connection refused");
    let error = Executor::builder(ToolRegistry::new())
        .register_tools(|_| Err(Box::new(NoDatabase(refused()))))
        .build()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the executor cannot be built:\n\
         - tools could not be made: the survey tools need a database"
    );
    assert_eq!(error.source().unwrap().to_string(), "connection refused");
    let [BuildProblem::Registration(why)] = error.problems() else {
        panic!("{error:?}");
    };
    assert!(why.get_ref().downcast_ref::<NoDatabase>().is_some());
}

/// Each mistake is reported; and a checker is not blamed for rules about tools that could not be made.
#[test]
fn all_that_goes_wrong_is_told_at_once() {
    let there = ToolRegistry::new().with(HandMade::new("a"));
    let error = Executor::builder(there)
        .register_tools(|registries| {
            registries.tools.register(HandMade::new("a"))?;
            let taken = registries.tools.register(HandMade::new("a"));
            assert!(taken.is_err(), "there is one already");
            Ok(ToolRegistry::new().with(HandMade::new("a")))
        })
        .register_tools(|_| Err("no network".into()))
        .build()
        .unwrap_err();
    let text = error.to_string();
    assert_eq!(
        text.matches("the name `a` is wanted by two tools").count(),
        2,
        "{text}"
    );
    assert!(
        text.contains("tools could not be made: no network"),
        "{text}"
    );
}

/// An error that `?` converts keeps its type.
#[tokio::test]
async fn a_closure_that_waits_may_fail_too() {
    let builder = Executor::builder(ToolRegistry::new())
        .register_tools_async(async |registries| {
            tokio::task::yield_now().await;
            let interactions = registries.interactions.clone();
            registries.tools.register(HandMade::new("hidden"))?;
            Ok(ToolRegistry::new().with_set(Surveys { interactions }))
        })
        .await
        .register_tools_async(async |registries| {
            registries.tools.register(HandMade::new("b"))?;
            registries.tools.register(HandMade::new("b"))?;
            Ok(ToolRegistry::new())
        })
        .await;
    let error = builder.build().unwrap_err();
    let [BuildProblem::Registration(why)] = error.problems() else {
        panic!("{error:?}");
    };
    assert!(why.get_ref().downcast_ref::<RegistryError>().is_some());
}

/// A server's start-up runs in a task.
#[tokio::test]
async fn tools_can_be_made_in_a_task() {
    let built = tokio::spawn(async {
        Executor::builder(ToolRegistry::new())
            .register_tools_async(async |registries| {
                tokio::task::yield_now().await;
                let interactions = registries.interactions.clone();
                Ok(ToolRegistry::new().with_set(Surveys { interactions }))
            })
            .await
            .build()
    });
    let executor = built.await.unwrap().unwrap();
    assert_eq!(names(&executor), ["survey.ask"]);
    let outcome = executor.call("survey.ask", "{}").await;
    assert_eq!(outcome.error().unwrap().code(), "question_unavailable");
}

#[tokio::test]
async fn s2_15_the_closure_makes_a_tool_with_each_of_three_registries() {
    let executor = Executor::builder(ToolRegistry::new())
        .approvals(WaitMode::Blocking)
        .register_tools(|registries| {
            registries.tools.register(HandMade::new("for_the_app"))?;
            let interactions = registries.interactions.clone();
            let asks = HandMade::new("asks").run(move |_, _| {
                let tickets = interactions.tickets().clone();
                Ok(toolwright::ToolOutput::text(format!("{tickets:?}")))
            });
            let permissions = registries.permissions.clone();
            let may = HandMade::new("may").run(move |_, _| {
                let tickets = permissions.tickets().clone();
                Ok(toolwright::ToolOutput::text(format!("{tickets:?}")))
            });
            Ok(ToolRegistry::new().with(asks).with(may))
        })
        .build()
        .unwrap();
    let ready = format!("{:?}", executor.tickets());
    for tool in ["asks", "may"] {
        assert_eq!(executor.call(tool, "{}").await.text(), ready);
    }
    let hidden = ToolCall::new("for_the_app", "{}").by_host();
    assert!(executor.session("s-1").call(hidden).await.is_success());
}
