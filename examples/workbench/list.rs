//! `workbench list`.

use std::io::{self, Write};

use toolwright::{Executor, ToolSpec};

use crate::cli::Problem;

pub(crate) fn list(executor: &Executor, json: bool) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    if json {
        let tools = executor.tools();
        let specs: Vec<&ToolSpec> = tools.specs().collect();
        serde_json::to_writer_pretty(&mut out, &specs).map_err(io::Error::from)
    } else {
        table(executor)
            .iter()
            .try_for_each(|line| writeln!(out, "{line}"))
    }
    .and_then(|()| if json { writeln!(out) } else { Ok(()) })
    .map_err(Problem::Output)
}

/// Columns of equal width, with a line of headings.
fn table(executor: &Executor) -> Vec<String> {
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
    let widths = [width(0), width(1), width(2)];
    rows.iter()
        .map(|[name, effect, arguments, description]| {
            let [a, b, c] = widths;
            format!("{name:a$}  {effect:b$}  {arguments:c$}  {description}")
        })
        .collect()
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
