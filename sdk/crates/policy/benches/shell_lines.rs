//! The shell lines that cost most: time and memory from a request to its verdict, each under a policy that
//! looks at commands and files. It fails if a line takes more than 100 ms or 64 MiB.
//!
//! `cargo bench -p toolwright-policy --bench shell_lines`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use toolwright::arguments::Arguments;
use toolwright::permission::{CallView, CommandAccess, IntoRequests, PermissionChecker};
use toolwright::{Tool, tool};
use toolwright_policy::{PermissionPolicy, Rule};

/// Run a line of bash.
#[tool(name = "shell.run")]
fn run(line: String) -> usize {
    line.len()
}

/// The longest line that is parsed, in bytes.
const LONGEST: usize = 8 * 1024;

const MOST_TIME: Duration = Duration::from_millis(100);
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The number of times that each line is judged; the fastest counts.
const ROUNDS: usize = 5;

/// Repeats a unit as often as it fits into a line.
fn filled(start: &str, unit: &str, end: &str) -> String {
    let count = (LONGEST - start.len() - end.len()) / unit.len();
    format!("{start}{}{end}", unit.repeat(count))
}

fn nested(open: &str, close: &str, count: usize) -> String {
    open.repeat(count) + "a" + &close.repeat(count)
}

fn lines() -> Vec<(&'static str, String)> {
    let braces = "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b} ";
    let cases = nested("case a in a) ", " esac", 3);
    vec![
        (
            "usual",
            "git status --short && cargo test 2>&1 | tail -5".into(),
        ),
        ("endless delimiter", "<<$[ |n ".into()),
        ("document in an expansion", "${<<E\n}\nE".into()),
        ("1 MiB", "a ".repeat(512 * 1024)),
        ("parentheses", "(".repeat(LONGEST)),
        ("substitutions", nested("$(a ", ")", 15)),
        ("substitutions, open", filled("", "$(", "")),
        ("texts in quotes", nested("\"$(a ", ")\"", 14)),
        ("expansions", nested("\"${x:-$(a ", ")}\"", 7)),
        ("brace groups", nested("{ ", "; }", 60)),
        ("ifs", nested("if a; then ", "; fi", 60)),
        ("cases, long", filled(&cases, "; a b c d", "")),
        ("case, open", filled("case a in a) ", "a;", "")),
        ("commands", filled("", "a;", "a")),
        ("pipes", filled("", "a|", "a")),
        ("substitutions in a row", filled("a ", "$(a) ", "")),
        ("tests", filled("", "[ a ];", "a")),
        ("tests in one", filled("[[ ", "a && ", "a ]]")),
        ("groups of a pattern", filled("[[ a =~ ", "(a|b)", " ]]")),
        ("arithmetic", filled("((", "1+", "1))")),
        ("arithmetic in parentheses", filled("((", "(1)+", "1))")),
        ("arithmetic, open", filled("((", "(", "")),
        ("brackets", filled("a ", "[", "")),
        ("braces, open", filled("a ", "{", "")),
        ("braces", filled("a ", "{a,b}", "")),
        ("braces that expand", filled("a ", braces, "")),
        ("indices", filled("a ", "a[", "")),
        ("an array", filled("a=(", "[1]=b ", ")")),
        ("variables", filled("a \"", "$x", "\"")),
        ("assignments", filled("", "x=1 ", "a")),
        ("documents", filled("a ", "<<E ", "\nE")),
        ("a document", filled("a <<E\n", "b\n", "E")),
        (
            "a document with substitutions",
            filled("a <<E\n", "$(b)\n", "E"),
        ),
        (
            "documents in substitutions",
            filled("a ", "\"$(cat <<'E'\nE\n)\" ", ""),
        ),
        ("find that runs many", filled("find ", "-exec a \\; ", "")),
        (
            "find that runs long ones",
            filled("find ", braces, &" -exec a \\;".repeat(30)),
        ),
        (
            "wrappers",
            filled("env nice timeout 5 sh -c 'sh -c \"", "a; ", "\"'"),
        ),
        ("patterns", filled("cat ", "*/*.rs ", "")),
        ("a pattern of many files", "cat many/*/*".into()),
        ("patterns of many files", filled("cat ", "many/*/* ", "")),
        (
            "100 patterns of directories",
            format!("cat {}", "many/*/[a-z] ".repeat(100)),
        ),
        ("a pattern of many names", filled("cat *", "/.", "")),
        (
            "deep patterns",
            format!("cat {}", ["*", &"/.".repeat(63), " "].concat().repeat(60)),
        ),
        ("a large directory", "grep -r a many".into()),
        ("a large directory, asked", "a many".into()),
        ("large directories", filled("cat ", "many ", "")),
        ("words that may be paths", filled("a ", "x=y:z,", "")),
        ("words that are paths", filled("a ", "src/a ", "")),
        ("a long path", filled("cat ", "src/../", "src/a")),
        ("changes of directory", filled("", "cd src;", "cat a")),
    ]
}

fn main() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    fs::create_dir(root.join("src")).unwrap();
    fs::write(root.join("src/a.rs"), "").unwrap();
    for at in 0..30 {
        let directory = root.join("many").join(at.to_string());
        fs::create_dir_all(&directory).unwrap();
        for at in 0..1_000 {
            fs::write(directory.join(at.to_string()), "").unwrap();
        }
    }
    let policy = PermissionPolicy::builder(&root)
        .rules([
            Rule::allow().read_only_commands(),
            Rule::allow().commands(["git status", "cargo test"]),
            Rule::ask().commands(["rm", "find * -delete"]),
            Rule::deny().commands(["git push --force"]),
            Rule::deny().paths(["secrets", "**/.env"]),
        ])
        .build()
        .unwrap();
    let arguments = Arguments::from(r#"{"line": ""}"#);
    let call = CallView::new(Run.spec(), &arguments);
    let mut failed = false;
    println!(
        "{:32} {:>10} {:>10} {:>12}",
        "line", "bytes", "ms", "peak KiB"
    );
    for (name, line) in lines() {
        let access = CommandAccess::shell(&line).in_directory(&root);
        let requests = access.into_requests().unwrap();
        let mut fastest = Duration::MAX;
        let mut peak = 0;
        for _ in 0..ROUNDS {
            let counted = allocation_counter::measure(|| {
                let start = Instant::now();
                for request in &requests {
                    black_box(policy.check_request(&call, request));
                }
                fastest = fastest.min(start.elapsed());
            });
            peak = peak.max(counted.bytes_max);
        }
        let over = fastest > MOST_TIME || peak > MOST_BYTES;
        failed |= over;
        println!(
            "{name:32} {:10} {:10.2} {:12} {}",
            line.len(),
            fastest.as_secs_f64() * 1e3,
            peak / 1024,
            if over { "TOO MUCH" } else { "" }
        );
    }
    assert!(
        !failed,
        "a line takes more than {MOST_TIME:?} or {MOST_BYTES} bytes"
    );
}
