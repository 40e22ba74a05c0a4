//! workbench: tools for files and texts, run on a directory by hand or from a model's calls.
//!
//! Exit codes: 2 for wrong usage, or a ticket that is refused; else 130 after Ctrl-C (128 and the
//! number of the signal that asked to end); else 4 if a call waits for an answer; else 3 if a call was
//! denied; else 1 if a call failed, or a journal is not what was written or does not replay; else 0. A `chat` about one
//! message has 1 if there is no answer, and not for a call that failed; one at its prompt has 0.

mod calls;
mod chat;
mod cli;
mod files;
mod interrupt;
mod journal;
mod list;
mod mcp;
mod outside;
mod policy;
#[cfg_attr(not(unix), path = "no_process.rs")]
mod process;
mod prompt;
mod run;
mod serve;
mod source;
mod suspend;
mod terminal;
mod tools;
mod trust;
mod watch;
mod workspace;

use std::error::Error as _;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use tokio::runtime::Runtime;
use toolwright::executor::{Approvals, Limits, WaitMode};
use toolwright::permission::{AllowAll, DenyAll};
use toolwright::{Executor, ExecutorBuilder};
use toolwright_policy::PermissionPolicy;

use cli::{Cli, Command, Problem};
use files::Files;
use mcp::Servers;
use process::Processes;
use run::Bench;
use suspend::Suspension;
use watch::Watch;
use workspace::Workspace;

/// The longest time that a server waits at its end for what blocks a thread.
const ENDING: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    // Whoever started workbench may have left more files open than the first three. The programs that
    // it starts are to get none of them.
    #[cfg(unix)]
    close_fds::set_fds_cloexec(3, &[]);
    let cli = Cli::parse();
    let serves = matches!(cli.command, Command::Serve(_));
    let runtime = match Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return ended(Err(Problem::Runtime(error))),
    };
    let code = ended(runtime.block_on(work(cli)));
    if serves {
        // A read of standard input may wait for ever: nothing but the client can end it.
        runtime.shutdown_timeout(ENDING);
    }
    code
}

/// The exit code of a command. Its problem is written to standard error.
fn ended(done: Result<ExitCode, Problem>) -> ExitCode {
    match done {
        Ok(code) => code,
        // Whoever reads our output has seen enough.
        Err(Problem::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(problem) => {
            tell(&problem);
            ExitCode::from(2)
        }
    }
}

/// Writes a problem and its causes to standard error. `eprintln!` panics where nobody reads it.
fn tell(problem: &Problem) {
    let mut out = io::stderr().lock();
    // It may hold names of files, and words of others.
    let mut text = format!("workbench: {problem}\n");
    let mut source = problem.source();
    while let Some(cause) = source {
        let _ = writeln!(text, "  because: {cause}");
        source = cause.source();
    }
    let text = terminal::wrapped(&terminal::safe::text(&text), 0, &out);
    let _ = out.write_all(text.as_bytes());
}

async fn work(mut cli: Cli) -> Result<ExitCode, Problem> {
    suspend::recall(&mut cli);
    let processes = Processes::of(&cli)?;
    let policy = policy::load(&cli)?;
    let suspension = Suspension::of(&cli)?;
    // A policy that does not fit the tools keeps an executor from being built, and has to be explained all the
    // same.
    let told_of = matches!(cli.command, Command::Policy(_));
    let ruling = policy.clone().filter(|_| !told_of);
    let watch = Watch::start(&cli);
    let servers = Servers::connect(&cli, watch.as_ref()).await?;
    let mut builder = set_up(
        &cli,
        &servers,
        &processes,
        suspension.as_ref(),
        ruling,
        watch.as_ref(),
    )?;
    if let Some(journal) = journal::open(&cli)? {
        builder = builder.call_recorder(journal);
    }
    let executor = builder.build()?;
    servers.follow(&executor);
    let bench = Bench {
        cli: &cli,
        executor: &executor,
        processes: &processes,
        suspension: suspension.as_ref(),
        watch: watch.as_ref(),
    };
    let done = match &cli.command {
        Command::List { json, api, strict } => match api {
            Some(api) => list::list_for(&executor, *api, *strict),
            None => list::list(&executor, *json),
        }
        .map(|()| ExitCode::SUCCESS),
        Command::Chat(chat) => chat::chat(&bench, chat).await,
        Command::Serve(serve) => serve::serve(&bench, serve).await,
        Command::Call {
            name, arguments, ..
        } => run::one(&bench, name, arguments.as_deref())
            .await
            .map(|tally| tally.exit_code()),
        Command::Run { calls, .. } => run::all(&bench, calls).await.map(|tally| tally.exit_code()),
        Command::Tickets { .. } => suspend::list(&bench).await.map(|()| ExitCode::SUCCESS),
        Command::Resume(resume) => suspend::resume(&bench, resume)
            .await
            .map(|tally| tally.exit_code()),
        Command::Policy(command) => policy
            .ok_or(Problem::NoPolicy)
            .and_then(|policy| policy::tell(&policy, &executor, command)),
        Command::Journal(command) => journal::tell(&executor, command).await,
        Command::Settle(settle) => journal::settle(&cli, settle)
            .await
            .map(|()| ExitCode::SUCCESS),
    };
    // The processes of a cancelled call are ended in the background.
    processes.idle().await;
    servers.close();
    done
}

fn set_up(
    cli: &Cli,
    servers: &Servers,
    processes: &Processes,
    suspension: Option<&Suspension>,
    policy: Option<Arc<PermissionPolicy>>,
    watch: Option<&Watch>,
) -> Result<ExecutorBuilder, Problem> {
    let workspace = Workspace::open(cli.root()).map_err(|error| Problem::Root {
        root: cli.root().to_owned(),
        error,
    })?;
    let files: Arc<dyn Files> = Arc::new(workspace);
    let mut builder = Executor::builder(servers.add_to(toolwright::discover!()?))
        .resource_arc(files)
        .resource(processes.clone())
        .limits(Limits::new().max_input_bytes(calls::MAX_CALL))
        .strict(cli.is_strict())
        .approvals(Approvals::new().no_approver_hint(
            "`workbench --yes` allows it, or a rule of a policy (`--policy FILE`).",
        ));
    if let Some(watch) = watch {
        builder = builder.events(watch.channel());
    }
    if let Some(policy) = policy {
        builder = builder
            .permission_checker(policy)
            .approvals(Approvals::new().no_approver_hint(
                "A rule of the policy could allow it: `workbench policy explain` tells of each.",
            ));
    } else if cli.yes {
        builder = builder.permission_checker(AllowAll);
    } else if cli.deny {
        builder = builder.permission_checker(DenyAll);
    }
    Ok(match suspension {
        Some(suspension) => suspension.set_up(builder),
        // The person is at the client.
        None if matches!(cli.command, Command::Serve(_)) => builder.approvals(WaitMode::Suspending),
        None if terminal::is_attended() => builder.approvals(WaitMode::Blocking),
        None => builder,
    })
}
