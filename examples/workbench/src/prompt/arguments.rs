//! Arguments that a person changes: in the editor of `VISUAL` or `EDITOR`, else in one line.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::sheet;
use crate::terminal::{Left, Terminal, safe};

/// Has arguments changed until they are a JSON object that nothing speaks against.
pub(super) fn edit(
    terminal: &mut Terminal,
    arguments: Option<&Value>,
    problem: impl Fn(&Value) -> Option<String>,
) -> Result<Value, Left> {
    let before = arguments.cloned().unwrap_or_default();
    let editor = editor();
    let mut text = match editor {
        Some(_) => safe::json(&before) + "\n",
        None => safe::compact_json(&before),
    };
    loop {
        text = match &editor {
            Some(editor) => in_editor(terminal, editor, &text)?,
            None => terminal.line("The arguments, as JSON:", &text)?,
        };
        let problem = match serde_json::from_str::<Value>(&text) {
            Ok(value) if value.is_object() => match problem(&value) {
                None => return Ok(value),
                Some(problem) => problem,
            },
            Ok(_) => "arguments are a JSON object".to_owned(),
            Err(error) => format!("this is not JSON: {error}"),
        };
        terminal.tell(&sheet::problem(&problem))?;
        // An editor would come up at once, and nobody would have read why.
        if editor.is_some() {
            terminal.line("Enter edits it again.", "")?;
        }
    }
}

/// Has a text of several lines written: in one row where there is no editor.
pub(super) fn text(terminal: &mut Terminal, title: &str, text: &str) -> Result<String, Left> {
    match editor() {
        Some(editor) => in_editor(terminal, &editor, text),
        None => terminal.lines(title, text),
    }
}

fn editor() -> Option<String> {
    ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|editor| !editor.is_empty()))
}

/// Has a text changed in an editor. It stands in a directory of its own, which also what the editor
/// writes beside it goes with.
fn in_editor(terminal: &mut Terminal, editor: &str, text: &str) -> Result<String, Left> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("arguments.json");
    fs::File::create_new(&path)?.write_all(text.as_bytes())?;
    let withdrawn = terminal.withdrawn().clone();
    let ended = terminal.lend(|| run(editor, &path, || withdrawn.is_cancelled()))?;
    match ended {
        Ok(Some(status)) if status.success() => Ok(fs::read_to_string(&path)?),
        Ok(None) => Err(Left::Withdrawn),
        Ok(Some(status)) => {
            let problem = format!("the editor failed ({status})");
            terminal.tell(&sheet::problem(&problem))?;
            Err(Left::Back)
        }
        Err(error) => {
            let problem = format!("the editor `{editor}` cannot be run: {error}");
            terminal.tell(&sheet::problem(&problem))?;
            Err(Left::Back)
        }
    }
}

/// The time between checks for the end of the editor.
const LOOK: Duration = Duration::from_millis(50);

/// Runs an editor on a file. `None`: it was ended, because nobody asks any more.
fn run(editor: &str, path: &Path, withdrawn: impl Fn() -> bool) -> io::Result<Option<ExitStatus>> {
    // With its options, as git and others take it: the shell takes it apart.
    let mut command = if cfg!(unix) {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{editor} \"$@\"")).arg("sh");
        command
    } else {
        Command::new(editor)
    };
    let mut child = command
        .arg(path)
        // Standard output may be a file, and the screen is here.
        .stdout(Stdio::from(io::stderr()))
        .spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if withdrawn() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK);
    }
}
