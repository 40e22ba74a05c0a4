//! The calls that run without a setting: `golden/defaults.md` has a fresh program's tools, how a call
//! of each ends without any setting, under a policy of two lines and under `AllowAll`, and what is said.
//!
//! `TOOLWRIGHT_BLESS=1 cargo test -p toolwright-tests --test behaviour defaults` writes it anew.

mod tools;

use std::error::Error as _;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::json;
use toolwright::arguments::Arguments;
use toolwright::event::{EventKind, MemoryEvents};
use toolwright::permission::{
    AllowAll, CallView, DefaultPolicy, IntoRequests, PermissionChecker, Verdict,
};
use toolwright::spec::{Effect, ToolAnnotations};
use toolwright::{
    Executor, ExecutorBuilder, FileAccess, PermissionRequest, ToolCall, ToolContext, ToolError,
    ToolName, ToolOutcome, ToolRegistry, ToolSpec, testing, tool,
};
use toolwright_policy::PermissionPolicy;

use self::tools::{CALLS, Root, registry};

/// A policy of two lines: a fence around the program's directory.
const FENCE: &str = "default = \"read-only\"\n[trees]\nallowed = [\".\"]\n";

fn fence(root: &Path) -> PermissionPolicy {
    PermissionPolicy::from_toml(FENCE, root).unwrap()
}

fn root() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("notes.txt"), "a note").unwrap();
    dir
}

fn executor(root: &Path, set: impl FnOnce(ExecutorBuilder) -> ExecutorBuilder) -> Executor {
    let builder = Executor::builder(registry()).resource(Root(root.to_owned()));
    set(builder).build().unwrap()
}

/// Returns the end of a call in a word, and what the model reads unless the call ran.
fn ended(outcome: &ToolOutcome, root: &Path) -> (&'static str, Option<String>) {
    let text = || Some(outcome.text().replace(root.to_str().unwrap(), "<root>"));
    match outcome.error().map(ToolError::code) {
        None => ("runs", None),
        Some("approval_unavailable") => ("asks", text()),
        Some("denied") => ("denied", text()),
        Some(other) => panic!("{other}: {}", outcome.text()),
    }
}

fn hints(spec: &ToolSpec) -> String {
    let hints = serde_json::to_value(spec.annotations()).unwrap();
    let set = hints.as_object().unwrap().iter();
    // Those that follow from the effect are in its column.
    let own = ToolAnnotations::of(spec.effect());
    let own = serde_json::to_value(own).unwrap();
    let set = set.filter(|(name, value)| own.get(name.as_str()) != Some(value));
    let names: Vec<&str> = set.map(|(name, _)| name.as_str()).collect();
    names.join(", ")
}

/// The document of the tools, and of how each call ends.
async fn document(root: &Path) -> String {
    let executors = [
        executor(root, |builder| builder),
        executor(root, |builder| builder.permission_checker(fence(root))),
        executor(root, |builder| builder.permission_checker(AllowAll)),
    ];
    let mut table = String::new();
    let mut texts = String::new();
    for (name, argument, value) in CALLS {
        let call = || ToolCall::new(name, json!({ argument: value }));
        let [plain, ..] = &executors;
        let tools = plain.tools();
        let spec = tools.get(name).unwrap().spec();
        let preview = plain.session("s-1").preview(&call()).unwrap();
        let requests: Vec<String> = preview
            .requests()
            .iter()
            .map(|request| format!("{} ({:?})", request.kind(), request.containment()))
            .collect();
        let mut row = format!(
            "| `{name}` | `{value}` | {} | {} | {}",
            spec.effect().as_str(),
            hints(spec),
            requests.join(", "),
        );
        let _ = write!(texts, "\n### `{name}` of `{value}`\n");
        for (executor, setting) in executors.iter().zip(["No setting", "Policy", "`AllowAll`"]) {
            let outcome = executor.call(name, json!({ argument: value })).await;
            let (word, text) = ended(&outcome, root);
            let _ = write!(row, " | {word}");
            if let Some(text) = text {
                let _ = write!(texts, "\n{setting}: {text}\n");
            }
        }
        let _ = writeln!(table, "{row} |");
    }
    format!(
        "# What runs by default\n\n\
         A fresh program: each tool with a call, how it ends without any setting, under the policy\n\n\
         ```toml\n{FENCE}```\n\n\
         and under `AllowAll`. Nobody is there to be asked, so what asks is denied.\n\n\
         | tool | argument | effect | hints | requests | no setting | policy | `AllowAll` |\n\
         |---|---|---|---|---|---|---|---|\n\
         {table}\n## What the model reads\n{texts}"
    )
}

#[tokio::test]
async fn a_fresh_program_without_settings_runs_only_what_the_default_names() {
    let dir = root();
    let root = dir.path().canonicalize().unwrap();
    let rendered = document(&root).await;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/defaults.md");
    if std::env::var_os("TOOLWRIGHT_BLESS").is_some() {
        fs::write(&file, &rendered).unwrap();
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(rendered, written.replace("\r\n", "\n"));

    // The rule itself, whatever was blessed.
    let executor = executor(&root, |builder| builder);
    for (name, argument, value) in CALLS {
        let call = ToolCall::new(name, json!({ argument: value }));
        let tools = executor.tools();
        let spec = tools.get(name).unwrap().spec();
        let preview = executor.session("s-1").preview(&call).unwrap();
        let inside = |request: &PermissionRequest| {
            request.kind() == "file.read"
                && request.containment() == toolwright::permission::PathScope::Inside
        };
        let expected = spec.effect().is_read_only()
            && !spec.annotations().wants_approval()
            && preview.requests().iter().all(inside);
        let outcome = executor.session("s-1").call(call).await;
        assert_eq!(outcome.is_success(), expected, "{name}: {}", outcome.text());
    }
}

#[tokio::test]
async fn s0_48_needs_approval_asks_under_every_default() {
    let dir = root();
    let root = dir.path();
    let marked = [
        "read.words_approved",
        "read.silent_approved",
        "read.confined_approved",
    ];
    let call = |executor: Executor, name: &'static str| async move {
        executor.call(name, r#"{"path": "notes.txt"}"#).await
    };
    let defaults = ["read-only", "ask"].map(|default| format!("default = \"{default}\"\n"));
    let fences = defaults
        .clone()
        .map(|default| format!("{default}[trees]\nallowed = [\".\"]\n"));
    for name in marked {
        let plain = call(executor(root, |builder| builder), name).await;
        assert_eq!(ended(&plain, root).0, "asks", "{name}");
        let author = "its author wants a person to approve each call";
        assert!(plain.text().contains(author), "{}", plain.text());
        for toml in defaults.iter().chain(&fences) {
            let policy = PermissionPolicy::from_toml(toml, root).unwrap();
            let outcome = call(executor(root, |it| it.permission_checker(policy)), name).await;
            assert_eq!(ended(&outcome, root).0, "asks", "{name} {toml}");
        }
        // A decision about the tool itself goes before its author's wish.
        let rule = format!("{FENCE}[[allow]]\ntools = [\"{name}\"]\n");
        let policy = PermissionPolicy::from_toml(&rule, root).unwrap();
        let outcome = call(executor(root, |it| it.permission_checker(policy)), name).await;
        assert_eq!(
            ended(&outcome, root).0,
            "runs",
            "{name}: {}",
            outcome.text()
        );
        let outcome = call(executor(root, |it| it.permission_checker(AllowAll)), name).await;
        assert_eq!(ended(&outcome, root).0, "runs", "{name}");
    }
    let rule = format!("{FENCE}[[allow]]\nreads = [\"notes.txt\"]\n");
    let policy = PermissionPolicy::from_toml(&rule, root).unwrap();
    let outcome = call(
        executor(root, |it| it.permission_checker(policy)),
        "read.confined_approved",
    )
    .await;
    assert_eq!(ended(&outcome, root).0, "runs", "{}", outcome.text());
}

#[test]
fn hints_restrict_a_declared_effect_and_never_widen_it() {
    let spec = |effect: Effect, hints: ToolAnnotations| {
        let spec = ToolSpec::new(ToolName::new("x").unwrap(), "A tool.").with_effect(effect);
        spec.with_annotations(hints)
    };
    let none = ToolAnnotations::new();
    let policy = fence(Path::new("/srv/app"));
    for (spec, runs) in [
        (spec(Effect::Pure, none), true),
        (spec(Effect::ReadOnly, none), true),
        (spec(Effect::Pure, none.with_needs_approval(true)), false),
        (spec(Effect::ReadOnly, none.with_destructive(true)), false),
        (spec(Effect::Idempotent, none), false),
        (spec(Effect::AtMostOnce, none.with_read_only(true)), false),
        (
            spec(Effect::AtMostOnce, none.with_destructive(false)),
            false,
        ),
    ] {
        for checker in [&DefaultPolicy as &dyn PermissionChecker, &policy] {
            let verdict = checker.check_tool(&spec);
            assert_eq!(verdict == Verdict::Allow, runs, "{spec:?}");
            assert!(runs || matches!(verdict, Verdict::Ask(_)), "{verdict:?}");
        }
        assert_eq!(AllowAll.check_tool(&spec), Verdict::Allow);
    }
}

#[test]
fn a_policy_explains_what_its_default_does_not_cover() {
    let dir = root();
    let root = dir.path().canonicalize().unwrap();
    let policy = fence(&root);
    let spec = ToolSpec::new(ToolName::new("docs.read").unwrap(), "Read a text.")
        .with_effect(Effect::ReadOnly);
    let arguments = Arguments::from("{}");
    let call = CallView::new(&spec, &arguments);
    let explained = |spec: &ToolSpec, request: FileAccess| {
        let call = CallView::new(spec, &arguments);
        let requests = request.into_requests().unwrap();
        policy
            .explain(&call, &requests)
            .to_string()
            .replace(root.to_str().unwrap(), "<root>")
    };
    assert_eq!(
        explained(&spec, FileAccess::read("/etc/hostname")),
        "`docs.read` asks a person: reading there leaves the trees that the policy allows, and no rule of it \
         speaks of that\n\
         - the call of `docs.read`: allow, by no rule\n    \
         because the tool is declared pure or read-only\n\
         - reading `/etc/hostname`: ask, by no rule\n    \
         because reading there leaves the trees that the policy allows, and no rule of it speaks of that\n    \
         a rule that allows `reads = [\"/etc/hostname\"]` would let it run"
            .replace("the call of", "the tool")
    );
    let approved = spec
        .clone()
        .with_annotations(ToolAnnotations::new().with_needs_approval(true));
    let text = explained(&approved, FileAccess::read(root.join("notes.txt")));
    assert!(
        text.contains(
            "- reading `<root>/notes.txt`: ask, by no rule\n    because its author wants a person to \
             approve each call, and no rule of the policy lets it run without\n"
        ),
        "{text}"
    );
    // Without trees, the tool's own root is one.
    let open = PermissionPolicy::from_toml("default = \"read-only\"", &root).unwrap();
    let within = FileAccess::read("notes.txt")
        .within(&root)
        .into_requests()
        .unwrap();
    let text = open.explain(&call, &within).to_string();
    assert!(text.starts_with("`docs.read` runs"), "{text}");
    assert!(text.contains("reads in the root that it names"), "{text}");
    let anywhere = FileAccess::read(root.join("notes.txt"))
        .into_requests()
        .unwrap();
    let text = open.explain(&call, &anywhere).to_string();
    assert!(text.starts_with("`docs.read` asks a person"), "{text}");
}

/// Read two files: one that it proposes, and one that it finds on its way.
#[tool(read_only, register = false, permission = FileAccess::read(first).within(&root.0))]
async fn two(
    first: String,
    second: String,
    root: &Root,
    ctx: &ToolContext,
) -> Result<String, ToolError> {
    drop(first);
    let request = || FileAccess::read(&second).within(&root.0);
    let anywhere = || FileAccess::read(root.0.join(&second));
    let one = |access: FileAccess| access.into_requests().map(|mut all| all.remove(0));
    let told = [one(request())?, one(anywhere())?].map(|request| ctx.verdict(&request));
    ctx.check(request()).await?;
    if told[1] == Verdict::Allow {
        ctx.check(anywhere()).await?;
    } else {
        assert!(ctx.check(anywhere()).await.is_err(), "{told:?}");
    }
    Ok(format!(
        "{} {}",
        told[0] == Verdict::Allow,
        told[1] == Verdict::Allow
    ))
}

#[tokio::test]
async fn what_a_tool_asks_on_its_way_is_judged_as_what_it_proposes() {
    let dir = root();
    let root = dir.path().canonicalize().unwrap();
    let arguments = json!({"first": "notes.txt", "second": "notes.txt"});
    let build = |set: fn(ExecutorBuilder, &Path) -> ExecutorBuilder| {
        let builder = Executor::builder(ToolRegistry::new().with(Two)).resource(Root(root.clone()));
        set(builder, &root).build().unwrap()
    };
    let plain = build(|builder, _| builder);
    assert_eq!(
        plain.call("two", arguments.clone()).await.text(),
        "true false"
    );
    let fenced = build(|builder, root| builder.permission_checker(fence(root)));
    assert_eq!(fenced.call("two", arguments).await.text(), "true true");
    let ctx = testing::context().permission_checker(DefaultPolicy).build();
    let request = PermissionRequest::new("pay", "rent", "Pay the rent");
    assert!(matches!(ctx.verdict(&request), Verdict::Ask(_)));
}

#[tokio::test]
async fn the_model_reads_what_it_can_do_and_the_developer_what_to_set() {
    let dir = root();
    let events = MemoryEvents::new(100);
    let executor = executor(dir.path(), |builder| builder.events(events.clone()));
    for _ in 0..2 {
        let outcome = executor.call("pay.bill", r#"{"bill": "rent"}"#).await;
        assert_eq!(
            outcome.text(),
            "`pay.bill` was denied (Pay rent): it needs approval because it may change things (it is not \
             declared pure or read-only), and nobody is here to give it. Continue without it, or tell the \
             user what has to be approved."
        );
        let source = outcome.error().unwrap().source().unwrap().to_string();
        for setting in [
            "ExecutorBuilder::approvals",
            "ExecutorBuilder::permission_checker",
            "WaitMode",
            "AllowAll",
        ] {
            assert!(source.contains(setting), "{source}");
        }
    }
    let told = events.events();
    let told = told.iter().filter_map(|event| match event.kind() {
        EventKind::Diagnostic { code, message, .. } => {
            Some((code.as_str(), message.contains("AllowAll")))
        }
        _ => None,
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [("nobody_is_asked", true)],
        "told once"
    );
    let imported = executor
        .call("host.imported", r#"{"host": "example.org"}"#)
        .await;
    assert!(
        imported
            .text()
            .contains("that it only reads is a hint, and hints of others are not trusted"),
        "{}",
        imported.text()
    );
}
