//! What bash runs is among the parts: random lines, run by bash with nothing but stubs to run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy does not see that these are tests"
)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Part, ShellLine, Word};

/// The programs that only say that they ran.
const STUBS: [&str; 7] = ["p0", "p1", "p2", "p3", "rm", "git", "cd2"];

/// The programs that lines may run besides: they run others, or print.
const REAL: [&str; 9] = [
    "env",
    "nice",
    "timeout",
    "xargs",
    "cat",
    "bash",
    "nohup",
    "find",
    "rmdir-not-there",
];

/// A stub writes its words to a file of its own, which no other process opens: each word ended by a
/// NUL. `$$` is unique while it runs, and `mktemp` makes it unique after.
const STUB: &str = "#!/bin/bash\nPATH=/usr/bin:/bin\nf=$(mktemp \"$STUB_LOG/XXXXXXXXXX\")\n\
                    printf '%s\\0' \"${0##*/}\" \"$@\" > \"$f\"\nexit 0\n";

struct Bash {
    root: tempfile::TempDir,
}

impl Bash {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for name in ["bin", "log", "work"] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        for stub in STUBS {
            let path = root.path().join("bin").join(stub);
            fs::write(&path, STUB).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for real in REAL {
            let found = ["/usr/bin", "/bin"]
                .map(|place| Path::new(place).join(real))
                .into_iter()
                .find(|path| path.exists());
            if let Some(found) = found {
                symlink(found, root.path().join("bin").join(real)).unwrap();
            }
        }
        Self { root }
    }

    /// The commands that bash runs for a line.
    fn runs(&self, line: &str) -> Vec<Vec<String>> {
        let root = self.root.path();
        // Killed, with all that it started, if it does not end: nothing is lost but what it had
        // run by then.
        let log = tempfile::tempdir_in(root.join("log")).unwrap();
        let output = Command::new("timeout")
            .args([
                "-s",
                "KILL",
                "10",
                "bash",
                "--norc",
                "--noprofile",
                "-c",
                line,
            ])
            .current_dir(root.join("work"))
            .env_clear()
            .env("PATH", root.join("bin"))
            .env("STUB_LOG", log.path())
            .env("HOME", root.join("work"))
            .stdin(Stdio::null())
            // A pipe, so that what goes on in the background is waited for, too.
            .stderr(Stdio::null())
            .output();
        output.expect("bash and timeout have to be there");
        let mut ran = Vec::new();
        let files: Vec<PathBuf> = fs::read_dir(log.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        for file in files {
            let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
            let words: Vec<String> = text
                .strip_suffix('\0')
                .map(|text| text.split('\0').map(str::to_owned).collect())
                .unwrap_or_default();
            if !words.is_empty() {
                ran.push(words);
            }
        }
        ran
    }
}

/// Whether a part may be this command.
fn covers(part: &Part, ran: &[String]) -> bool {
    let by_base = |word: &Word, text: &str| match word {
        Word::Known(known) => known.rsplit('/').next() == Some(text),
        Word::Unknown(_) => word.splits() || word.may_be(text),
    };
    match part.words().split_first() {
        Some((first, rest)) if first.splits() => {
            (0..=ran.len()).any(|taken| aligned(rest, &ran[taken..]))
        }
        Some((first, rest)) => {
            ran.first().is_some_and(|program| by_base(first, program)) && aligned(rest, &ran[1..])
        }
        None => false,
    }
}

fn aligned(words: &[Word], ran: &[String]) -> bool {
    match words.split_first() {
        None => ran.is_empty(),
        Some((word, rest)) if word.splits() => (0..=ran.len()).any(|taken| {
            ran[..taken].iter().all(|text| word.may_be(text)) && aligned(rest, &ran[taken..])
        }),
        Some((word, rest)) => ran
            .split_first()
            .is_some_and(|(text, left)| word.may_be(text) && aligned(rest, left)),
    }
}

/// Random lines (a xorshift generator: the same lines for the same seed).
struct Lines {
    state: u64,
}

impl Lines {
    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % u64::try_from(end).unwrap()).unwrap()
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn word(&mut self, depth: usize) -> String {
        let plain = [
            "a",
            "'b c'",
            "\"d e\"",
            "\\;f",
            "$'g\\x41\\n'",
            "a#b",
            "''",
            "x=1",
            "\"h\\\"i\"",
            "'$(p0)'",
            "n\\\no",
            "${u:-i}",
            "*",
            "{j,k}",
            "$((1+2))",
            "'it'\\''s'",
            "-rf",
            "\"`p1 z`\"",
            "#c",
            "~",
            "\"a;b&&c\"",
            "a\\ b",
            "$u",
            "\"$u\"",
            "\"\\$(p2)\"",
            "${u}",
            "x[1]",
            "'a\nb'",
            "\"\\\\\"",
            "!",
            "{}",
            "$",
            "é",
            "a=~/b",
            "[a]",
            "\"${u:-$(p3 q)}\"",
            "${u:-`p2 q`}",
            "@(a)",
            "${#u}",
        ];
        if depth == 0 || self.below(4) > 0 {
            return self.one(&plain).to_owned();
        }
        let inner = self.list(depth - 1);
        match self.below(5) {
            0 => format!("$({inner})"),
            1 => format!("\"x$({inner})y\""),
            2 => format!("<({inner})"),
            3 if !inner.contains(['`', '\\', '\n']) => format!("`{inner}`"),
            _ => format!("pre$({inner} )"),
        }
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut text = String::new();
        match self.below(14) {
            0 => text.push_str("V=1 "),
            1 => text.push_str("env -u Z W=2 "),
            2 => text.push_str("nice -n 1 "),
            3 => text.push_str("timeout 5 "),
            4 => text.push_str("command "),
            5 => text.push_str("xargs -n 9 "),
            6 => text.push_str("builtin eval "),
            7 => text.push_str(">f1 2>&1 "),
            _ => {}
        }
        if depth > 0 && self.below(8) == 0 {
            let inner = self.list(depth - 1).replace('\'', r"'\''");
            let runs = self.one(&["bash -c", "eval", "bash -ec", "env bash -c"]);
            return format!("{text}{runs} '{inner}'");
        }
        text.push_str(self.one(&STUBS));
        for _ in 0..self.below(4) {
            text.push(' ');
            text.push_str(&self.word(depth));
        }
        text.push_str(self.one(&["", "", "", " >f2", " 2>/dev/null", " <<<x", " >&2", " &>f3"]));
        text
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(3) > 0 {
            return self.simple(depth);
        }
        let a = self.list(depth - 1);
        let b = self.list(depth - 1);
        let word = self.word(depth - 1);
        match self.below(13) {
            0 => format!("({a})"),
            1 => format!("{{ {a}\n}}"),
            2 => format!("if {a}\nthen {b}\nelse p0\nfi"),
            3 => format!("for v in {word} 2; do {a}\ndone"),
            4 => format!("case {word} in a) {a}\n;; *) {b}\n;; esac"),
            5 => format!("until {a}\ndo {b}\ndone"),
            6 => format!("! {a}"),
            7 => format!("time {a}"),
            8 => format!("p1 <<E\nx $({a}) 'y\nE"),
            9 => format!("p2 <<'E'\n$({a})\nE"),
            10 => format!("p3 \"$(cat <<'E'\nit's {a}\nE\n)\""),
            11 => format!("[[ -n {word} ]] && {b}"),
            _ => format!("p0 -m \"$(cat <<E\n$({a}) ok\nE\n)\""),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let mut text = self.command(depth);
        for _ in 0..self.below(3) {
            // After a here-document, only a new line ends the command.
            let document = text.ends_with("\nE");
            let between = if document {
                "\n"
            } else {
                self.one(&[
                    "; ", " && ", " || ", " | ", "\n", " & ", " |& ", " # c\n", ";",
                ])
            };
            text.push_str(between);
            text.push_str(&self.command(depth));
        }
        if text.ends_with("\nE") {
            text.push('\n');
        }
        text
    }

    /// A line with some characters taken out or put in.
    fn mangled(&mut self, line: &str) -> String {
        let mut chars: Vec<char> = line.chars().collect();
        let odd: Vec<char> = "'\"\\$(){};|&<>\n #`[]!*~=-E".chars().collect();
        for _ in 0..=self.below(3) {
            let at = self.below(chars.len() + 1);
            match self.below(3) {
                0 if at < chars.len() => {
                    chars.remove(at);
                }
                1 if at < chars.len() => {
                    let from = self.below(chars.len());
                    chars.swap(at, from);
                }
                _ => chars.insert(at, odd[self.below(odd.len())]),
            }
        }
        chars.into_iter().collect()
    }
}

/// A line that nothing is run for: what is in it might reach out of the stubs.
fn is_safe(line: &str) -> bool {
    // No path leads anywhere, but for the few that are meant; no recursion without end.
    let rest = line.replace("/dev/null", "").replace("~/b", "");
    !rest.contains('/') && !rest.contains("()") && !rest.contains("..")
}

fn cases(default: usize) -> usize {
    let asked = std::env::var("TOOLWRIGHT_CASES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn check(bash: &Bash, line: &str) -> bool {
    let Ok(parsed) = ShellLine::parse(line) else {
        return false;
    };
    for ran in bash.runs(line) {
        assert!(
            parsed.parts().iter().any(|part| covers(part, &ran)),
            "bash ran {ran:?} for\n{line}\n{line:?}\nwhich is none of {:#?}",
            parsed.parts().iter().map(Part::words).collect::<Vec<_>>()
        );
    }
    true
}

#[test]
fn what_bash_runs_is_among_the_parts() {
    let bash = Bash::new();
    let mut lines = Lines {
        state: 0x9e37_79b9_7f4a_7c15,
    };
    let mut understood = 0;
    let count = cases(250);
    for number in 0..count {
        let line = lines.list(2);
        let line = if number % 2 == 0 {
            lines.mangled(&line)
        } else {
            line
        };
        if is_safe(&line) && check(&bash, &line) {
            understood += 1;
        }
    }
    // Otherwise the test would show nothing.
    assert!(
        understood > count / 4,
        "{understood} of {count} lines were understood"
    );
}

#[test]
fn lines_that_were_hard_are_read_as_bash_reads_them() {
    let bash = Bash::new();
    for line in [
        "p0 $(p1 \"$(p2 ')' \")\")\")",
        "p0 \"$(p1 \")\" ; p2)\"",
        "p0 `p1 \\`p2 \\\\\\`p3\\\\\\`\\``",
        "p0 <<A <<'B'; p1\n$(p2)\nA\n$(p3)\nB\nrm x",
        "p0 \"$(cat <<'E'\nit's ) \"q\" `p1` $(p2)\nE\n)\"; p3",
        "p0 \"$(cat <<E\n$(p1) `p2` \\$(p3)\nE\n)\"",
        "p0 ${u:-$(p1 \"a b\")} ${u+$(p2)}",
        "r\\\nm -r\\\nf x",
        "$'\\x72\\155' x",
        "{p0,a,b}",
        "'p0' \"p\"1 p\\2",
        "p0 a#b #c; p1\np2",
        "p0 $((1+2)) $(( $(p1) + 1 ))",
        "x=$(p0) y=`p1` p2 <(p3)",
        "bash -c 'p0 \"$@\"' x 'a b' \"c d\"",
        "eval p0 \\$\\(p1\\) ';' p2",
        "echo a | xargs -I{} p0 x{}y {}",
        "find . -maxdepth 0 -exec p0 {} \\; -exec p1 {} +",
        "trap 'p0 x' EXIT; p1",
        "if p0; then p1; fi && ! p2 || p3",
        "case $(p0) in $(p1)) p2;; *) p3;; esac",
        "[[ -n $(p0) || x == $(p1) ]]; p2",
        "for v in $(p0) b; do p1 \"$v\"; done | p2",
        "a=(1 $(p0) \"$(p1)\"); p2",
        "coproc p0 a; wait",
        "(exec p0 a); exec p1",
        "p0 >f$(p1) 2>&1 <<<\"$(p2)\"",
        "time -p p0 & wait",
        "p0 $\"a $(p1)\" \"\\`p2\\`\"",
    ] {
        let _ = check(&bash, line);
    }
}

#[test]
fn token_soup_neither_panics_nor_hangs() {
    let mut lines = Lines {
        state: 0x2545_f491_4f6c_dd1d,
    };
    let tokens = [
        "a",
        " ",
        "'",
        "\"",
        "\\",
        "$",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "`",
        ";",
        "&",
        "|",
        "<",
        ">",
        "\n",
        "#",
        "<<",
        "E\n",
        "if ",
        "then ",
        "fi",
        "for ",
        "in ",
        "do ",
        "done",
        "case ",
        "esac",
        "${",
        "$(",
        "$((",
        "))",
        "=",
        "!",
        "*",
        "~",
        "xargs ",
        "env ",
        "sh -c ",
        "eval ",
        "find ",
        "-exec ",
        "\u{e9}",
        "\u{1f600}",
        "[[ ",
        " ]]",
        "99999999999999999999",
    ];
    for _ in 0..cases(3_000) {
        let length = lines.below(40);
        let line: String = (0..length).map(|_| lines.one(&tokens)).collect();
        let _ = ShellLine::parse(&line);
    }
}
