//! What bash runs is among the parts: random lines, run by bash with nothing but stubs to run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy does not see that these are tests"
)]

mod bash;
mod lines;

use super::{Part, ShellLine};
use bash::{Bash, covers};
use lines::Lines;

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
    let mut understood = 0;
    let count = cases(150);
    for number in 0..count {
        // A seed for each, so that a case is the same whichever ran before it.
        let mut lines = Lines::of_case(number);
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
