//! Bash with nothing but stubs to run.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::super::{Part, Word};

/// The programs that only say that they ran.
pub(super) const STUBS: [&str; 7] = ["p0", "p1", "p2", "p3", "rm", "git", "cd2"];

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

pub(super) struct Bash {
    root: tempfile::TempDir,
}

impl Bash {
    pub(super) fn new() -> Self {
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
    pub(super) fn runs(&self, line: &str) -> Vec<Vec<String>> {
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
pub(super) fn covers(part: &Part, ran: &[String]) -> bool {
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
