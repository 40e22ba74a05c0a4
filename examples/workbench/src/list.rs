//! `workbench list`.

use std::io::{self, IsTerminal as _, Write};

use toolwright::{Executor, ToolSpec};
use toolwright_providers::{ListOptions, Strict, ToolList};

use crate::chat::ChatApi;
use crate::cli::{Problem, Strictness};
use crate::terminal::{self, safe};

pub(crate) fn list(executor: &Executor, json: bool) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    if json {
        let tools = executor.tools();
        let specs: Vec<&ToolSpec> = tools.specs().collect();
        serde_json::to_writer_pretty(&mut out, &specs).map_err(io::Error::from)
    } else {
        let columns = out.is_terminal().then(terminal::columns);
        table(executor, columns)
            .iter()
            .try_for_each(|line| writeln!(out, "{line}"))
    }
    .and_then(|()| if json { writeln!(out) } else { Ok(()) })
    .map_err(Problem::Output)
}

/// Writes the list as an API takes it, and tells what it does not take.
pub(crate) fn list_for(
    executor: &Executor,
    api: ChatApi,
    strict: Strictness,
) -> Result<(), Problem> {
    let strict = match strict {
        Strictness::Auto => Strict::Auto,
        Strictness::Force => Strict::Force,
        Strictness::Never => Strict::Never,
    };
    let options = ListOptions::new().strict(strict);
    let list = ToolList::with_options(api.api(), &executor.tools(), options)?;
    let report = list.report();
    if !report.is_empty() {
        // `eprintln!` panics where nobody reads it.
        let _ = writeln!(io::stderr(), "{}", safe::text(&report.to_string()));
    }
    writeln!(io::stdout(), "{}", list.as_str()).map_err(Problem::Output)
}

/// The least columns for descriptions beside all else.
const BESIDE: usize = 30;

/// Columns of equal width, with a line of headings. On a terminal without room for them the description of a tool
/// stands below its name.
fn table(executor: &Executor, columns: Option<usize>) -> Vec<String> {
    let mut rows = vec![["NAME", "EFFECT", "ARGUMENTS", "DESCRIPTION"].map(str::to_owned)];
    rows.extend(executor.tools().specs().map(|spec| {
        let description = spec.description();
        [
            spec.name().to_string(),
            spec.effect().as_str().to_owned(),
            arguments(spec),
            description.lines().next().unwrap_or_default().to_owned(),
        ]
    }));
    let width = |column: usize| {
        let lengths = rows.iter().map(|row| row[column].chars().count());
        lengths.max().unwrap_or_default()
    };
    let [a, b, c] = [width(0), width(1), width(2)];
    let before = a + b + c + 6;
    let is_narrow = columns.is_some_and(|columns| columns < before + BESIDE);
    let lines = rows.iter().map(|[name, effect, arguments, description]| {
        let out = io::stdout();
        if is_narrow {
            let head = format!("{name:a$}  {effect:b$}  {arguments}");
            let head = terminal::wrapped(&head, a + b + 4, &out);
            let description = terminal::wrapped(&format!("    {description}"), 4, &out);
            format!("{head}\n{description}")
        } else {
            let line = format!("{name:a$}  {effect:b$}  {arguments:c$}  {description}");
            terminal::wrapped(&line, before, &out)
        }
    });
    lines.collect()
}

/// The names of the arguments, those that may be left out in brackets.
fn arguments(spec: &ToolSpec) -> String {
    let schema = spec.input_schema();
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|name| name.as_str())
        .collect();
    let optional = schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(|properties| properties.keys())
        .filter(|name| !required.contains(&name.as_str()))
        .map(|name| format!("[{name}]"));
    let names: Vec<String> = required
        .iter()
        .map(|name| (*name).to_owned())
        .chain(optional)
        .collect();
    names.join(" ")
}
