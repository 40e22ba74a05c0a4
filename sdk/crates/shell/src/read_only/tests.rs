#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

use super::*;
use crate::ShellLine;

/// Returns what a line reads, if all it does is read.
fn reads(line: &str) -> Option<Vec<String>> {
    let line = ShellLine::parse(line).unwrap();
    let files = line.commands()[0].read_only(Path::new("/r"))?;
    let shown = |file: &FileUse| match &file.path {
        Some(path) => path.display().to_string(),
        None => "?".to_owned(),
    };
    Some(files.iter().map(shown).collect())
}

#[test]
fn what_only_reads_says_what() {
    let cases: [(&str, &[&str]); 52] = [
        ("ls", &["/r"]),
        ("ls -la", &["/r"]),
        ("grep -rn x --include=*.rs src", &["/r/src"]),
        ("ls -la src /x", &["/r/src", "/x"]),
        ("cat a ../b", &["/r/a", "/r/../b"]),
        ("cat $X", &["?"]),
        ("head -20 a", &["/r/a"]),
        ("tail -n 5 a", &["/r/a"]),
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
        ("[ -f a ]", &["/r/a"]),
        ("LC_ALL=C ls a", &["/r/a"]),
        ("ls --block-size x", &["/r/x"]),
        ("cat -- -n", &["/r/-n"]),
        ("cut -d, -f 1 a", &["/r/a"]),
        ("cut -d $X a", &["?", "/r/a"]),
        ("grep -A 3 -nB2 x a", &["/r/a"]),
        ("grep -- -x a", &["/r/a"]),
        ("grep --odd x a", &["/r/x", "/r/a"]),
        ("grep \"$X\" a", &["?", "/r/a"]),
        ("grep \"x $X\" a", &["/r/a"]),
        ("grep --exclude-from=l x a", &["/r/l", "/r/x", "/r/a"]),
        ("grep -fl a", &["/r/l", "/r/l", "/r/a"]),
        ("grep -nf/l x a", &["/l", "/r/f/l", "/l", "/r/x", "/r/a"]),
        ("du -sh -X l a", &["/r/l", "/r/a"]),
        ("date -u +%F", &[]),
        ("date --date='1 day ago' -Iseconds", &[]),
        ("find", &["/r/."]),
        (
            "find a /b -name '*.rs' -not -path \"$X\" -print0",
            &["/r/a", "/b"],
        ),
        (
            "find . -type f \\( -name a -o -size +1M \\) -prune",
            &["/r/."],
        ),
        ("sed -n 5p a", &["/r/a"]),
        ("sed -n '1,20p;30,$p' a b", &["/r/a", "/r/b"]),
        ("sed -n '$p'", &[]),
        ("set -euo pipefail", &[]),
        ("set -- a b", &[]),
        ("export A=1 PATH=/x B=$X C", &[]),
        ("command -v cargo", &[]),
        ("which cargo", &[]),
        ("echo a && b", &[]),
        ("echo x/*", &["/r/x/*"]),
        ("printf %s x/*", &["/r/x/*"]),
        ("cat *.md", &["/r/*.md"]),
        ("cat -*", &["/r/-*"]),
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
        "wc --files0-from=f",
        "md5sum -c f",
        "grep -R x .",
        "grep -nR x .",
        "grep --dereference-recursive x .",
        "diff -r a b",
        "file -z a",
        "date -s x",
        "date 01010000",
        "date -f a",
        "date $X",
        "find . -exec a {} \\;",
        "find . -name x -delete",
        "find . -fprint f",
        "find . -fls f",
        "find . -name $X",
        "find $X",
        "find *",
        "find . $X",
        "find -L . -name x",
        "find . -files0-from f",
        "sed -n p a",
        "sed 1p a",
        "sed -n 1p a -i",
        "sed -n 1p $X",
        "sed -n '1e x' a",
        "sed -n '1w x' a",
        "sed -n '1,2,3p' a",
        "sed -n '/x/p' a",
        "sed -n \"${X}p\" a",
        "set",
        "export",
        "export -p",
        "command -p x",
        "env",
        "printenv",
        "python3 -c x",
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
