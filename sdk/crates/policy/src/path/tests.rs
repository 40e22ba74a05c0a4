use std::os::unix::fs::symlink;

use super::*;
use toolwright::permission::{FileAccess, IntoRequests};

const ROOT: &str = "/nowhere/ws";

fn pattern(text: &str) -> PathPattern {
    PathPattern::new(text, Path::new(ROOT)).unwrap()
}

fn place(path: &str) -> FilePlace<'_> {
    FilePlace::new(Path::new(path))
}

fn at(text: &str, side: Side, path: &str) -> Match {
    pattern(text).matches(side, &Names::of(&place(path)))
}

fn is_yes(found: Match) -> bool {
    matches!(found, Match::Yes(_))
}

#[track_caller]
fn both(text: &str, path: &str, expected: bool) {
    for side in [Side::Allow, Side::Restrict] {
        assert_eq!(
            is_yes(at(text, side, path)),
            expected,
            "{text} {path} {side:?}"
        );
    }
}

#[test]
fn patterns_speak_of_what_the_table_says() {
    for (text, yes, no) in [
        (
            "src",
            &["src", "src/a", "src/a/b"][..],
            &["src-2", "srcx/a", "a/src", ""][..],
        ),
        ("./src//", &["src", "src/a"], &["src-2"]),
        ("src/**", &["src", "src/a", "src/a/b"], &["src-2"]),
        (".", &["", "a", "a/b"], &["/../ws-2", "/../ws-2/a"]),
        ("**", &["", "a", "a/b"], &["/../ws-2"]),
        ("a/../src", &["src/a"], &["a/a"]),
        ("../shared", &["/../shared/x"], &["shared"]),
        (
            "*.pem",
            &["a.pem", "d.pem/x", ".pem"],
            &["a/b.pem", "pem", "a.pem2"],
        ),
        (
            "src/*/gen",
            &["src/a/gen", "src/a/gen/x"],
            &["src/a/b/gen", "src/gen", "src"],
        ),
        (
            "**/.env",
            &[".env", "a/.env", "a/b/.env", ".env/x"],
            &[".env2", "a.env", "/../.env"],
        ),
        (
            "{a,b}/*.r[so]",
            &["a/x.rs", "b/x.ro"],
            &["c/x.rs", "a/x.rx", "a/b/x.rs"],
        ),
        ("{a/b,c}/x", &["a/b/x", "c/x"], &["a/x"]),
        (r"app/\[id\]", &["app/[id]", "app/[id]/x"], &["app/i"]),
        ("a?c", &["abc"], &["a/c", "ac"]),
        ("[!a]b", &["xb"], &["ab", "/b"]),
        (
            "src/**/t/*.rs",
            &["src/t/a.rs", "src/x/y/t/a.rs"],
            &["src/a.rs", "t/a.rs"],
        ),
    ] {
        let absolute = |path: &str| match path.strip_prefix("/..") {
            Some(rest) => format!("/nowhere{rest}"),
            None if path.is_empty() => ROOT.to_owned(),
            None => format!("{ROOT}/{path}"),
        };
        for path in yes {
            both(text, &absolute(path), true);
        }
        for path in no {
            both(text, &absolute(path), false);
        }
    }
    both("/**/.env", "/.env", true);
    both("/**/.env", "/a/b/.env", true);
    both("/", "/", true);
    both("/", "/a", true);
    both("/**", "/a/b", true);
}

#[test]
fn the_home_directory_is_that_of_the_person() {
    let home = std::env::home_dir().unwrap();
    let key = home.join(".ssh/id");
    for text in ["~", "~/.ssh", "~/.ssh/id", "~/.*"] {
        let found = pattern(text).matches(Side::Restrict, &Names::of(&FilePlace::new(&key)));
        assert!(is_yes(found), "{text}");
    }
}

#[test]
fn a_glob_takes_any_character_for_a_name() {
    for path in ["a\nb.pem", "a\\b.pem", "é.pem", "*.pem", " .pem"] {
        both("*.pem", &format!("{ROOT}/{path}"), true);
        both("**/*.pem", &format!("{ROOT}/x\ny/{path}"), true);
        both("**", &format!("{ROOT}/x\ny/{path}"), true);
    }
}

#[test]
fn a_rule_that_restricts_takes_spellings_for_one() {
    for (text, path) in [
        ("Secret", "secret/x"),
        ("secret", "SECRET"),
        ("**/.env", "a/.ENV"),
        ("**/.ENV", "a/.env"),
        ("é", "E\u{301}/x"),
        ("**/é.pem", "e\u{301}.PEM"),
        ("[A-z]x", "_x"),
        ("[A-C]x", "bX"),
        ("[Z-a]x", "_x"),
        ("[Z-a]x", "Ax"),
        ("app/[id]/page", "app/[ID]/page"),
        ("{a}", "{a}"),
    ] {
        let path = format!("{ROOT}/{path}");
        assert!(is_yes(at(text, Side::Restrict, &path)), "{text} {path}");
    }
    for (text, path) in [
        ("Secret", "secret"),
        ("é", "e\u{301}"),
        ("app/[id]", "app/[id]"),
    ] {
        let path = format!("{ROOT}/{path}");
        assert_eq!(at(text, Side::Allow, &path), Match::No, "{text} {path}");
    }
}

#[test]
fn where_a_glob_cannot_tell_a_rule_that_restricts_asks() {
    for text in ["?.pem", "[!a].pem", "x/../?.pem"] {
        let path = format!("{ROOT}/é.pem");
        assert_eq!(at(text, Side::Restrict, &path), Match::Maybe, "{text}");
        assert_eq!(at(text, Side::Allow, &path), Match::No, "{text}");
        let path = format!("{ROOT}/é.txt");
        assert_eq!(at(text, Side::Restrict, &path), Match::No, "{text}");
    }
}

#[test]
fn a_path_that_no_request_of_the_sdk_has_is_not_allowed() {
    for path in ["", "src/a", "/nowhere/ws/a/../src/x", "./src"] {
        assert_eq!(at("/", Side::Allow, path), Match::No, "{path}");
        assert_eq!(at("/x", Side::Restrict, path), Match::Maybe, "{path}");
    }
    both("src", "/nowhere//ws/./src/", true);
    both("src", "/nowhere/ws/src/.", true);
}

#[test]
fn a_tree_may_hold_what_a_rule_speaks_of() {
    let tree = |text: &str, side, path: &str| {
        let mut place = place(path);
        place.tree = true;
        pattern(text).matches(side, &Names::of(&place))
    };
    for (text, path) in [
        ("a/b", "/nowhere/ws/a"),
        ("a/b", "/nowhere"),
        ("A/b", "/nowhere/ws/a"),
        ("a/b", "/"),
        ("**/.env", "/nowhere/ws/x/y"),
        ("**/.env", "/nowhere/ws"),
        ("a/*/c", "/nowhere/ws/a/b"),
        ("a/*/c", "/nowhere/ws/a"),
    ] {
        assert_eq!(
            tree(text, Side::Restrict, path),
            Match::Maybe,
            "{text} {path}"
        );
        assert_eq!(tree(text, Side::Allow, path), Match::No, "{text} {path}");
        assert_eq!(at(text, Side::Restrict, path), Match::No, "{text} {path}");
    }
    for (text, path) in [
        ("a/b", "/nowhere/ws/a/c"),
        ("a/b", "/nowhere/ws-2"),
        ("a/*.rs", "/nowhere/ws/a/x"),
        ("**/.env", "/nowhere/ws-2"),
    ] {
        assert_eq!(tree(text, Side::Restrict, path), Match::No, "{text} {path}");
    }
    for (text, path) in [
        ("a", "/nowhere/ws/a"),
        ("a", "/nowhere/ws/a/b"),
        ("*/x", "/nowhere/ws/a/x/y"),
    ] {
        assert!(is_yes(tree(text, Side::Allow, path)), "{text} {path}");
        assert!(is_yes(tree(text, Side::Restrict, path)), "{text} {path}");
    }
}

#[test]
fn closer_is_exact_and_then_longer() {
    let closeness = |text: &str, path: &str| match at(text, Side::Allow, path) {
        Match::Yes(closeness) => closeness,
        other => panic!("{other:?}"),
    };
    let path = "/nowhere/ws/src/a.rs";
    let order = ["/**/a.rs", "/nowhere", "**/*.rs", "src", "src/a.rs"];
    let order: Vec<_> = order.iter().map(|text| closeness(text, path)).collect();
    assert!(order.is_sorted(), "{order:?}");
    assert!(order.iter().take(4).all(|closeness| !closeness.exact));
    assert!(order[4].exact);
    assert_eq!(order[3].literal, 3);
}

#[test]
fn what_covers_surely_covers() {
    for (one, other) in [
        ("src", "src"),
        ("src", "src/**"),
        ("src", "src/a"),
        (".", "**/.env"),
        ("/", "~/.ssh"),
        ("**/.env", "**/.env"),
        ("**/gen", "src/gen/x"),
        ("**/gen", "src/gen/*.rs"),
    ] {
        assert!(pattern(one).covers(&pattern(other)), "{one} {other}");
    }
    for (one, other) in [
        ("src/a", "src"),
        ("src", "src-2"),
        ("src", "SRC"),
        ("*.rs", "*.r?"),
        ("**/.env", "."),
        ("src/**/x", "src"),
    ] {
        assert!(!pattern(one).covers(&pattern(other)), "{one} {other}");
    }
}

#[test]
fn an_error_says_what_is_wrong_and_what_would_be_right() {
    let long = "x".repeat(5000);
    // Deep enough to end a process by its stack, were it compiled.
    let nested = format!("{}a{}", "{".repeat(2000), "}".repeat(2000));
    let unclosed = "*/{".repeat(1300);
    for (text, parts) in [
        ("", &["is empty", "write `.`"][..]),
        ("a\0b", &[r"`a\0b`", "NUL"]),
        (" secrets", &["` secrets`", "blank", "leave it out"]),
        ("secrets\t", &[r"`secrets\t`", "blank"]),
        ("a\u{7}b", &[r"`a\u{7}b`", "control character", "write `?`"]),
        ("a\nb", &[r"`a\nb`", "control character"]),
        (
            "!secrets",
            &["`!secrets`", "excludes nothing", "a rule of its own"],
        ),
        ("$HOME/x", &["`$HOME/x`", "variable", "write `~/`"]),
        ("${HOME}/x", &["variable"]),
        ("$PWD/x", &["variable", "nothing for the root"]),
        ("file:///srv/x", &["`file:///srv/x`", "URL", "`hosts`"]),
        ("~root/x", &["`~root/x`", "write `./~root/x`"]),
        ("../../../x", &["above `/`", "less `..`"]),
        ("src/*/../x", &["a `..` follows a glob"]),
        ("src/**.rs", &["`**` of `**.rs`", "`**/`"]),
        ("{a/**,b}/*", &["`**`"]),
        (
            "src/[a/b",
            &[
                "`[a/b` in `src/[a/b` is not a glob",
                "unclosed",
                r"after a `\`",
            ],
        ),
        ("a/*}/b", &["`*}` in `a/*}/b` is not a glob"]),
        ("a/[z-a]", &["`[z-a]`"]),
        ("[äö]/x", &["beyond ASCII", "{ä,ö}"]),
        (r"src\main.rs", &["separated by `/`"]),
        (&long, &["`xxxx", "5000 bytes", "at most 4096"]),
        (&nested, &["braces", "several patterns"]),
        (&unclosed, &["braces", "several patterns"]),
    ] {
        let error = PathPattern::new(text, Path::new(ROOT)).unwrap_err();
        for part in parts {
            assert!(error.message.contains(part), "{text}: {}", error.message);
        }
    }
    let error = PathPattern::new("src", Path::new("ws")).unwrap_err();
    assert!(error.message.contains("not an absolute path"));
}

#[test]
fn what_only_resembles_a_slip_is_a_path() {
    both("a secret", &format!("{ROOT}/a secret"), true);
    both("a!b", &format!("{ROOT}/a!b"), true);
    both("?secrets", &format!("{ROOT}/!secrets"), true);
    both("[ ]secrets", &format!("{ROOT}/ secrets"), true);
    both("$x", &format!("{ROOT}/$x"), true);
    both("a?b", &format!("{ROOT}/a\u{7}b"), true);
}

/// The requests that a tool makes for a path, judged by one pattern.
fn judge(text: &str, root: &Path, side: Side, access: FileAccess) -> Match {
    let requests = access.into_requests().unwrap();
    let place = FileAccess::place_of(&requests[0]).unwrap();
    PathPattern::new(text, root)
        .unwrap()
        .matches(side, &Names::of(&place))
}

#[test]
fn links_are_followed_on_both_sides() {
    let dir = tempfile::tempdir().unwrap();
    let root = &dir.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join("data/secret")).unwrap();
    std::fs::create_dir_all(root.join("ws")).unwrap();
    symlink("../data", root.join("ws/link")).unwrap();
    symlink("../data/new", root.join("ws/dangling")).unwrap();
    let read = |path: &str| FileAccess::read(root.join(path));
    let write = |path: &str| FileAccess::write(root.join(path));
    for (text, access) in [
        ("data/secret", read("ws/link/secret/x")),
        ("ws/link/secret", read("data/secret/x")),
        ("ws/link", read("ws/link/secret/x")),
        ("ws/link", write("ws/link")),
        ("data/new", write("ws/dangling")),
        ("ws/dangling", write("data/new/x")),
    ] {
        let found = judge(text, root, Side::Restrict, access.clone());
        assert!(is_yes(found), "{text} {access:?}");
    }
    assert!(is_yes(judge("ws/link", root, Side::Allow, read("data/x"))));
    assert_eq!(judge("ws", root, Side::Allow, read("ws/link/x")), Match::No);
    assert_eq!(
        judge("ws", root, Side::Allow, write("ws/dangling")),
        Match::No
    );
}

#[test]
fn another_name_than_the_real_one_is_no_less_close_than_any() {
    let dir = tempfile::tempdir().unwrap();
    let root = &dir.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join("data/pub/deep/er")).unwrap();
    symlink("data/pub", root.join("link")).unwrap();
    let access = FileAccess::read(root.join("link/deep/er/x"));
    let asks = PathPattern::new(".", root).unwrap();
    assert!(is_yes(judge(
        "link/deep",
        root,
        Side::Restrict,
        access.clone()
    )));
    // A link that was made after the policy: only the name is the rule's.
    symlink("data/pub", root.join("later")).unwrap();
    let early = PathPattern::new("later2", root).unwrap();
    symlink("data/pub", root.join("later2")).unwrap();
    let requests = FileAccess::read(root.join("later2/deep/er/x"))
        .into_requests()
        .unwrap();
    let place = FileAccess::place_of(&requests[0]).unwrap();
    let Match::Yes(closeness) = early.matches(Side::Restrict, &Names::of(&place)) else {
        panic!()
    };
    let Match::Yes(allowed) = asks.matches(Side::Allow, &Names::of(&place)) else {
        panic!()
    };
    assert!(closeness > allowed);
    assert_eq!(early.matches(Side::Allow, &Names::of(&place)), Match::No);
}

#[test]
fn a_link_is_written_where_it_lies_too() {
    let dir = tempfile::tempdir().unwrap();
    let root = &dir.path().canonicalize().unwrap();
    for path in ["kept", "ws"] {
        std::fs::create_dir(root.join(path)).unwrap();
    }
    std::fs::write(root.join("ws/file"), "x").unwrap();
    symlink("../ws/file", root.join("kept/link")).unwrap();
    symlink("../kept", root.join("ws/dir")).unwrap();
    let path = root.join("ws/dir/link");
    for access in [FileAccess::write(&path), FileAccess::write_tree(&path)] {
        assert!(is_yes(judge("kept", root, Side::Restrict, access)));
    }
    let read = FileAccess::read(root.join("ws/dir/link"));
    assert_eq!(judge("kept", root, Side::Restrict, read), Match::No);
}
