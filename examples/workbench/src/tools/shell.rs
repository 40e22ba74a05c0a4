//! Running shell lines.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toolwright::content::ErrorKind;
use toolwright::permission::{CommandAccess, IntoRequests as _, RequestPreview, Verdict};
use toolwright::{ToolContext, ToolError, ToolOutput, tool};

use crate::process::{Directory, Ended, How, Job, Processes, Streamed};

/// Run a line of bash and return what it prints and its exit status.
///
/// Standard output and standard error are returned together, as they come. Of much output the start
/// and the end are returned. There is no terminal, and standard input is empty unless `input` is
/// given. When the line has ended, what it started in the background is ended too.
///
/// # Errors
///
/// Fails if the line cannot be run, or takes too long. A line that fails is no error: see its exit status.
#[tool(
    name = "shell.run",
    title = "Run a shell line",
    category = "shell",
    destructive,
    open_world,
    // The longest timeout that a call can ask for, and the time that ending a line takes.
    timeout = "61m",
    validate = passable,
    permission = access(command, directory, processes)
)]
async fn run_line(
    /// The line, for bash.
    #[arg(length = 1..)]
    command: String,
    /// The directory to run in, relative to the workspace.
    #[arg(default = ".")]
    directory: PathBuf,
    /// Seconds until the line is ended.
    #[arg(default = 120, range = 1..=3600)]
    timeout: u32,
    /// The text that the line reads from standard input.
    input: Option<String>,
    processes: &Processes,
    ctx: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let job = Job {
        directory: judged(&command, &directory, processes, ctx)?,
        line: command,
        input,
        timeout: Duration::from_secs(timeout.into()),
    };
    let ran = processes.run(job, Streamed::of(ctx)).await;
    let Ended { how, mut output } = ran.map_err(ToolError::from_source)?;
    if !output.is_empty() && !output.ends_with('\n') {
        output.push('\n');
    }
    match how {
        How::Exited(status) => {
            // Writing to a string cannot fail.
            let _ = write!(output, "[{status}]");
            let output = ToolOutput::text(output);
            Ok(match status.code() {
                Some(code) => output.with_metadata("exit_code", code),
                None => output,
            })
        }
        How::TimedOut => Err(ToolError::new(
            ErrorKind::TimedOut,
            format!(
                "{output}[the line was ended at its timeout of {timeout} s; what it did until then is done]"
            ),
        )),
    }
}

fn access(command: &str, directory: &Path, processes: &Processes) -> CommandAccess {
    CommandAccess::shell(command)
        .in_directory(directory)
        .within(processes.root())
        .with_preview(preview(command, directory))
}

/// The directory, held open, if the line may run just there: the path may lead elsewhere since the call
/// was judged.
fn judged(
    command: &str,
    directory: &Path,
    processes: &Processes,
    ctx: &ToolContext,
) -> Result<Directory, ToolError> {
    let shown = directory.display();
    let requests = access(command, directory, processes).into_requests()?;
    let denied = |why: &str| {
        let tool = ctx.tool_name();
        ToolError::denied(format!("`{tool}` was denied: `{shown}` {why}"))
    };
    let [request] = &requests[..] else {
        return Err(denied("cannot be judged"));
    };
    let real = request.details().get("directory");
    let real = real.and_then(|real| real.as_str()).unwrap_or_default();
    let held = Directory::open(Path::new(real)).map_err(|error| {
        ToolError::failed(match error.kind() {
            io::ErrorKind::NotADirectory => format!("`{shown}` is not a directory"),
            kind => format!("`{shown}` cannot be entered: {kind}"),
        })
        .with_source(error)
    })?;
    // The held directory has no link in its path, so it is the one that the request names.
    match ctx.verdict(request) {
        Verdict::Allow => Ok(held),
        _ => Err(denied("leads elsewhere than when it was allowed")),
    }
}

fn preview(command: &str, directory: &Path) -> RequestPreview {
    let directory = directory.display();
    RequestPreview::command(format!("# in `{directory}`\n{command}"))
}

/// Refuses a line that the system cannot pass on, before anybody is asked.
#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "a `validate` gets references"
)]
fn passable(
    command: &str,
    directory: &Path,
    _timeout: &u32,
    _input: &Option<String>,
) -> Result<(), ToolError> {
    if command.contains('\0') || directory.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(ToolError::failed(
            "a NUL character cannot be passed to a program",
        ));
    }
    Ok(())
}
