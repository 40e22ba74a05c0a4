//! The check of a policy against the tools that it is for.

use super::compiled::{CompiledRule, needs};
use super::tools::NamePattern;
use toolwright::spec::{Capability, ToolSpec};
use toolwright::text::nearest;

/// Returns what rules say of tools that there are not.
pub(super) fn problems(rules: &[CompiledRule], shared: bool, tools: &[&ToolSpec]) -> Vec<String> {
    let mut problems = Vec::new();
    for rule in rules {
        let patterns = rule.tools.named.iter().chain(&rule.tools.excluded);
        for pattern in patterns {
            let matches = |tool: &&ToolSpec| pattern.matches(tool.name().as_str()).is_some();
            if tools.iter().any(matches) {
                continue;
            }
            if let Some(name) = owner_of(pattern, tools) {
                // Such a rule does nothing, in whatever app.
                problems.push(format!(
                    "{}: `{}` is another name of the tool `{name}`, and rules go by a tool's own: \
                     write `{name}`",
                    rule.place,
                    pattern.as_str()
                ));
            } else if !shared {
                problems.push(format!(
                    "{}: there is no tool `{}`{}",
                    rule.place,
                    pattern.as_str(),
                    suggestion(pattern, tools)
                ));
            }
        }
        for (pointer, _) in &rule.arguments {
            problems.extend(other_name(rule, pointer, tools));
        }
        if shared {
            continue;
        }
        for pattern in &rule.capabilities {
            if !tools.iter().any(|tool| needs(tool, pattern)) {
                let needed = tools.iter().flat_map(|tool| tool.capabilities());
                let near = nearest(pattern.as_str(), needed.map(Capability::as_str));
                let near = near.map(|near| format!("; did you mean `{near}`?"));
                problems.push(format!(
                    "{}: no tool needs the capability `{pattern}`{}",
                    rule.place,
                    near.unwrap_or_else(left_out)
                ));
            }
        }
    }
    problems
}

/// Returns what is said of a pointer to an argument by a name that none of the rule's tools has it by.
fn other_name(rule: &CompiledRule, pointer: &str, tools: &[&ToolSpec]) -> Option<String> {
    let first = pointer.split('/').nth(1)?;
    let name = first.replace("~1", "/").replace("~0", "~");
    let mut owner = None;
    for tool in tools.iter().filter(|tool| rule.may_speak_of(tool)) {
        let aliases = tool.argument_aliases();
        let found = aliases.into_iter().find(|(alias, _)| *alias == name);
        let has_it = tool.input_schema().pointer(&format!("/properties/{first}"));
        match found {
            Some((_, own)) => owner = owner.or(Some((tool.name(), own))),
            // Another tool has an argument of this name.
            None if has_it.is_some() => return None,
            None => {}
        }
    }
    let (tool, own) = owner?;
    Some(format!(
        "{}: `{name}` is another name of the argument `{own}` of `{tool}`, and rules go by an \
         argument's own: write `{own}`",
        rule.place
    ))
}

/// The tool that has the name as an alias.
fn owner_of<'t>(pattern: &NamePattern, tools: &[&'t ToolSpec]) -> Option<&'t str> {
    if !pattern.is_exact() {
        return None;
    }
    let is_alias = |tool: &&&ToolSpec| {
        let mut aliases = tool.aliases().iter();
        aliases.any(|alias| alias.as_str() == pattern.as_str())
    };
    tools.iter().find(is_alias).map(|tool| tool.name().as_str())
}

fn suggestion(pattern: &NamePattern, tools: &[&ToolSpec]) -> String {
    let names = tools.iter().map(|tool| tool.name().as_str());
    let near = if pattern.is_exact() {
        nearest(pattern.as_str(), names).map(str::to_owned)
    } else {
        // For `sf.*`, the `fs.*` of `fs.read`.
        let segments = pattern.literal().split('.').count();
        let beginnings: Vec<String> = names
            .map(|name| {
                name.split('.')
                    .take(segments.saturating_sub(1))
                    .collect::<Vec<_>>()
            })
            .map(|beginning| beginning.join("."))
            .filter(|beginning| !beginning.is_empty())
            .collect();
        let wrong = pattern.literal().trim_end_matches('.');
        nearest(wrong, beginnings.iter().map(String::as_str)).map(|near| format!("{near}.*"))
    };
    near.map_or_else(left_out, |near| format!("; did you mean `{near}`?"))
}

fn left_out() -> String {
    ": leave it out, or say that the policy is shared by several apps".to_owned()
}
