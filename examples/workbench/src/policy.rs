//! `workbench policy check` and `workbench policy explain`, and the policy of all other commands.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use toolwright::arguments::Arguments;
use toolwright::permission::PermissionChecker;
use toolwright::{Executor, ToolCall, ToolSpec};
use toolwright_policy::PermissionPolicy;

use crate::calls;
use crate::cli::{Cli, PolicyCommand, Problem};
use crate::source::standard_input;
use crate::terminal::safe;

/// Reads the policy that was asked for, for the tools of the root.
pub(crate) fn load(cli: &Cli) -> Result<Option<Arc<PermissionPolicy>>, Problem> {
    let Some(file) = &cli.policy else {
        return Ok(None);
    };
    let root = cli.canonical_root()?;
    Ok(Some(Arc::new(PermissionPolicy::load(file, root)?)))
}

/// Does one of the commands that tell of a policy.
pub(crate) fn tell(
    policy: &PermissionPolicy,
    executor: &Executor,
    command: &PolicyCommand,
) -> Result<ExitCode, Problem> {
    match command {
        PolicyCommand::Check => check(policy, executor),
        PolicyCommand::Explain {
            call, arguments, ..
        } => explain(policy, executor, call, arguments.as_deref()),
    }
}

/// Tells what is wrong with a policy for these tools, or that nothing is.
fn check(policy: &PermissionPolicy, executor: &Executor) -> Result<ExitCode, Problem> {
    let tools = executor.tools();
    let tools: Vec<&ToolSpec> = tools.specs().collect();
    let problems = policy.problems(&tools);
    if !problems.is_empty() {
        let lines = problems.iter().map(|problem| format!("- {problem}"));
        return Err(Problem::Unfit(lines.collect()));
    }
    let rules = policy.rules().len();
    let rules = format!("{rules} rule{}", if rules == 1 { "" } else { "s" });
    writeln!(io::stdout(), "{rules}, no problem").map_err(Problem::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// Tells what the policy says of a call, and which rules say it; the call is not made.
fn explain(
    policy: &PermissionPolicy,
    executor: &Executor,
    name: &str,
    arguments: Option<&str>,
) -> Result<ExitCode, Problem> {
    let text = match (name, arguments) {
        ("-", None) => standard_input()?,
        (line, None) if line.trim_start().starts_with('{') => line.to_owned(),
        (name, arguments) => {
            let arguments = match arguments {
                None => String::new(),
                Some("-") => standard_input()?,
                Some(text) => text.to_owned(),
            };
            let call = ToolCall::new(name, Arguments::from(arguments));
            return explain_call(policy, executor, &call);
        }
    };
    let call = calls::parse_one(text.trim().as_bytes()).map_err(Problem::NotACall)?;
    explain_call(policy, executor, &call)
}

fn explain_call(
    policy: &PermissionPolicy,
    executor: &Executor,
    call: &ToolCall<'_>,
) -> Result<ExitCode, Problem> {
    let session = executor.session("workbench");
    let preview = match session.preview(call) {
        Ok(preview) => preview,
        // A call that would never get to its permissions; a model would read the same.
        Err(error) => {
            writeln!(io::stdout(), "{}", safe::text(&error.to_string()))
                .map_err(Problem::Output)?;
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut out = io::stdout().lock();
    for repair in preview.repairs() {
        writeln!(out, "repaired: {}", safe::text(&repair.to_string())).map_err(Problem::Output)?;
    }
    let explanation = policy.explain(&preview.call(), preview.requests());
    writeln!(out, "{}", safe::text(&explanation.to_string())).map_err(Problem::Output)?;
    Ok(ExitCode::SUCCESS)
}
