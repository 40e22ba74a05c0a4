//! The permissions for a tree of files, while its call runs.

use std::fs;
use std::path::Path;

use toolwright::executor::WaitMode;
use toolwright::permission::{IntoRequests, Verdict};
use toolwright::ticket::{Answer, Answers};
use toolwright::{
    Executor, FileAccess, Session, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry,
    tool,
};

use crate::waiting_support::interrupted;

struct Place(tempfile::TempDir);

fn verdict(ctx: &ToolContext, access: FileAccess, root: &Path) -> Result<&'static str, ToolError> {
    let requests = access.within(root).into_requests()?;
    Ok(match ctx.verdict(&requests[0]) {
        Verdict::Allow => "allow",
        Verdict::Deny(_) => "deny",
        _ => "ask",
    })
}

/// Tell what may be written.
#[tool(register = false, permission = FileAccess::write_tree("tree").within(place.0.path()))]
async fn look(ctx: &ToolContext, place: &Place) -> Result<String, ToolError> {
    let root = place.0.path();
    let mut found = Vec::new();
    for access in [
        FileAccess::write_tree("tree"),
        FileAccess::write("tree/a"),
        FileAccess::write_tree("tree/below"),
        FileAccess::write("tree/below/b"),
        FileAccess::write("tree/../tree/a"),
        FileAccess::read("tree/a"),
        FileAccess::write("tree/../a"),
        FileAccess::write("treetop"),
        FileAccess::write("tree/out/a"),
        FileAccess::write("tree/far/a"),
    ] {
        found.push(verdict(ctx, access, root)?);
    }
    // Nobody is asked again either.
    ctx.check(FileAccess::write("tree/a").within(root)).await?;
    Ok(found.join(" "))
}

/// Ask for a tree, and for what is in it.
#[tool(register = false)]
async fn ask_for_tree(ctx: &ToolContext, place: &Place) -> Result<String, ToolError> {
    let root = place.0.path();
    let mut found = Vec::new();
    for access in [
        FileAccess::write_tree("tree/below"),
        FileAccess::write_tree("tree"),
    ] {
        found.push(match ctx.check(access.within(root)).await {
            Err(error) if error.code() == "suspended" => return Err(error),
            Err(_) => "no",
            Ok(()) => "yes",
        });
    }
    for path in ["tree/a", "tree/below/b", "tree/below"] {
        found.push(verdict(ctx, FileAccess::write(path), root)?);
    }
    found.push(verdict(ctx, FileAccess::write_tree("tree/below"), root)?);
    Ok(found.join(" "))
}

fn session() -> Session {
    let dir = tempfile::tempdir().unwrap();
    let tree = dir.path().join("tree");
    fs::create_dir_all(tree.join("below")).unwrap();
    fs::create_dir(dir.path().join("elsewhere")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../elsewhere", tree.join("out")).unwrap();
        std::os::unix::fs::symlink("/", tree.join("far")).unwrap();
    }
    let registry = ToolRegistry::new().with(Look).with(AskForTree);
    let executor = Executor::builder(registry)
        .resource(Place(dir))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    executor.session("s")
}

async fn asked(session: &Session, tool: &str, answers: &[Answer]) -> ToolOutcome {
    let mut outcome = session.call(ToolCall::new(tool, "{}")).await;
    for answer in answers {
        let suspension = interrupted(outcome);
        let answers = Answers::from(answer.clone());
        outcome = session.resume(suspension.ticket(), answers).await.unwrap();
    }
    outcome
}

#[cfg(unix)]
#[tokio::test]
async fn whoever_allows_a_tree_allows_what_is_in_it_and_no_more() {
    let outcome = asked(&session(), "look", &[Answer::yes()]).await;
    assert_eq!(
        outcome.text(),
        "allow allow allow allow allow ask ask ask ask deny"
    );
}

#[tokio::test]
async fn what_was_refused_below_a_tree_is_not_allowed_with_it() {
    let session = session();
    let outcome = asked(
        &session,
        "ask_for_tree",
        &[Answer::yes(), Answer::no(), Answer::yes()],
    )
    .await;
    assert_eq!(outcome.text(), "no yes allow ask ask deny");
    let outcome = asked(
        &session,
        "ask_for_tree",
        &[Answer::yes(), Answer::yes(), Answer::no()],
    )
    .await;
    // A no to all of it leaves only the parts allowed that were allowed separately.
    assert_eq!(outcome.text(), "yes no ask ask ask allow");
}
