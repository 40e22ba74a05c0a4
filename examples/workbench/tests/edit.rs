//! `fs.edit` on files as they occur.

use std::fs;

use serde_json::{Value, json};

use crate::{Bench, Ended};

fn edit(bench: &Bench, arguments: &Value) -> Ended {
    bench.call_with(&["--yes"], "fs.edit", arguments)
}

#[test]
fn the_diff_is_the_result() {
    let bench = Bench::new();
    bench.tree(&[("sub/a.txt", "one\ntwo\nthree\nfour\nfive\nsix\n")]);
    let arguments = json!({"path": "sub/a.txt", "old": "two\nthree", "new": "2\nand\n3"});
    let diff = "--- sub/a.txt\n+++ sub/a.txt\n@@ -1,6 +1,7 @@\n one\n-two\n-three\n+2\n+and\n+3\n \
                four\n five\n six\n";
    let mut preview = arguments.clone();
    preview["preview"] = json!(true);
    assert_eq!(edit(&bench, &preview).exits(0), diff);
    assert!(bench.read("sub/a.txt").contains("two"));
    assert_eq!(edit(&bench, &arguments).exits(0), diff);
    assert_eq!(bench.read("sub/a.txt"), "one\n2\nand\n3\nfour\nfive\nsix\n");
    // Nothing is left of the work.
    assert_eq!(fs::read_dir(bench.path("sub")).unwrap().count(), 1);

    let denied = bench.call(
        "fs.edit",
        &json!({"path": "sub/a.txt", "old": "one", "new": ""}),
    );
    assert!(
        denied.exits(3).contains("needs approval"),
        "{}",
        denied.stdout
    );
}

#[test]
fn what_is_not_there_once_changes_nothing() {
    let bench = Bench::new();
    let text = "aaa\n\tlet x = 1;\nab\nab\n";
    for (old, new, said) in [
        (
            "aa",
            "b",
            "`old` is in `a.txt` 2 times, on lines 1, 1: give more",
        ),
        ("ab", "b", "2 times, on lines 3, 4"),
        ("zzz", "b", "`old` is not in `a.txt`\n"),
        (
            "let  x = 1;",
            "b",
            "With other white space it is on line 2:\n     2\t\tlet x = 1;",
        ),
        (
            "let y = 1;",
            "b",
            "The nearest is on line 2:\n     2\t\tlet x = 1;",
        ),
        ("ab", "ab", "there is nothing to change"),
        ("", "b", "`/old`"),
        ("     1\taaa", "b", "`old` is not in"),
    ] {
        bench.file("a.txt", text);
        let ended = edit(&bench, &json!({"path": "a.txt", "old": old, "new": new}));
        assert!(ended.exits(1).contains(said), "{said}: {}", ended.stdout);
        assert_eq!(bench.read("a.txt"), text);
    }
    let all = json!({"path": "a.txt", "old": "ab", "new": "", "all": true});
    edit(&bench, &all).exits(0);
    assert_eq!(bench.read("a.txt"), "aaa\n\tlet x = 1;\n\n\n");
    edit(&bench, &all).exits(1);
}

#[test]
fn ends_of_lines_and_of_files_stay() {
    let bench = Bench::new();
    for (before, old, new, after) in [
        ("a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n"),
        ("a\r\nb\r\nc", "b", "1\n2", "a\r\n1\r\n2\r\nc"),
        ("a\nb\r\nc\n", "b\r\nc", "x", "a\nx\n"),
        ("a\nb", "b", "c", "a\nc"),
        ("a\nb", "\nb", "", "a"),
        ("\u{feff}a\n", "a", "b", "\u{feff}b\n"),
        ("süß 世界 🦀\n", "世界", "Welt", "süß Welt 🦀\n"),
        ("a\u{0}b\n", "b", "c", "a\u{0}c\n"),
    ] {
        bench.file("a.txt", before);
        edit(&bench, &json!({"path": "a.txt", "old": old, "new": new})).exits(0);
        assert_eq!(bench.read("a.txt"), after, "{before:?}");
    }
    bench.file("a.txt", "a\r\nb\nc\n");
    let mixed = edit(&bench, &json!({"path": "a.txt", "old": "a\nb", "new": "x"}));
    assert!(mixed.exits(1).contains("ends of lines"), "{}", mixed.stdout);
}

#[test]
fn what_is_no_text_file_is_refused() {
    let bench = Bench::new();
    bench
        .file("binary", b"a\xff")
        .file("empty", "")
        .file("huge", "x\n".repeat(9 * 1024 * 1024));
    fs::create_dir(bench.path("folder")).unwrap();
    for (path, said) in [
        ("binary", "`binary` is not UTF-8 text"),
        ("empty", "`old` is not in `empty`"),
        ("huge", "is larger than 16 MiB"),
        ("folder", "`folder` is not a file"),
        (".", "`.` is not a file"),
        ("missing", "`missing` does not exist"),
        ("empty/below", "`empty/below`"),
    ] {
        let ended = edit(&bench, &json!({"path": path, "old": "a", "new": "b"}));
        assert!(ended.exits(1).contains(said), "{path}: {}", ended.stdout);
    }
}

#[test]
fn every_line_of_a_large_file_is_edited() {
    let bench = Bench::new();
    bench.file("large.txt", "old line\n".repeat(200_000));
    let arguments = json!({"path": "large.txt", "old": "old", "new": "new", "all": true});
    let diff = edit(&bench, &arguments);
    let text = diff.exits(0);
    assert!(text.starts_with("--- large.txt") && text.len() < 50_000);
    assert!(text.contains("further lines left out"), "{}", text.len());
    assert_eq!(bench.read("large.txt"), "new line\n".repeat(200_000));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn change(path: &str) -> Value {
        json!({"path": path, "old": "a", "new": "b"})
    }

    #[test]
    fn the_mode_stays_and_read_only_is_kept() {
        let bench = Bench::new();
        for mode in [0o755, 0o600, 0o664] {
            bench.file("a.txt", "a");
            fs::set_permissions(bench.path("a.txt"), fs::Permissions::from_mode(mode)).unwrap();
            edit(&bench, &change("a.txt")).exits(0);
            let metadata = fs::metadata(bench.path("a.txt")).unwrap();
            assert_eq!(metadata.mode() & 0o777, mode);
            assert_eq!(bench.read("a.txt"), "b");
        }
        bench.file("locked.txt", "a");
        fs::set_permissions(bench.path("locked.txt"), fs::Permissions::from_mode(0o444)).unwrap();
        let locked = edit(&bench, &change("locked.txt"));
        assert_eq!(locked.exits(1), "`locked.txt` is read-only\n");
        assert_eq!(bench.read("locked.txt"), "a");
    }

    #[test]
    fn links_stay_links_and_other_names_see_the_change() {
        let bench = Bench::new();
        bench.tree(&[("sub/a.txt", "a")]);
        symlink("sub/a.txt", bench.path("link")).unwrap();
        edit(&bench, &change("link")).exits(0);
        assert_eq!(bench.read("sub/a.txt"), "b");
        let link = fs::symlink_metadata(bench.path("link")).unwrap();
        assert!(link.is_symlink());

        bench.file("sub/a.txt", "a");
        fs::hard_link(bench.path("sub/a.txt"), bench.path("other")).unwrap();
        edit(&bench, &change("other")).exits(0);
        assert_eq!(bench.read("sub/a.txt"), "b");
    }
}
