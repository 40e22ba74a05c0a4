//! The tools of a session: patterns, servers, roles and features.

use std::collections::BTreeMap;

use toolwright::executor::SessionOptions;
use toolwright::registry::{FeatureGate, RoleRules, Selector, UnavailableReason};
use toolwright::{Executor, Session, ToolCall, ToolRegistry};

use crate::arguments::corpora::mcp::definitions;
use crate::support::HandMade;

fn explicit_only(name: &'static str) -> HandMade {
    HandMade::new(name).spec(|spec| spec.with_explicit_only(true))
}

fn with_aliases(name: &'static str, aliases: &[&'static str]) -> HandMade {
    let mut aliases = aliases.iter().map(|alias| alias.parse().unwrap());
    HandMade::new(name).spec(|spec| {
        aliases
            .try_fold(spec, |spec, alias| Some(spec.with_alias(alias)))
            .unwrap()
    })
}

/// Those of an app, and all that eight published servers offer.
fn registry() -> ToolRegistry {
    let mut servers: BTreeMap<String, ToolRegistry> = BTreeMap::new();
    for tool in definitions() {
        let server = servers.entry(tool.server).or_default();
        server.register(HandMade::new(tool.name)).unwrap();
    }
    let mut registry = ToolRegistry::new()
        .with(with_aliases("fs.read", &["read", "fsRead"]))
        .with(HandMade::new("fs.a.b"))
        .with(HandMade::new("fs.write"))
        .with(HandMade::new("filesystem"))
        .with(explicit_only("fs.format"))
        .with(HandMade::new("web.fetch"))
        .with(HandMade::new("agent.summary"))
        .with(HandMade::new("agent.spawn"))
        .with_unadvertised(HandMade::new("fs.index"));
    for (name, tools) in servers {
        registry = registry.with_server(&name, tools);
    }
    registry
}

fn names(session: &Session) -> Vec<String> {
    let tools = session.tools();
    tools.specs().map(|spec| spec.name().to_string()).collect()
}

fn selected(executor: &Executor, patterns: &[&str]) -> Vec<String> {
    let options = SessionOptions::new().tools(Selector::new(patterns).unwrap());
    names(&executor.session_with("s-1", options))
}

async fn call(session: &Session, name: &str) -> String {
    session.call(ToolCall::new(name, "{}")).await.text()
}

#[test]
fn s3_47_a_glob_gives_all_names_that_fit() {
    let executor = Executor::new(registry()).unwrap();
    assert_eq!(selected(&executor, &["rea*"]), ["fs.read"]);
    assert_eq!(selected(&executor, &["f*m"]), ["filesystem"]);
    let options = SessionOptions::new().tools(Selector::new(["reed*"]).unwrap());
    let session = executor.session_with("s-1", options);
    assert!(names(&session).is_empty());
    assert_eq!(session.availability().unmatched().len(), 1);
}

#[test]
fn s3_44_patterns_give_names() {
    let executor = Executor::new(registry()).unwrap();
    let table: &[(&[&str], &[&str])] = &[
        (&[], &[]),
        (&["fs.read"], &["fs.read"]),
        (&["read"], &["fs.read"]),
        (&["fs_read"], &["fs.read"]),
        (&["rea*"], &["fs.read"]),
        (&["fs.*"], &["fs.a.b", "fs.read", "fs.write"]),
        (&["fs*"], &["fs.a.b", "fs.read", "fs.write"]),
        (&["f*m"], &["filesystem"]),
        (&["fs.*", "!fs.w*"], &["fs.a.b", "fs.read"]),
        (&["!read", "fs.*"], &["fs.a.b", "fs.write"]),
        (&["!fs.read"], &[]),
        (&["fs.format"], &["fs.format"]),
        (&["fs.f*"], &[]),
        (&["fs.index"], &[]),
        (&["FS.*"], &[]),
        (
            &["*.get_*"],
            &["filesystem.get_file_info", "time.get_current_time"],
        ),
        (
            &["*.git_c*", "!git.git_commit"],
            &["git.git_checkout", "git.git_create_branch"],
        ),
        (
            &["@filesystem/*_file", "!@filesystem/*e_file"],
            &[
                "filesystem.edit_file",
                "filesystem.read_file",
                "filesystem.read_media_file",
                "filesystem.read_text_file",
            ],
        ),
        (
            &["@filesystem/read_*", "!*_media_*"],
            &[
                "filesystem.read_file",
                "filesystem.read_multiple_files",
                "filesystem.read_text_file",
            ],
        ),
        (&["@time/convert_time"], &["time.convert_time"]),
        (&["time.convert_time"], &["time.convert_time"]),
        (&["time_convert_time"], &["time.convert_time"]),
        (&["convert_time"], &[]),
        (
            &["@fetch", "@seq"],
            &["fetch.fetch", "seq.sequentialthinking"],
        ),
        (&["@fs"], &[]),
        (&["browser_*"], &[]),
    ];
    for (patterns, expected) in table {
        assert_eq!(&selected(&executor, patterns), expected, "{patterns:?}");
    }
}

#[tokio::test]
async fn s3_45_a_star_selects_all() {
    let executor = Executor::new(registry()).unwrap();
    let found = selected(&executor, &["*"]);
    // The app has 9 tools of its own; one is explicit-only and one is for the app alone.
    assert_eq!(found.len(), definitions().len() + 7);
    assert!(found.is_sorted() && found.contains(&"git.git_status".to_owned()));
    let session = executor.session_with("s-1", SessionOptions::new().tools(Selector::all()));
    assert_eq!(call(&session, "git.git_status").await, "{}");
    assert_eq!(call(&session, "git_git_status").await, "{}");
}

#[tokio::test]
async fn s3_46_a_server_selects_its_tools_and_no_others() {
    let executor = Executor::new(registry()).unwrap();
    let options = || SessionOptions::new().tools(Selector::new(["@git"]).unwrap());
    let session = executor.session_with("s-1", options());
    let found = names(&session);
    let of_git = definitions()
        .into_iter()
        .filter(|tool| tool.server == "git");
    assert_eq!(found.len(), of_git.count());
    assert!(
        found.iter().all(|name| name.starts_with("git.")),
        "{found:?}"
    );
    // Neither by name nor by suggestion, and not for the app either.
    for name in ["fs.read", "time.get_current_time", "fs.raed"] {
        let told = format!("there is no tool `{name}`");
        assert_eq!(call(&session, name).await, told);
        let by_host = session.call(ToolCall::new(name, "{}").by_host()).await;
        assert_eq!(by_host.text(), told);
    }
    let near = call(&session, "git.git_statsu").await;
    assert!(near.ends_with("did you mean `git.git_status`?"), "{near}");
    let why = session.availability();
    assert_eq!(why.why("fs.read"), Some(&UnavailableReason::NotSelected));
    assert_eq!(why.why("git.git_status"), None);
}

#[test]
fn s3_48_a_sub_agent_always_has_the_summary() {
    let rules = RoleRules::new()
        .always(Selector::new(["agent.summary"]).unwrap())
        .never(Selector::new(["agent.spawn"]).unwrap());
    let executor = Executor::builder(registry())
        .sub_session_rules(rules)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    assert!(names(&session).contains(&"agent.spawn".to_owned()));
    let table: &[(&[&str], &[&str])] = &[
        (&[], &["agent.summary"]),
        (&["!agent.summary"], &["agent.summary"]),
        (&["agent.*"], &["agent.summary"]),
        (&["agent.spawn"], &["agent.summary"]),
        (&["fs.read"], &["agent.summary", "fs.read"]),
    ];
    for (patterns, expected) in table {
        let options = SessionOptions::new().tools(Selector::new(*patterns).unwrap());
        let below = session.sub_session_with("s-2", options.clone());
        assert_eq!(&names(&below), expected, "{patterns:?}");
        // Nor does a role of its own give it back.
        let role = RoleRules::new().always(Selector::new(["agent.*"]).unwrap());
        let below = session.sub_session_with("s-3", options.role(role));
        assert_eq!(&names(&below), expected, "{patterns:?}");
    }
}

#[test]
fn s3_49_a_sub_agent_never_has_the_spawning_tool_not_even_by_a_wildcard() {
    let spawning = Selector::new(["agent.spawn"]).unwrap();
    let executor = Executor::builder(registry())
        .sub_session_rules(RoleRules::new().never(spawning.clone()))
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let has_it = |session: &Session| names(session).contains(&"agent.spawn".to_owned());
    assert!(has_it(&session));
    assert!(!has_it(&session.sub_session("s-2")));
    let all = Selector::all();
    for (how, options) in [
        ("all", SessionOptions::new().tools(all.clone())),
        ("named", SessionOptions::new().tools(spawning.clone())),
        (
            "by a role of its own",
            SessionOptions::new()
                .tools(all)
                .role(RoleRules::new().always(spawning)),
        ),
    ] {
        let below = session.sub_session_with("s-3", options);
        assert!(!has_it(&below), "{how}");
        assert!(!has_it(&below.sub_session("s-4")), "{how}, below");
        let why = below.availability();
        assert_eq!(
            why.why("agent.spawn"),
            Some(&UnavailableReason::ByRole),
            "{how}"
        );
    }
}

#[tokio::test]
async fn s3_50_an_explicit_only_tool_is_there_only_when_named() {
    let executor = Executor::new(registry()).unwrap();
    for (patterns, is_there) in [
        (&["*"][..], false),
        (&["fs.*"], false),
        (&["*", "fs.format"], true),
        (&["fs.format", "!fs.*"], false),
    ] {
        let options = SessionOptions::new().tools(Selector::new(patterns).unwrap());
        let session = executor.session_with("s-1", options);
        let shown = names(&session).contains(&"fs.format".to_owned());
        assert_eq!(shown, is_there, "{patterns:?}");
        assert_eq!(
            call(&session, "fs.format").await == "{}",
            is_there,
            "{patterns:?}"
        );
    }
    let options = SessionOptions::new().tools(Selector::new(["*", "fs.f*"]).unwrap());
    let why = executor.session_with("s-1", options).availability();
    assert_eq!(why.why("fs.format"), Some(&UnavailableReason::ExplicitOnly));
    assert_eq!(
        why.unmatched()[0].to_string(),
        "the pattern `fs.f*` fits only what is selected by its name alone, such as `fs.format`"
    );
    // A session that selects nothing has every tool that the app has registered by name.
    assert!(names(&executor.session("s-1")).contains(&"fs.format".to_owned()));
    let role = RoleRules::new().explicit_only(Selector::new(["web.*"]).unwrap());
    let options = SessionOptions::new().role(role);
    assert!(!names(&executor.session_with("s-2", options.clone())).contains(&"web.fetch".into()));
    let named = options.tools(Selector::new(["web.fetch"]).unwrap());
    assert_eq!(names(&executor.session_with("s-2", named)), ["web.fetch"]);
}

#[tokio::test]
async fn s3_51_a_closed_feature_removes_a_tool_that_is_named() {
    let web = || Selector::new(["web.*", "@fetch"]).unwrap();
    let executor = Executor::builder(registry())
        .feature_gate(FeatureGate::closed("web", web(), "not licensed"))
        .build()
        .unwrap();
    let role = RoleRules::new().always(web());
    let options = SessionOptions::new()
        .role(role)
        .tools(Selector::new(["web.fetch"]).unwrap());
    for session in [
        executor.session("s-1"),
        executor.session_with("s-2", options.clone()),
        executor.session("s-1").sub_session_with("s-3", options),
    ] {
        assert!(session.tools().get("web.fetch").is_none());
        for name in ["web.fetch", "web_fetch", "fetch.fetch"] {
            let told = format!("there is no tool `{name}`");
            assert_eq!(call(&session, name).await, told);
            let by_host = session.call(ToolCall::new(name, "{}").by_host()).await;
            assert_eq!(by_host.text(), told);
        }
        let why = session.availability();
        assert!(
            matches!(why.why("web.fetch"), Some(UnavailableReason::FeatureOff { feature, reason, .. })
                if feature == "web" && reason == "not licensed")
        );
    }

    executor.set_feature_gate(FeatureGate::open("web", web()));
    assert_eq!(call(&executor.session("s-1"), "web.fetch").await, "{}");

    // With a message, a model reads the reason, unless it would not have the tool in any case.
    let gate = FeatureGate::closed("web", web(), "audit").with_message("Web access is off today.");
    executor.set_feature_gate(gate);
    let session = executor.session("s-1");
    assert_eq!(
        call(&session, "web_fetch").await,
        "the tool `web_fetch` is not available: Web access is off today."
    );
    let reading = SessionOptions::new().tools(Selector::new(["fs.*"]).unwrap());
    let never = SessionOptions::new().role(RoleRules::new().never(web()));
    for options in [reading, never] {
        let session = executor.session_with("s-4", options);
        assert_eq!(
            call(&session, "web.fetch").await,
            "there is no tool `web.fetch`"
        );
    }
}

#[tokio::test]
async fn trap_a_sub_session_has_nothing_more_whatever_it_selects() {
    let executor = Executor::new(registry()).unwrap();
    let options = |patterns: &[&str]| SessionOptions::new().tools(Selector::new(patterns).unwrap());
    let session = executor.session_with("s-1", options(&["fs.*", "!fs.write"]));
    for patterns in [
        &["*"][..],
        &["fs.*", "web.fetch", "fs.format", "@git"],
        &["*", "!web.*"],
    ] {
        let below = session.sub_session_with("s-2", options(patterns));
        assert_eq!(names(&below), ["fs.a.b", "fs.read"], "{patterns:?}");
        let deeper = below.sub_session("s-3");
        assert_eq!(names(&deeper), ["fs.a.b", "fs.read"], "{patterns:?}");
        assert!(
            call(&deeper, "fs.write")
                .await
                .starts_with("there is no tool")
        );
    }
    let role = RoleRules::new().never(Selector::new(["fs.read"]).unwrap());
    let never = executor.session_with("s-4", SessionOptions::new().role(role));
    let always = RoleRules::new().always(Selector::new(["fs.read", "fs.format"]).unwrap());
    let below = never.sub_session_with("s-5", options(&[]).role(always));
    assert_eq!(names(&below), ["fs.format"]);
}

#[tokio::test]
async fn what_is_for_the_app_alone_stays_for_the_app_unless_it_is_denied() {
    let executor = Executor::new(registry()).unwrap();
    let options = |patterns: &[&str]| SessionOptions::new().tools(Selector::new(patterns).unwrap());
    for (patterns, is_there) in [
        (&["fs.read"][..], true),
        (&["fs.index"], true),
        (&["*", "!fs.i*"], false),
    ] {
        let session = executor.session_with("s-1", options(patterns));
        let call = ToolCall::new("fs.index", "{}");
        let by_host = session.call(call.clone().by_host()).await;
        assert_eq!(by_host.text() == "{}", is_there, "{patterns:?}");
        let by_model = session.call(call).await;
        assert_eq!(by_model.text(), "there is no tool `fs.index`");
    }
}

#[test]
fn registries_are_put_together_without_shadowing() {
    let github = || ToolRegistry::new().with(with_aliases("read", &["get"]));
    let app = ToolRegistry::new().with(with_aliases("fs.read", &["read"]));
    let both = app
        .clone()
        .with_server("github", github())
        .freeze()
        .unwrap();
    assert_eq!(both.server_of("github.get"), Some("github"));
    assert_eq!(both.server_of("read"), None);
    assert_eq!(both.get("read").unwrap().spec().name(), "fs.read");
    assert_eq!(both.get("github.get").unwrap().spec().name(), "github.read");

    // The same server twice is a clash, and the same registry merged twice too.
    let twice = app
        .clone()
        .with_server("github", github())
        .with_server("github", github());
    assert_eq!(twice.check().unwrap_err().collisions().len(), 2);
    let mut merged = app.clone();
    let again = merged.merge(app.clone(), toolwright::registry::OnCollision::Fail);
    assert_eq!(again.unwrap_err().collisions().len(), 2);
    for policy in [
        toolwright::registry::OnCollision::KeepExisting,
        toolwright::registry::OnCollision::Replace,
    ] {
        merged.merge(app.clone(), policy).unwrap();
        assert_eq!((merged.len(), merged.contains("read")), (1, true));
        merged.check().unwrap();
    }

    let renamed = app.clone().renamed("read", "read").freeze().unwrap();
    assert_eq!(renamed.get("read").unwrap().spec().name(), "read");
    assert!(renamed.get("fs.read").is_none());
    for wrong in [
        app.clone().renamed("nothing", "a"),
        app.clone().renamed("read", "a b"),
        app.clone().prefixed(""),
        app.clone().prefixed(&"x".repeat(128)),
        app.clone().with_server("git hub", github()),
        app.clone().with_server("git.hub", github()),
    ] {
        assert!(wrong.check().is_err(), "{wrong:?}");
    }
    let taken = app
        .clone()
        .with(HandMade::new("add"))
        .renamed("add", "read");
    assert_eq!(taken.check().unwrap_err().collisions().len(), 1);
    let none = app.filtered(|spec| spec.name() == "x");
    assert!(none.is_empty() && !none.contains("read"));
}

#[test]
fn trap_names_of_64_characters_and_more_stay_apart_behind_a_server() {
    let long = |end: &str| format!("{}{end}", "x".repeat(63));
    let server = ToolRegistry::new()
        .with(HandMade::new(long("a")))
        .with(HandMade::new(long("b")))
        .with(HandMade::new("a.b"))
        .with(HandMade::new("a_b"));
    let tools = ToolRegistry::new()
        .with_server("s", server.clone())
        .with_server("s_a", server)
        .freeze()
        .unwrap();
    let specs: Vec<_> = tools.specs().collect();
    let wires: std::collections::BTreeSet<&str> = specs
        .iter()
        .map(|spec| tools.wire_name(spec.name().as_str()).unwrap())
        .collect();
    assert_eq!(wires.len(), 8, "{wires:?}");
    for spec in &specs {
        let wire = tools.wire_name(spec.name().as_str()).unwrap();
        assert!(wire.len() <= 64, "{wire}");
        assert_eq!(tools.get(wire).unwrap().spec().name(), spec.name());
    }
    // A session that has fewer of them knows each by the same name.
    let executor = Executor::new(
        ToolRegistry::new()
            .with(HandMade::new("a.b"))
            .with(HandMade::new("a_b")),
    )
    .unwrap();
    let of_all = executor.tools().wire_name("a.b").unwrap().to_owned();
    let options = SessionOptions::new().tools(Selector::new(["a.b"]).unwrap());
    let few = executor.session_with("s-1", options).tools();
    assert_eq!(few.wire_name("a.b"), Some(&*of_all));
    assert!(few.get("a_b").is_none());
}
