#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

use super::*;
use crate::ShellLine;

/// Returns what a line opens, with `?` for what is not known.
fn opened(line: &str) -> Vec<String> {
    let files = ShellLine::parse(line).unwrap().files(Path::new("/r"));
    files.iter().map(shown).collect()
}

fn shown(file: &FileUse) -> String {
    let access = match file.access {
        Access::Read => "r",
        Access::Write => "w",
    };
    let path = file.path.as_ref().map(|path| path.display().to_string());
    format!("{access} {}", path.as_deref().unwrap_or("?"))
}

#[test]
fn the_shell_opens_what_is_redirected() {
    let cases: [(&str, &[&str]); 18] = [
        ("a > f", &["w /r/f"]),
        ("a >> /x/f 2>&1", &["w /x/f"]),
        ("a >| f < g", &["w /r/f", "r /r/g"]),
        ("a &> f", &["w /r/f"]),
        ("a >& f", &["w /r/f"]),
        ("a <> f", &["r /r/f", "w /r/f"]),
        ("a > /dev/null 2>&1 <&- 2>&-", &[]),
        ("a > $X", &["w ?"]),
        ("cd b && a > f", &["w /r/b/f"]),
        ("cd b; a > f", &["w ?"]),
        ("cd b; a > /f", &["w /f"]),
        ("(cd b && a > f); a > g", &["w /r/b/f", "w /r/g"]),
        ("cd b/../c && a > f", &["w /r/c/f"]),
        ("cd $X && a > f", &["w ?"]),
        ("for i in 1 2; do a > f; cd b; done", &["w ?"]),
        ("{ a; } > f", &["w /r/f"]),
        ("a > >(b > f)", &["w /r/f"]),
        ("a $(b > f) \"$(c < g)\"", &["w /r/f", "r /r/g"]),
    ];
    for (line, expected) in cases {
        assert_eq!(opened(line), expected, "{line}");
    }
}

#[test]
fn any_word_may_name_a_file() {
    let line = ShellLine::parse("a x --o=/y -o/z b=@/w h:/v $Q").unwrap();
    let named = |access| line.commands()[0].named_files(Path::new("/r"), access);
    let files = [named(Access::Read), named(Access::Write)].concat();
    let paths: Vec<String> = files.iter().map(shown).collect();
    for path in ["/r/x", "/y", "/z", "/w", "/v"] {
        assert!(paths.contains(&format!("r {path}")), "{path}: {paths:?}");
        assert!(paths.contains(&format!("w {path}")), "{path}: {paths:?}");
    }
    assert!(paths.contains(&"r ?".to_owned()));
}

#[test]
fn the_home_directory_is_known() {
    let line = ShellLine::parse("a > ~/x; b > ~root/y").unwrap();
    let files = line.files(Path::new("/r"));
    assert_eq!(
        files[0].path,
        std::env::home_dir().map(|home| home.join("x"))
    );
    assert_eq!(files[1].path, None);
    assert!(ShellLine::parse("HOME=/x; a > ~/x").is_err());
}
