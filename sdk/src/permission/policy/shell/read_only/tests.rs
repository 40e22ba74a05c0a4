#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

use super::*;
use crate::permission::policy::shell::ShellLine;

/// What a line reads, if all it does is read.
fn reads(line: &str) -> Option<Vec<String>> {
    let line = ShellLine::parse(line).unwrap();
    let files = read_only(&line.parts()[0], Path::new("/r"))?;
    let shown = |file: &FileUse| match &file.path {
        Some(path) => path.display().to_string(),
        None => "?".to_owned(),
    };
    Some(files.iter().map(shown).collect())
}

#[test]
fn what_only_reads_says_what() {
    let cases: [(&str, &[&str]); 21] = [
        ("ls", &["/r"]),
        ("ls -la", &["/r"]),
        ("wc --files0-from=f", &["/r/f"]),
        ("ls -la src /x", &["/r/src", "/x"]),
        ("cat a ../b", &["/r/a", "/r/../b"]),
        ("cat $X", &["?"]),
        ("head -20 a", &["/r/a"]),
        ("tail -n 5 a", &["/r/5", "/r/a"]),
        ("wc -l", &[]),
        ("echo a $X", &[]),
        ("printf '%s\\n' a", &[]),
        ("grep -r x src", &["/r/src"]),
        ("grep x", &["/r"]),
        ("grep -e x src", &["/r/x", "/r/src"]),
        ("sort -u -k 2 a", &["/r/a"]),
        ("sort -- -o", &["/r/-o"]),
        ("uniq -c a", &["/r/a"]),
        ("diff -u a b", &["/r/a", "/r/b"]),
        ("cd src", &[]),
        ("[ -f a ]", &["/r/a", "/r/]"]),
        ("LC_ALL=C ls a", &["/r/a"]),
    ];
    for (line, expected) in cases {
        assert_eq!(
            reads(line).as_deref(),
            Some(expected.map_into()).as_deref(),
            "{line}"
        );
    }
}

trait MapInto {
    fn map_into(&self) -> Vec<String>;
}

impl MapInto for &[&str] {
    fn map_into(&self) -> Vec<String> {
        self.iter().map(|text| (*text).to_owned()).collect()
    }
}

#[test]
fn what_may_do_more_does_not_count() {
    for line in [
        "sort -o f a",
        "sort -uof a",
        "sort --output=f a",
        "sort --outp=f a",
        "sort --compress-program=x a",
        "sort -T d a",
        "sort $X",
        "sort a -o f",
        "uniq a b",
        "uniq $X",
        "diff -l a b",
        "tree -o f",
        "file -C -m x",
        "printf -v x y",
        "find . -name x",
        "sed -n p a",
        "awk 1 a",
        "git log",
        "tee f",
        "rm f",
        "cd $X",
        "cd -",
        "./ls",
        "/bin/ls",
        "PATH=. ls",
        "$X",
        "rg x",
    ] {
        assert_eq!(reads(line), None, "{line}");
    }
}
