//! Options for commands.

use super::{quoted, this_request};
use crate::permission::PermissionRequest;
use crate::permission::command::DIRECTORY;
use crate::permission::file::ROOT;
use crate::ticket::{GrantScope, TrustOption};

/// This command where it starts now, and the command with whatever follows it, if it is known to be
/// one that may be offered.
pub(super) fn options(request: &PermissionRequest, options: &mut Vec<TrustOption>) {
    options.push(this_request("just this command, started here", request));
    let Some(words) = words(request) else {
        return;
    };
    let Some(count) = offered(&words) else {
        return;
    };
    let words = &words[..count];
    let details = request.details();
    let place = details.get(ROOT).or_else(|| details.get(DIRECTORY));
    let Some(place) = place.and_then(|place| place.as_str()) else {
        return;
    };
    let Some(shown) = quoted(place) else {
        return;
    };
    options.push(TrustOption::new(
        // The words are plain or come from the list, so they need no quotes.
        format!(
            "every command that begins with `{}`, started below {shown}",
            words.join(" ")
        ),
        GrantScope::command(words.iter().map(String::as_str)).started_in(place),
    ));
}

/// The words of a command. Those of a line are what stands between its blanks: whether the line is nothing but
/// a command of these words, the checker says of what is offered.
fn words(request: &PermissionRequest) -> Option<Vec<String>> {
    let argv = match request.details().get("argv") {
        None => {
            let words = request.target().split_whitespace().take(LOOKED_AT);
            return Some(words.map(str::to_owned).collect());
        }
        Some(argv) => argv.as_array()?,
    };
    argv.iter()
        .map(|word| word.as_str().map(str::to_owned))
        .collect()
}

/// The most words of a beginning that is offered.
const LOOKED_AT: usize = 3;

/// Returns the number of words that make a beginning which may be offered.
///
/// Only programs of this list: nobody knows if another program runs its arguments as code. A list
/// of those that do (`sh -c`, `env`, `find -exec`, `awk`, `make`, `npx` ..) would never be
/// complete. So a bare `git` is not offered either, for `git -c alias.x='!rm -rf .' x` begins with it.
fn offered(words: &[String]) -> Option<usize> {
    let (program, rest) = words.split_first()?;
    if TELLERS.contains(&program.as_str()) {
        return Some(1);
    }
    let sub_commands = sub_commands(program);
    let first = rest.first()?.as_str();
    if sub_commands.contains(&first) {
        return Some(2);
    }
    // `npm run build` is a script of the project by its name.
    let script = rest.get(1)?;
    let is_plain = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphanumeric())
            && word.len() <= 40
            && word
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || b"-_:.".contains(&c))
    };
    let runs_scripts = matches!(program.as_str(), "npm" | "pnpm" | "yarn");
    (runs_scripts && first == "run" && is_plain(script)).then_some(3)
}

/// Programs that tell of names, sizes and times, whatever their options. What tells what is in a
/// file, such as `cat`, would read every file that there is.
const TELLERS: [&str; 9] = [
    "basename", "df", "dirname", "du", "ls", "pwd", "realpath", "stat", "whoami",
];

/// Sub-commands that neither run what their words say nor take something away that is nowhere else.
///
/// Left out of `git`: `fetch`, `pull`, `push`, `clone` and `ls-remote`, whose `--upload-pack` and
/// `--receive-pack` name a program; `grep`, whose `-O` does; `rebase`, `bisect`, `submodule`,
/// `difftool` and `filter-branch`, which run commands; `config`, which says what runs later; and
/// `clean`, `reset`, `restore`, `checkout`, `rm` and `stash`, which take away work.
///
/// Commands that build or test a project run the project's code, as their names say.
fn sub_commands(program: &str) -> &'static [&'static str] {
    match program {
        "git" => &[
            "add",
            "blame",
            "branch",
            "commit",
            "describe",
            "diff",
            "log",
            "ls-files",
            "ls-tree",
            "merge-base",
            "rev-list",
            "rev-parse",
            "shortlog",
            "show",
            "status",
            "tag",
        ],
        "cargo" => &[
            "bench", "build", "check", "clippy", "doc", "fmt", "metadata", "test", "tree",
        ],
        "npm" | "pnpm" | "yarn" => &["test"],
        _ => &[],
    }
}
