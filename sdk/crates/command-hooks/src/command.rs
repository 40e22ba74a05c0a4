//! The hook that runs a program.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;

use toolwright::content::ErrorKind;
use toolwright::hook::{AfterCall, AfterDecision, AfterTool, BeforeDecision, BeforeTool, HookCall};
use toolwright::registry::Selector;
use toolwright::{Content, ToolError};

use crate::cache::Cache;
use crate::failure::HookFailure;
use crate::input::{HookInput, Response};
use crate::run::Program;
use crate::verdict::Verdict;

/// The time that a program may take by default.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

#[doc = include_str!("../docs/command_hook.md")]
///
/// A clone has a cache of its own, which is empty.
#[derive(Clone)]
pub struct CommandHook {
    name: Option<String>,
    program: Program,
    tools: Selector,
    timeout: Duration,
    cache: Option<Cache>,
    every_result: bool,
    keep_result: bool,
}

impl CommandHook {
    /// A hook that runs a program, without arguments. One that is no path is looked for in `PATH`; there
    /// is no shell, so a line for one is an argument: `sh`, `-c`, the line.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            name: None,
            program: Program::new(program.into()),
            tools: Selector::all(),
            timeout: DEFAULT_TIMEOUT,
            cache: None,
            every_result: false,
            keep_result: false,
        }
    }

    /// Adds an argument of the program.
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.program.arguments.push(argument.into());
        self
    }

    /// Adds arguments of the program.
    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        let arguments = arguments.into_iter().map(Into::into);
        self.program.arguments.extend(arguments);
        self
    }

    /// Sets the directory that the program runs in. Default: that of the host.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.program.directory = Some(directory.into());
        self
    }

    /// Sets a variable of the program's environment, beside those that it inherits.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.program.variables.push((name.into(), value.into()));
        self
    }

    /// Keeps the host's environment from the program, which then has what [`env`](Self::env) sets and
    /// nothing else, `PATH` included. Default: it inherits all of it.
    pub fn env_clear(mut self) -> Self {
        self.program.inherits = false;
        self
    }

    /// Sets which tools the hook is for. Default: `*`, all tools. The program does not run for others.
    ///
    /// A tool that is [explicit-only](toolwright::ToolSpec::with_explicit_only) is like any other here.
    pub fn tools(mut self, tools: Selector) -> Self {
        self.tools = tools;
        self
    }

    /// Sets how long the program may take. Default: 30 seconds. It never has longer than
    /// [any hook](toolwright::executor::Limits::hook_timeout).
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Keeps what the program has said of a call for so long, in memory, and says the same of equal calls
    /// meanwhile without running it. Default: it runs for each call.
    ///
    /// Calls are equal when session, tool and canonical arguments are, and after a call what it gave as
    /// well. That the program failed or took too long is never kept.
    pub fn cache(mut self, lifetime: Duration) -> Self {
        self.cache = Some(Cache::new(lifetime));
        self
    }

    /// Has the hook see every result, errors included. Default: as a hook after calls it runs after those
    /// that succeeded.
    pub fn every_result(mut self) -> Self {
        self.every_result = true;
        self
    }

    /// Has the model read what the program says after a call (exit code 2) beside what the call gave, as
    /// suits a linter. Default: in place of it.
    pub fn keep_result(mut self) -> Self {
        self.keep_result = true;
        self
    }

    /// Sets what the hook is called in reports and logs. Default: the name of its program.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    fn shown_name(&self) -> &str {
        let of_program = || {
            let program = Path::new(&self.program.file);
            program.file_name().and_then(OsStr::to_str)
        };
        let name = self.name.as_deref().or_else(of_program);
        name.unwrap_or("a command")
    }

    /// Returns the verdict of the program on a call, or the one that it gave on an equal call.
    async fn ask(
        &self,
        call: &HookCall<'_>,
        response: Option<Response<'_>>,
    ) -> Result<Verdict, HookFailure> {
        let said = HookInput::of(call, response)?;
        let key = match &self.cache {
            Some(cache) => {
                let key = said.key()?;
                if let Some(verdict) = cache.get(&key) {
                    return Ok(verdict);
                }
                Some((cache, key))
            }
            None => None,
        };
        let ended = self.program.run(&said.to_line()?, self.timeout).await?;
        let verdict = Verdict::of(ended)?;
        if let Some((cache, key)) = key {
            cache.put(key, verdict.clone());
        }
        Ok(verdict)
    }
}

#[async_trait]
impl BeforeTool for CommandHook {
    async fn before(&self, call: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
        if !call.is_selected_by(&self.tools) {
            return Ok(BeforeDecision::proceed());
        }
        match self.ask(call, None).await {
            Ok(Verdict::Go) => Ok(BeforeDecision::proceed()),
            // A full stop follows.
            Ok(Verdict::No(reason)) => Ok(BeforeDecision::veto(
                reason.strip_suffix('.').unwrap_or(&reason),
            )),
            Err(fault) => {
                let what = format!("`{}` was not run", call.tool_name());
                Err(fault.into_error(&what, self.shown_name()))
            }
        }
    }

    fn name(&self) -> &str {
        self.shown_name()
    }
}

#[async_trait]
impl AfterTool for CommandHook {
    async fn after(&self, call: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
        let output = call.output();
        let is_for = self.every_result || !output.is_error();
        if !is_for || !call.is_selected_by(&self.tools) {
            return Ok(AfterDecision::keep());
        }
        let held_back = || format!("what `{}` gave was held back", call.tool_name());
        match self.ask(call, Some(Response::of(call))).await {
            Ok(Verdict::Go) => Ok(AfterDecision::keep()),
            Ok(Verdict::No(remark)) if self.keep_result => {
                let remark = format!("A check after this call says: {remark}");
                Ok(AfterDecision::replace(
                    output.clone().with(Content::text(remark)),
                ))
            }
            Ok(Verdict::No(reason)) => Err(ToolError::new(
                ErrorKind::Denied,
                format!("{} by a check after it: {reason}", held_back()),
            )
            .with_code("vetoed")),
            Err(fault) => Err(fault.into_error(&held_back(), self.shown_name())),
        }
    }

    fn name(&self) -> &str {
        self.shown_name()
    }
}

/// Without its arguments and variables, which may hold what is not for a log.
impl fmt::Debug for CommandHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandHook")
            .field("name", &self.shown_name())
            .field("tools", &self.tools)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of this row of the page of defaults is that of the code.
    #[test]
    fn the_page_of_defaults_has_the_timeout() {
        let page = include_str!("../../../docs/defaults.md");
        let row = page
            .lines()
            .find(|line| line.starts_with("| timeout of a command hook |"))
            .unwrap();
        let value = row.split('|').nth(2).unwrap().trim();
        assert_eq!(
            value,
            format!("{} s", CommandHook::new("true").timeout.as_secs())
        );
    }
}
