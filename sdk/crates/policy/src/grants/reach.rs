//! Words by which a command goes beyond what its beginning says.
//!
//! A grant of `git log` is one to look at the log. `git log --output=FILE` writes any file, and
//! `git diff /dev/null FILE` shows any; both begin so. The programs here are those whose beginnings
//! are offered to whoever answers. Of any other a grant covers whatever follows its words:
//! whoever grants it in code knows the program.

use crate::line::line_of;
use toolwright::PermissionRequest;
use toolwright::ticket::GrantScope;

/// Returns what a word of a program begins with by which it reaches further. Of `git` long options may be
/// shortened, down to what no other option begins with.
fn beginnings(program: &str) -> impl Iterator<Item = &'static str> + Clone {
    let beginnings = match program {
        // `--output`, `--no-index`, `--contents`, `--ext-diff`, `--file`, `--pathspec-from-file`; and
        // paths that lead out of where it starts.
        "git" => r"--ou --no-i --con --ext --fi -F --pathspec-f --te / ~ ../ ..\",
        "cargo" => "-C -Z --config --manifest-path --out-dir --target-dir +",
        "npm" | "pnpm" | "yarn" => {
            "-C --prefix --dir --cwd --script-shell --scriptShell --node-options --nodeOptions --userconfig \
             --globalconfig"
        }
        // `--files0-from`, whose complaints about names show what is in any file.
        "du" => "--f",
        _ => "",
    };
    beginnings.split_ascii_whitespace()
}

fn climbs(program: &str, word: &str) -> bool {
    program == "git" && (word.contains("/../") || word.ends_with("/.."))
}

/// Returns true if a word of a command of a request reaches further than the command begins, and was not
/// granted itself.
pub(super) fn line_reaches_further(request: &PermissionRequest, grants: &[&GrantScope]) -> bool {
    let words = grants.iter().filter_map(|covers| match covers {
        GrantScope::Command { words, .. } => words.get(1..),
        _ => None,
    });
    let granted: Vec<&String> = words.flatten().collect();
    let Ok((line, _)) = line_of(request) else {
        return true;
    };
    line.commands().iter().any(|part| {
        let Some(program) = part.program() else {
            return true;
        };
        let beginnings = beginnings(program);
        part.words().iter().skip(1).any(|word| match word.known() {
            Some(known) if granted.iter().any(|granted| *granted == known) => false,
            Some(known) => {
                climbs(program, known) || beginnings.clone().any(|begin| known.starts_with(begin))
            }
            // It may be any of them.
            None => beginnings.clone().any(|begin| word.may_start_with(begin)),
        })
    })
}
