//! The tools on a tree in memory: no file of the machine is touched.

use toolwright::content::ErrorKind;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::{PermissionRequest, ToolContext, ToolSpec, testing};

use super::edit::edit_file;
use super::glob::{Matches, find_files};
use super::list::list_directory;
use super::read::read_file;
use super::remove::remove;
use super::search::search_files;
use super::write::write_file;
use crate::files::Fake;

/// Denies what lies at or below `secret`, and asks about what is named `asked`.
pub(super) struct NoSecrets;

impl PermissionChecker for NoSecrets {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, _call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        let names: Vec<&str> = request.target().split('/').collect();
        if names.contains(&"secret") {
            Verdict::deny("secrets are not for models")
        } else if names.contains(&"asked") {
            Verdict::ask("it is not known")
        } else {
            Verdict::Allow
        }
    }
}

fn ctx() -> ToolContext {
    testing::context().build()
}

fn careful() -> ToolContext {
    testing::context().permission_checker(NoSecrets).build()
}

fn glob(pattern: &str, ctx: &ToolContext, files: &Fake) -> Matches {
    find_files(pattern.into(), ".".into(), false, false, 100, ctx, files).unwrap()
}

fn search(pattern: &str, ctx: &ToolContext, files: &Fake) -> String {
    let (pattern, path) = (pattern.into(), ".".into());
    search_files(pattern, path, None, false, 0, false, false, 100, ctx, files).unwrap()
}

#[test]
fn s3_53_a_tool_is_tested_with_a_fake_provider() {
    let files = Fake::new([("a.txt", "one\ntwo\n")]);
    let read = read_file("a.txt".into(), 1, None, &ctx(), &files).unwrap();
    assert_eq!(read, "     1\tone\n     2\ttwo");

    let new = "sub/b.txt";
    let written = write_file(new.into(), "three\n".into(), &ctx(), &files).unwrap();
    assert_eq!(written, "wrote 6 bytes to `sub/b.txt`");
    assert_eq!(files.content(new).as_deref(), Some("three\n"));
    let listed = list_directory(".".into(), 10, &ctx(), &files).unwrap();
    assert_eq!(listed.entries.len(), 2);

    let edited = edit_file(
        new.into(),
        "three".into(),
        "four".into(),
        false,
        false,
        &ctx(),
        &files,
    );
    assert_eq!(
        edited.unwrap(),
        "--- sub/b.txt\n+++ sub/b.txt\n@@ -1 +1 @@\n-three\n+four"
    );
    assert_eq!(
        search("o", &ctx(), &files),
        "a.txt\n     1:\tone\n     2:\ttwo\n\nsub/b.txt\n     1:\tfour"
    );
    assert_eq!(
        glob("**/*.txt", &ctx(), &files).paths,
        ["a.txt", "sub/b.txt"]
    );

    let removed = remove("sub".into(), true, &ctx(), &files).unwrap();
    assert_eq!(removed, "removed `sub` and 1 file or directory in it");
    assert_eq!(files.paths(), ["a.txt"]);
    // The fake files were never on the machine.
    assert!(!std::path::Path::new("/fake").exists());
}

#[test]
fn what_policy_forbids_is_left_out_without_its_name() {
    let files = Fake::new([
        ("a.txt", "x"),
        ("asked/b.txt", "x"),
        ("secret/c.txt", "x"),
        ("sub/secret", "x"),
    ]);
    let found = glob("**/*", &careful(), &files);
    assert_eq!(found.paths, ["a.txt"]);
    // The file that is asked about, the directory and the file that are denied.
    assert_eq!(found.forbidden, 3);
    assert_eq!(
        search("x", &careful(), &files),
        "a.txt\n     1:\tx\n\n(3 files or directories left out: forbidden by policy)"
    );
}

#[test]
fn what_a_link_leads_to_is_judged_when_it_is_opened() {
    let files = Fake::new([("secret/c.txt", "x")]).with_link("link", "secret/c.txt");
    let path = || "link".into();
    let (ctx, none) = (careful(), String::new);
    for ended in [
        read_file(path(), 1, None, &ctx, &files),
        write_file(path(), none(), &ctx, &files),
        edit_file(path(), "x".into(), none(), false, true, &ctx, &files),
        search_files(
            "x".into(),
            path(),
            None,
            false,
            0,
            false,
            false,
            9,
            &ctx,
            &files,
        ),
    ] {
        let denied = ended.unwrap_err();
        assert_eq!(denied.kind(), ErrorKind::Denied);
        let told = denied.to_string();
        assert!(told.ends_with("secrets are not for models"), "{told}");
    }
    assert_eq!(files.content("secret/c.txt").as_deref(), Some("x"));
    // The link itself is no secret.
    remove(path(), false, &ctx, &files).unwrap();
    assert_eq!(files.paths(), ["secret", "secret/c.txt"]);
}

#[test]
fn a_tree_with_something_forbidden_in_it_stays_whole() {
    let files = Fake::new([("a/b/c.txt", "x"), ("a/d/secret", "x"), ("a/e.txt", "x")]);
    let before = files.paths();
    let denied = remove("a".into(), true, &careful(), &files).unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::Denied);
    let told = denied.to_string();
    assert!(told.contains("Nothing was removed"), "{told}");
    assert!(!told.contains("secret"), "{told}");
    assert_eq!(files.paths(), before);
}

#[test]
fn a_file_that_changes_between_reading_and_writing_is_left_alone() {
    let files = Fake::new([("a.txt", "mine\n")]).disturbed("theirs\n");
    let (old, new) = ("mine".into(), "other".into());
    let ended = edit_file("a.txt".into(), old, new, false, false, &ctx(), &files);
    let told = ended.unwrap_err().to_string();
    assert!(told.contains("was changed by another"), "{told}");
    assert_eq!(files.content("a.txt").as_deref(), Some("theirs\n"));
}

#[test]
fn a_cancelled_walk_ends() {
    let files = Fake::new([("a.txt", "x"), ("b/c.txt", "x")]);
    let token = tokio_util::sync::CancellationToken::new();
    token.cancel();
    let ctx = testing::context().cancellation(token).build();
    let ended = [
        search_files(
            "x".into(),
            ".".into(),
            None,
            false,
            0,
            false,
            false,
            9,
            &ctx,
            &files,
        ),
        find_files("**".into(), ".".into(), false, false, 9, &ctx, &files).map(|_| String::new()),
        remove("b".into(), true, &ctx, &files),
    ];
    for ended in ended {
        assert_eq!(ended.unwrap_err().kind(), ErrorKind::Cancelled);
    }
    assert_eq!(files.paths().len(), 3);
}

#[test]
fn ignore_files_hold_for_what_lies_below_them() {
    let files = Fake::new([
        (".gitignore", "*.log\n/build\n!kept.log\n"),
        ("a.log", ""),
        ("kept.log", ""),
        ("build/out", ""),
        ("sub/.gitignore", "kept.log\n!a.log\n# a comment\n[\n"),
        ("sub/a.log", ""),
        ("sub/kept.log", ""),
        ("sub/build/out", ""),
        (".hidden/x", ""),
        (".git/config", ""),
    ]);
    let find = |path: &str, hidden, ignored| {
        let (pattern, ctx) = ("**".into(), ctx());
        let found = find_files(pattern, path.into(), hidden, ignored, 100, &ctx, &files);
        found.unwrap().paths
    };
    assert_eq!(
        find(".", false, false),
        ["kept.log", "sub/a.log", "sub/build/out"]
    );
    // Those above the start hold too.
    assert_eq!(find("sub", false, false), ["sub/a.log", "sub/build/out"]);
    assert_eq!(
        find(".", true, true),
        [
            ".gitignore",
            ".hidden/x",
            "a.log",
            "build/out",
            "kept.log",
            "sub/.gitignore",
            "sub/a.log",
            "sub/build/out",
            "sub/kept.log",
        ]
    );
}
