//! Bash with nothing but stubs to run.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::{LineCommand, Word};

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

/// A stub writes its words, and then the watched variables as it got them, to a file of its own: a process
/// is at most one stub. Each is ended by a NUL.
const STUB: &str = "#!/bin/sh\nprintf '%s\\0' \"${0##*/}\" \"$@\" > \"$STUB_LOG/ran.$$\"\nexit 0\n";

/// Variables that decide what later commands are, read or find, and some that bash gives attributes to.
pub(super) const WATCHED: [&str; 18] = [
    "HOME",
    "PATH",
    "CDPATH",
    "GLOBIGNORE",
    "IFS",
    "PS4",
    "ENV",
    "PROMPT_COMMAND",
    "EXECIGNORE",
    "FIGNORE",
    "LC_ALL",
    "LANG",
    "LD_PRELOAD",
    "GIT_DIR",
    "GIT_PAGER",
    "BASH_COMPAT",
    "BASH_XTRACEFD",
    "POSIXLY_CORRECT",
];

/// Bash reads this before the line (`BASH_ENV`), and what it says runs when the shell of the line ends.
/// Each variable stands beside the attributes it has, so that a value that stays the same counts as well
/// where it became a number, a reference or an array.
const BEFORE: &str = "trap 'for w in $WATCHED; do printf \"%s\\0\" \"$w ${!w@a} ${!w-unset}\"; done \
                      > \"$STUB_LOG/set.$BASHPID\"' EXIT\n";

pub(super) struct Bash {
    root: tempfile::TempDir,
}

/// The effects of a line that bash ran.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// The commands that ran, each as its words.
    pub(super) ran: Vec<Vec<String>>,
    /// The variables of [`WATCHED`] that are not as they were.
    pub(super) set: Vec<String>,
    /// The files that were made.
    pub(super) made: Vec<String>,
}

impl Bash {
    pub(super) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("bin")).unwrap();
        fs::write(root.path().join("before"), BEFORE).unwrap();
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

    /// Runs a line in bash. The line starts with one file, `v`, that holds an expression.
    pub(super) fn does(&self, line: &str) -> Done {
        let root = self.root.path();
        // Each line has its own place, because a command left in the background may make a file later.
        let place = tempfile::tempdir_in(root).unwrap();
        let (log, work) = (place.path().join("log"), place.path().join("work"));
        fs::create_dir(&log).unwrap();
        fs::create_dir(&work).unwrap();
        fs::write(work.join("v"), VALUE_OF_FILE).unwrap();
        let set = |command: &mut Command| {
            command.env_clear();
            command.env("PATH", root.join("bin"));
            command.env("STUB_LOG", &log);
            command.env("HOME", &work);
            command.env("BASH_ENV", root.join("before"));
            command.env("WATCHED", WATCHED.join(" "));
            command.current_dir(&work);
            command.stdin(Stdio::null());
            // Standard output is a pipe, so that commands in the background are waited for, too.
            command.stdout(Stdio::piped());
            command.stderr(Stdio::null());
        };
        // Killed, with all that it started, if it does not end: nothing is lost but what it had
        // run by then.
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "10", "bash"]);
        command.args(["--norc", "--noprofile", "-c", line]);
        set(&mut command);
        run(&mut command);
        let mut done = Done::default();
        let logged: Vec<PathBuf> = fs::read_dir(&log)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        for file in logged {
            let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
            let words: Vec<String> = text
                .strip_suffix('\0')
                .map(|text| text.split('\0').map(str::to_owned).collect())
                .unwrap_or_default();
            let name = file.file_name().unwrap().to_string_lossy();
            if name.starts_with("ran.") && !words.is_empty() {
                done.ran.push(words);
            } else if name.starts_with("set.") {
                let changed = words.iter().filter(|word| !self.is_as_it_was(word, &work));
                let name = |word: &String| word.split(' ').next().unwrap_or_default().to_owned();
                done.set.extend(changed.map(name));
            }
        }
        done.set.sort_unstable();
        done.set.dedup();
        for entry in fs::read_dir(&work).unwrap() {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            if name != "v" {
                done.made.push(name);
            }
        }
        done
    }

    /// Returns true if a watched variable, as [`BEFORE`] writes it, is as it was at the start.
    fn is_as_it_was(&self, written: &str, home: &Path) -> bool {
        let start = match written.split(' ').next() {
            Some("HOME") => format!("HOME x {}", home.display()),
            Some("PATH") => format!("PATH x {}", self.root.path().join("bin").display()),
            Some("IFS") => "IFS  \u{20}\t\n".to_owned(),
            Some("PS4") => "PS4  + ".to_owned(),
            Some(name) => format!("{name}  unset"),
            None => return true,
        };
        written == start
    }
}

/// Runs `timeout`, and ends what its command has left behind, such as a loop in `<(..)`: all of it is in the group of
/// `timeout`, whose number is taken as long as nobody has waited for it.
fn run(command: &mut Command) {
    let mut child = command.spawn().expect("bash and timeout have to be there");
    let group = Pid::from_child(&child);
    let mut output = child.stdout.take().unwrap();
    io::copy(&mut output, &mut io::sink()).unwrap();
    waitid(
        WaitId::Pid(group),
        WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
    )
    .unwrap();
    let _ = kill_process_group(group, Signal::KILL);
    child.wait().unwrap();
}

/// The content of the file `v`: a value that runs something if it is worked out as arithmetic.
const VALUE_OF_FILE: &str = "b[$(p3 file)]";

/// Returns true if a part may be this command.
pub(super) fn covers(part: &LineCommand, ran: &[String]) -> bool {
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
