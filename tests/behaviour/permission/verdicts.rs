//! The verdicts on a call and their effect: on the tool, on the call by its arguments, and on each of its requests.

use std::sync::Arc;

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::executor::BuildProblem;
use toolwright::permission::{AllowAll, CallView, PathScope, PermissionChecker, Verdict};
use toolwright::{
    BuildError, Executor, PermissionRequest, ToolError, ToolOutcome, ToolRegistry, ToolSpec, tool,
};

use crate::support::{HandMade, Trace, judge, ready_now};

/// Asks for each of its words, of a kind `word`.
#[tool(permission = words.iter().map(|word| word_request(word)).collect::<Vec<_>>())]
fn say(words: Vec<String>) -> String {
    words.join(" ")
}

fn word_request(word: &str) -> PermissionRequest {
    PermissionRequest::new("word", word, format!("Say {word}"))
}

/// Allows `yes`, asks about `maybe`, denies all else.
fn by_word(request: &PermissionRequest) -> Verdict {
    match request.target() {
        "yes" => Verdict::Allow,
        word if word.starts_with("maybe") => Verdict::ask(format!("of {word}")),
        word => Verdict::deny(format!("{word} is rude")),
    }
}

fn say_with(checker: impl PermissionChecker, words: &[&str]) -> ToolOutcome {
    let registry = ToolRegistry::new().with(Say);
    let executor = Executor::builder(registry)
        .permission_checker(checker)
        .build()
        .unwrap();
    ready_now(executor.call("say", json!({ "words": words })))
}

/// The end of a call: `ran`, or the error's code.
fn ended(outcome: &ToolOutcome) -> &str {
    outcome.error().map_or("ran", ToolError::code)
}

#[test]
fn s0_36_all_requests_of_a_call_are_judged_and_one_denial_denies() {
    let judged = Trace::default();
    for (words, expected) in [
        (&["yes", "yes"][..], "ran"),
        (&["yes", "no"], "denied"),
        (&["no", "yes"], "denied"),
        (&["yes", "maybe"], "approval_unavailable"),
        // A denial after an ask is found.
        (&["maybe", "no"], "denied"),
        (&["maybe", "yes", "no", "maybe2"], "denied"),
    ] {
        let seen = judged.clone();
        let checker = judge(
            |_| Verdict::Allow,
            move |_, request| {
                seen.note(request.target());
                by_word(request)
            },
        );
        assert_eq!(ended(&say_with(checker, words)), expected, "{words:?}");
        assert_eq!(judged.take(), words);
    }
}

#[test]
fn a_denial_goes_before_the_tools_own_ask_and_a_denied_tool_works_nothing_out() {
    let asks = |_: &ToolSpec| Verdict::ask("it speaks");
    let denied = say_with(judge(asks, |_, request| by_word(request)), &["yes", "no"]);
    assert_eq!(denied.text(), "`say` was denied (Say no): no is rude");
    let asked = say_with(judge(asks, |_, request| by_word(request)), &["yes"]);
    assert_eq!(ended(&asked), "approval_unavailable");
    assert!(
        asked.text().contains("because it speaks"),
        "{}",
        asked.text()
    );

    let worked_out = Trace::default();
    let seen = worked_out.clone();
    let mute = HandMade::new("mute").ask(move |_| {
        seen.note("asked");
        Ok(Vec::new())
    });
    let executor = Executor::builder(ToolRegistry::new().with(mute))
        .permission_checker(judge(|_| Verdict::deny("never"), |_, _| Verdict::Allow))
        .build()
        .unwrap();
    let outcome = ready_now(executor.call("mute", ""));
    assert_eq!(outcome.text(), "`mute` was denied: never");
    assert!(worked_out.take().is_empty());
}

#[test]
fn the_first_denials_and_asks_are_told_and_the_others_counted() {
    let checker = || judge(|_| Verdict::Allow, |_, request| by_word(request));
    let denied = say_with(checker(), &["yes", "no", "maybe", "never", "nay"]);
    assert_eq!(
        denied.text(),
        "`say` was denied (Say no, and 2 more): no is rude"
    );
    let many: Vec<String> = (0..1_000).map(|number| format!("maybe{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let asked = say_with(checker(), &many);
    assert_eq!(
        asked.text(),
        "`say` was denied (Say maybe0, Say maybe1, Say maybe2, 997 more): it needs approval because \
         of maybe0 and of maybe1 and of maybe10 and 997 more, and nobody is here to give it. Continue \
         without it, or tell the user what has to be approved."
    );
}

#[test]
fn a_fallback_counts_only_where_a_call_asks_for_nothing() {
    for (fallback, alone) in [
        (
            Verdict::ask("it is unknown").as_fallback(),
            "approval_unavailable",
        ),
        (Verdict::deny("it is unknown").as_fallback(), "denied"),
    ] {
        let checker = || {
            let own = fallback.clone();
            judge(move |_| own.clone(), |_, request| by_word(request))
        };
        assert_eq!(ended(&say_with(checker(), &[])), alone);
        assert_eq!(ended(&say_with(checker(), &["yes", "yes"])), "ran");
        assert_eq!(ended(&say_with(checker(), &["yes", "no"])), "denied");
        let asked = say_with(checker(), &["maybe"]);
        assert_eq!(ended(&asked), "approval_unavailable");
        assert!(!asked.text().contains("unknown"), "{}", asked.text());
    }
    // A fallback does not change a verdict on a request: that is decided.
    let of_requests = judge(
        |_| Verdict::Allow,
        |_, _| Verdict::deny("no words").as_fallback(),
    );
    assert_eq!(ended(&say_with(of_requests, &["yes"])), "denied");
}

/// The kind of request for a deployment, made by a host.
const DEPLOYMENT: &str = "acme.deployment";

/// Deploy a version.
#[tool(
    permission = PermissionRequest::new(DEPLOYMENT, place, format!("Deploy to {place}"))
        .with_detail("version", *version)
)]
fn release(place: String, version: u32) -> String {
    format!("{version} is in {place}")
}

#[test]
fn s0_32_a_host_judges_a_kind_of_its_own_by_its_details() {
    let checker = judge(
        |_| Verdict::Allow,
        |_, request| match (request.kind(), request.details().get("version")) {
            (DEPLOYMENT, Some(version)) if version.as_u64() >= Some(10) => Verdict::Allow,
            (DEPLOYMENT, _) => Verdict::deny("versions before 10 have a known fault"),
            _ => Verdict::deny("unknown kind"),
        },
    );
    let executor = Executor::builder(ToolRegistry::new().with(Release))
        .permission_checker(checker)
        .build()
        .unwrap();
    let deploy = |version: u32| {
        ready_now(executor.call("release", json!({ "place": "test", "version": version })))
    };
    assert_eq!(deploy(10).text(), "10 is in test");
    assert_eq!(
        deploy(9).text(),
        "`release` was denied (Deploy to test): versions before 10 have a known fault"
    );
}

/// Allows words by the arguments: at most two, and never asks about single ones.
struct Terse {
    looks: bool,
    seen: Trace,
    own: Verdict,
}

impl PermissionChecker for Terse {
    fn check_tool(&self, _: &ToolSpec) -> Verdict {
        self.own.clone()
    }

    fn check_request(&self, _: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        by_word(request)
    }

    fn check_call(&self, call: &CallView<'_>) -> Verdict {
        let arguments = call.arguments().unwrap().as_value();
        self.seen.note(arguments.to_string());
        match arguments["words"].as_array().map(Vec::len) {
            Some(0..=2) => Verdict::Allow,
            Some(3) => Verdict::ask("three words are many").as_fallback(),
            _ => Verdict::deny("that is a speech"),
        }
    }

    fn looks_at_arguments(&self, _: &ToolSpec) -> bool {
        self.looks
    }

    fn looks_at_caller(&self, _: &ToolSpec) -> bool {
        false
    }
}

#[test]
fn a_verdict_on_the_call_takes_the_place_of_that_on_the_tool_but_for_a_denial() {
    let seen = Trace::default();
    let terse = |own: &Verdict, looks| Terse {
        looks,
        own: own.clone(),
        seen: seen.clone(),
    };
    let speech = ["yes"; 4];
    for own in [
        Verdict::Allow,
        Verdict::ask("it speaks"),
        Verdict::ask("it speaks").as_fallback(),
        Verdict::deny("it speaks").as_fallback(),
    ] {
        assert_eq!(ended(&say_with(terse(&own, true), &["yes"])), "ran");
        assert_eq!(seen.take(), [r#"{"words":["yes"]}"#]);
        assert_eq!(ended(&say_with(terse(&own, true), &["no"])), "denied");
        assert_eq!(ended(&say_with(terse(&own, true), &["yes"; 3])), "ran");
        let denied = say_with(terse(&own, true), &speech);
        assert_eq!(denied.text(), "`say` was denied: that is a speech");
        seen.take();

        // A checker that does not look at the call is not asked.
        let expected = if own.is_fallback() {
            "ran"
        } else {
            "approval_unavailable"
        };
        assert_eq!(ended(&say_with(terse(&own, false), &speech)), expected);
        assert!(seen.take().is_empty());
    }
    let never = Verdict::deny("never");
    let denied = say_with(terse(&never, true), &["yes"]);
    assert_eq!(denied.text(), "`say` was denied: never");
    assert!(seen.take().is_empty(), "a denial of the tool is final");
}

/// A checker with one part that panics.
struct Broken(&'static str);

impl Broken {
    fn at(&self, part: &str) {
        assert!(self.0 != part, "in {part}");
    }
}

impl PermissionChecker for Broken {
    fn check_tool(&self, _: &ToolSpec) -> Verdict {
        self.at("check_tool");
        Verdict::Allow
    }

    fn check_request(&self, _: &CallView<'_>, _: &PermissionRequest) -> Verdict {
        self.at("check_request");
        Verdict::Allow
    }

    fn check_call(&self, _: &CallView<'_>) -> Verdict {
        self.at("check_call");
        match self.0 {
            "looks_at_arguments" => Verdict::deny("it was looked at"),
            _ => Verdict::Allow,
        }
    }

    fn looks_at_arguments(&self, _: &ToolSpec) -> bool {
        self.at("looks_at_arguments");
        true
    }

    fn problems(&self, _: &[&ToolSpec]) -> Vec<String> {
        self.at("problems");
        Vec::new()
    }
}

#[test]
fn a_checker_that_panics_anywhere_denies() {
    assert_eq!(ended(&say_with(Broken("nowhere"), &["yes"])), "ran");
    for (part, text) in [
        (
            "check_tool",
            "`say` was denied: the permission checker panicked when asked about the tool",
        ),
        (
            "check_call",
            "`say` was denied: the permission checker panicked when asked about the call",
        ),
        (
            "check_request",
            "`say` was denied (Say yes): the permission checker panicked when asked about the request",
        ),
        ("looks_at_arguments", "`say` was denied: it was looked at"),
    ] {
        let outcome = say_with(Broken(part), &["yes"]);
        assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
        assert_eq!(outcome.text(), text);
    }
    let error = build(Broken("problems")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the executor cannot be built:\n- the permission checker: it panicked when it was asked what \
         is wrong with it for these tools"
    );
}

fn build(checker: impl PermissionChecker) -> Result<Executor, BuildError> {
    let registry = ToolRegistry::new().with(Say).with(Release);
    Executor::builder(registry)
        .permission_checker(checker)
        .build()
}

/// A checker with rules about tools by name.
struct Rules(&'static [&'static str]);

impl PermissionChecker for Rules {
    fn check_tool(&self, _: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, _: &CallView<'_>, _: &PermissionRequest) -> Verdict {
        Verdict::Allow
    }

    fn problems(&self, tools: &[&ToolSpec]) -> Vec<String> {
        let known = |rule: &str| tools.iter().any(|tool| tool.name() == rule);
        let dead = self.0.iter().filter(|rule| !known(rule));
        dead.map(|rule| format!("no tool `{rule}`")).collect()
    }
}

#[test]
fn what_is_wrong_with_a_checker_for_these_tools_is_told_all_at_once() {
    assert!(build(Rules(&["say", "release"])).is_ok());
    let error = build(Arc::new(Rules(&["say", "sya", "relaese"]))).unwrap_err();
    let expected = ["no tool `sya`", "no tool `relaese`"];
    assert_eq!(
        error.problems(),
        expected.map(|problem| BuildProblem::Permissions(problem.to_owned()))
    );
    // A tool that could not be registered is no fault of the checker.
    let registry = ToolRegistry::new().with(Say).with(Say);
    let error = Executor::builder(registry)
        .permission_checker(Rules(&["release"]))
        .build()
        .unwrap_err();
    assert!(
        matches!(error.problems(), [BuildProblem::Registry(_)]),
        "{error}"
    );
}

#[test]
fn what_lies_outside_is_denied_even_where_everything_is_allowed() {
    let escapes = HandMade::new("escapes").ask(|_| {
        let inside = word_request("yes").with_containment(PathScope::Inside);
        let outside = word_request("out").with_containment(PathScope::Outside);
        Ok(vec![inside, outside])
    });
    let executor = Executor::builder(ToolRegistry::new().with(escapes))
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    let outcome = ready_now(executor.call("escapes", ""));
    assert_eq!(
        outcome.text(),
        "`escapes` was denied (Say out): that leads outside of what the tool is confined to"
    );
}
