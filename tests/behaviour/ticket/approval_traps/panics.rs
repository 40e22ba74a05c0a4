//! Parts that panic between a question and its answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::spec::Effect;
use toolwright::ticket::{Answer, Answers, TicketErrorKind};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolOutcome, ToolOutput, ToolRegistry, ToolSpec,
};

use crate::support::HandMade;
use crate::waiting_support::{Runs, deployment, opened};

/// The part that panics from now on.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(u8)]
enum Part {
    Nothing,
    Checker,
    Parse,
    Requests,
    Preview,
    Body,
}

#[derive(Clone, Default)]
struct Broken(Arc<AtomicU8>);

impl Broken {
    fn breaks(&self, part: Part) {
        self.0.store(part as u8, Ordering::SeqCst);
    }

    fn comes_to(&self, part: Part) {
        assert_ne!(
            self.0.load(Ordering::SeqCst),
            part as u8,
            "{part:?} is broken"
        );
    }
}

struct Checker(Broken);

impl PermissionChecker for Checker {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, _call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
        self.0.comes_to(Part::Checker);
        Verdict::ask("it cannot be taken back")
    }
}

fn executor(mode: WaitMode, broken: &Broken, runs: &Arc<Runs>) -> Executor {
    let part = |part: Part| {
        let broken = broken.clone();
        move || broken.comes_to(part)
    };
    let (parse, requests, body) = (part(Part::Parse), part(Part::Requests), part(Part::Body));
    let runs = Arc::clone(runs);
    let tool = HandMade::new("fragile")
        .spec(|spec| spec.with_effect(Effect::AtMostOnce))
        .parse(move |_| {
            parse();
            Ok(())
        })
        .ask(move |_| {
            requests();
            Ok(vec![deployment("test")])
        })
        .run(move |_, _| {
            runs.add();
            body();
            Ok(ToolOutput::text("done"))
        });
    Executor::builder(ToolRegistry::new().with(tool).with(HandMade::new("sound")))
        .permission_checker(Checker(broken.clone()))
        .approvals(mode)
        .build()
        .unwrap()
}

#[tokio::test]
async fn what_panics_at_the_resume_ends_its_call_alone() {
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        for (part, kind, ran) in [
            (Part::Checker, ErrorKind::Denied, 0),
            (Part::Parse, ErrorKind::Panicked, 0),
            (Part::Requests, ErrorKind::Panicked, 0),
            (Part::Body, ErrorKind::Panicked, 1),
        ] {
            let (broken, runs) = (Broken::default(), Arc::new(Runs::default()));
            let executor = executor(mode, &broken, &runs);
            let session = executor.session("s-1");
            let mut events = executor.tickets().subscribe();
            let answering = async {
                let ticket = opened(&mut events).await.remove(0);
                broken.breaks(part);
                executor
                    .tickets()
                    .answer(ticket.id(), Answer::yes())
                    .await
                    .unwrap();
                ticket
            };
            let call = session.call(ToolCall::new("fragile", "{}"));
            let (mut outcome, ticket) = tokio::join!(call, answering);
            if let ToolOutcome::Suspended(_) = outcome {
                outcome = session.resume(&ticket, Answers::none()).await.unwrap();
            }
            // In one process the arguments were parsed before anybody was asked.
            let ran = if (mode, part) == (WaitMode::Blocking, Part::Parse) {
                assert_eq!(outcome.text(), "done");
                1
            } else {
                let error = outcome.error().expect("something is broken");
                assert_eq!(error.kind(), kind, "{mode:?} {part:?}: {error}");
                ran
            };
            assert_eq!(runs.count(), ran, "{part:?}");
            // Whatever happened, the ticket is used.
            broken.breaks(Part::Nothing);
            let again = session.resume(&ticket, Answer::yes()).await.unwrap_err();
            assert_eq!(again.kind(), TicketErrorKind::Used);
            assert_eq!(runs.count(), ran);
            assert!(
                session
                    .call(ToolCall::new("sound", "{}"))
                    .await
                    .is_success()
            );
        }
    }
}

#[tokio::test]
async fn a_preview_that_panics_shows_that_and_the_call_can_be_allowed() {
    let broken = Broken::default();
    broken.breaks(Part::Preview);
    let of_tool = broken.clone();
    let tool = HandMade::new("shown").ask(move |_| {
        let broken = of_tool.clone();
        Ok(vec![deployment("test").with_preview_by(move || {
            broken.comes_to(Part::Preview);
            toolwright::permission::RequestPreview::plain("all well")
        })])
    });
    let executor = Executor::builder(ToolRegistry::new().with(tool))
        .permission_checker(Checker(broken))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let outcome = session.call(ToolCall::new("shown", "{}")).await;
    let ticket = Arc::clone(outcome.suspension().unwrap().ticket());
    let request = PermissionRequest::from_pending(&ticket.requests()[0]).unwrap();
    assert_ne!(request.preview().unwrap().text(), "all well");
    let outcome = session.resume(&ticket, Answer::yes()).await.unwrap();
    assert!(outcome.is_success());
}

#[tokio::test]
async fn a_checker_that_panics_keeps_an_edit_from_running() {
    let (broken, runs) = (Broken::default(), Arc::new(Runs::default()));
    let executor = executor(WaitMode::Suspending, &broken, &runs);
    let session = executor.session("s-1");
    let outcome = session.call(ToolCall::new("fragile", "{}")).await;
    let ticket = Arc::clone(outcome.suspension().unwrap().ticket());
    broken.breaks(Part::Parse);
    // The person who edits gets the error, and nothing is kept.
    let edit = Answer::edited(serde_json::json!({"n": 1}));
    let error = session.resume(&ticket, edit.clone()).await.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::UnfitAnswer);
    broken.breaks(Part::Checker);
    let outcome = session.resume(&ticket, edit).await.unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
    assert_eq!(runs.count(), 0);
}
