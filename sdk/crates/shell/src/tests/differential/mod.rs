//! Random lines, run by bash with nothing but stubs to run. The judge has seen all that bash runs, sets and
//! makes, or the line asks.
//!
//! Half of the lines are made of the grammar ([`lines`]), half of what bash evaluates ([`evaluating`]):
//! arithmetic, subscripts, variables and redirections with values that are expressions themselves.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy does not see that these are tests"
)]

mod bash;
mod evaluating;
mod lines;

use std::path::Path;

use crate::{LineCommand, ShellLine, Word};
use bash::{Bash, Done, covers};
use lines::Lines;

/// The most lines that are shown when some are wrong.
const SHOWN: usize = 12;

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

/// The result of the check of a line.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// The judge asks.
    Asks,
    /// All that bash did was seen.
    Seen,
    /// Bash did something that was not seen.
    Unseen(String),
}

fn check(bash: &Bash, line: &str) -> Found {
    let Ok(parsed) = ShellLine::parse(line) else {
        return Found::Asks;
    };
    let Done { ran, set, made } = bash.does(line);
    // A command that is not known may be any, and do anything.
    let anything = |part: &LineCommand| part.words().first().is_some_and(Word::splits);
    if parsed.commands().iter().any(anything) {
        return Found::Seen;
    }
    for words in ran {
        if !parsed.commands().iter().any(|part| covers(part, &words)) {
            return Found::Unseen(format!("ran {words:?}"));
        }
    }
    for name in set {
        let knows = |part: &LineCommand| part.assignments().iter().any(|one| one.name == name);
        // A line without commands sets nothing that anybody sees.
        if !parsed.commands().iter().all(knows) {
            return Found::Unseen(format!("set {name}"));
        }
    }
    let work = Path::new("/work");
    let files = parsed.files(work);
    for name in made {
        let path = work.join(&name);
        if !files
            .iter()
            .any(|file| file.path.as_ref().is_none_or(|known| *known == path))
        {
            return Found::Unseen(format!("made {name}"));
        }
    }
    Found::Seen
}

/// Checks many lines; gives how many of them were understood.
#[track_caller]
fn check_all(count: usize, line: impl Fn(&mut Lines, usize) -> String) -> usize {
    let bash = Bash::new();
    let mut understood = 0;
    let mut unseen = Vec::new();
    for number in 0..count {
        // A seed for each, so that a case is the same whichever ran before it.
        let mut lines = Lines::of_case(number);
        let line = line(&mut lines, number);
        if !is_safe(&line) {
            continue;
        }
        match check(&bash, &line) {
            Found::Asks => {}
            Found::Seen => understood += 1,
            Found::Unseen(what) => unseen.push(format!("case {number}: bash {what} for\n{line}")),
        }
    }
    assert!(
        unseen.is_empty(),
        "{} of {count} lines do what was not seen:\n{}",
        unseen.len(),
        unseen
            .iter()
            .take(SHOWN)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n\n")
    );
    understood
}

#[test]
fn what_bash_runs_is_among_the_parts() {
    let count = cases(300) / 2;
    let understood = check_all(count, |lines, number| {
        let line = lines.list(2);
        if number % 2 == 0 {
            lines.mangled(&line)
        } else {
            line
        }
    });
    // Otherwise the test would show nothing.
    assert!(
        understood > count / 4,
        "{understood} of {count} lines were understood"
    );
}

#[test]
fn what_bash_evaluates_is_seen_or_asks() {
    let count = cases(300) / 2;
    let understood = check_all(count, |lines, _| lines.evaluating());
    assert!(
        understood > count / 20,
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
        "p0 ${u:-$(p1)} ${u+$(p2)}",
        "r\\\nm -r\\\nf x",
        "$'\\x72\\155' x",
        "{p0,a,b}",
        "'p0' \"p\"1 p\\2",
        "p0 a#b #c; p1\np2",
        "p0 $((1+2)) $(p1); i=0; for ((i=0; i<2; i++)); do p2 $((i+1)); done",
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
        assert_eq!(check(&bash, line), Found::Seen, "{line}");
    }
    // These are too odd to be read.
    for line in [
        "p0 ${u:-$(p1 \"a b\")} ${u+$(p2)}",
        "p0 $((1+2)) $(( $(p1) + 1 ))",
    ] {
        assert_eq!(check(&bash, line), Found::Asks, "{line}");
    }
}

#[test]
fn token_soup_neither_panics_nor_hangs() {
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
    for number in 0..cases(3_000) {
        let mut lines = Lines::of_case(number);
        let length = lines.below(40);
        let line: String = (0..length).map(|_| lines.one(&tokens)).collect();
        let _ = ShellLine::parse(&line);
    }
}
