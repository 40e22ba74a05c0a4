//! The sections of a file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::de::DeTable;
use toolwright::registry::{FeatureGate, RoleRules, Selector};
use toolwright_policy::{PermissionPolicy, PolicyError};

use crate::error::Mistake;
use crate::hooks::{self, Hooks};
use crate::reader::{Reader, checked, joined, members, selector};

const SECTIONS: [&str; 6] = [
    "tools",
    "policy",
    "roles",
    "sub-sessions",
    "features",
    "hooks",
];

/// The keys that belong to the policy, which has a file of its own elsewhere.
const OF_POLICY: [&str; 6] = ["default", "shared", "trees", "allow", "ask", "deny"];

const TOOLS: [&str; 1] = ["selected"];

const RULES: [&str; 3] = ["always", "never", "explicit-only"];

const ROLE: [&str; 4] = ["selected", "always", "never", "explicit-only"];

const FEATURE: [&str; 4] = ["tools", "enabled", "reason", "message"];

/// The contents of a file without mistakes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Document {
    pub(crate) selected: Option<Selector>,
    pub(crate) policy: Option<Arc<PermissionPolicy>>,
    pub(crate) roles: BTreeMap<String, Role>,
    pub(crate) sub_sessions: Option<RoleRules>,
    pub(crate) features: Vec<FeatureGate>,
    pub(crate) hooks: Hooks,
}

/// The tools of a role.
#[derive(Debug, Clone)]
pub(crate) struct Role {
    pub(crate) selected: Option<Selector>,
    pub(crate) rules: RoleRules,
}

/// Reads a file whose relative paths start at the root.
pub(crate) fn read(text: &str, file: Option<&str>, root: &Path) -> Result<Document, Vec<Mistake>> {
    checked(text, |reader| {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let at = error.span().unwrap_or_default();
            reader.mistake(&at, format!("this is no TOML: {}", error.message()));
        }
        if errors.is_empty() {
            sections(reader, table.get_ref(), (text, file, root))
        } else {
            Document::default()
        }
    })
}

/// Reads the sections of a file: its text, its name, and where its relative paths start.
fn sections(
    reader: &mut Reader,
    table: &DeTable<'_>,
    (text, file, root): (&str, Option<&str>, &Path),
) -> Document {
    let mut document = Document::default();
    let elsewhere: (&[&str], &str) = (
        &OF_POLICY,
        "to the policy; write it below `[policy]`, as `[[policy.allow]]`",
    );
    for (name, place, value) in members(reader, "", table, &SECTIONS, &[elsewhere]) {
        let Some(table) = reader.at(place.clone()).table(&place, name, value) else {
            continue;
        };
        match name {
            "tools" => document.selected = tools(reader, table),
            "policy" => document.policy = policy(reader, text, file, root).map(Arc::new),
            "roles" => {
                for (name, place, _, table) in named(reader, &place, table) {
                    let role = rules(reader, &place, table, &ROLE);
                    document.roles.insert(name.to_owned(), role);
                }
            }
            "sub-sessions" => {
                document.sub_sessions = Some(rules(reader, &place, table, &RULES).rules);
            }
            "features" => {
                for (name, place, whole, table) in named(reader, &place, table) {
                    let feature = feature(reader, name, (place, &whole), table);
                    document.features.extend(feature);
                }
            }
            "hooks" => document.hooks = hooks::read(reader, &value.span(), table, root),
            _ => {}
        }
    }
    document
}

/// Returns the tables of a table by their names, each with its whole key and its place.
fn named<'v, 't>(
    reader: &mut Reader,
    path: &str,
    table: &'v DeTable<'t>,
) -> Vec<(&'v str, String, Range<usize>, &'v DeTable<'t>)> {
    let mut tables = Vec::new();
    for (name, value) in table {
        let name: &str = name.get_ref();
        let place = joined(path, name);
        if let Some(table) = reader.at(place.clone()).table(&place, name, value) {
            tables.push((name, place, value.span(), table));
        }
    }
    tables
}

fn tools(reader: &mut Reader, table: &DeTable<'_>) -> Option<Selector> {
    let allowed: (&[&str], &str) = (
        &["allowed"],
        "to the policy; write `[[policy.allow]]` with `tools = [..]` in it",
    );
    let members = members(reader, "tools", table, &TOOLS, &[allowed]);
    members
        .into_iter()
        .find_map(|(name, key, value)| selector(reader.at(key), name, value))
}

/// Reads the section of the policy, with the lines of the file.
fn policy(
    reader: &mut Reader,
    text: &str,
    file: Option<&str>,
    root: &Path,
) -> Option<PermissionPolicy> {
    let policy = PermissionPolicy::from_toml_section(text, "policy", file, root);
    for problem in policy
        .as_ref()
        .err()
        .into_iter()
        .flat_map(PolicyError::problems)
    {
        let rule = problem.rule();
        let rule = rule.and_then(|rule| Some((rule.verdict().as_str(), rule.number()?)));
        let key = match rule {
            Some((verdict, number)) => format!("policy.{verdict}[{number}]"),
            None => "policy".to_owned(),
        };
        let message = problem.message().to_owned();
        reader.mistakes.push((key, problem.line(), message));
    }
    policy.ok().flatten()
}

fn rules(reader: &mut Reader, place: &str, table: &DeTable<'_>, known: &[&str]) -> Role {
    let mut role = Role {
        selected: None,
        rules: RoleRules::new(),
    };
    for (name, key, value) in members(reader, place, table, known, &[]) {
        let Some(tools) = selector(reader.at(key), name, value) else {
            continue;
        };
        role.rules = match name {
            "always" => role.rules.always(tools),
            "never" => role.rules.never(tools),
            "explicit-only" => role.rules.explicit_only(tools),
            _ => {
                role.selected = Some(tools);
                role.rules
            }
        };
    }
    role
}

fn feature(
    reader: &mut Reader,
    name: &str,
    (place, whole): (String, &Range<usize>),
    table: &DeTable<'_>,
) -> Option<FeatureGate> {
    let (mut tools, mut enabled, mut reason, mut message) = (None, Some(true), None, None);
    for (name, key, value) in members(reader, &place, table, &FEATURE, &[]) {
        reader.at(key);
        match name {
            "tools" => tools = selector(reader, name, value),
            "enabled" => enabled = reader.flag(name, value),
            "reason" => reason = reader.text(name, value),
            _ => message = reader.text(name, value),
        }
    }
    reader.at(place);
    if !table.contains_key("tools") {
        let message = "a feature needs the `tools` that it is about, such as `tools = [\"web.*\"]`";
        reader.mistake(whole, message);
    }
    if enabled == Some(false) && !table.contains_key("reason") {
        let message = "a feature that is off needs a `reason`, which is for the host";
        reader.mistake(whole, message);
    }
    let gate = match (enabled?, reason) {
        (true, _) => FeatureGate::open(name, tools?),
        (false, reason) => FeatureGate::closed(name, tools?, reason?),
    };
    Some(match message {
        Some(message) => gate.with_message(message),
        None => gate,
    })
}

#[cfg(test)]
mod tests {
    use toolwright_policy::toml_reader::MAX_SIZE;

    /// The value of this row of the page of defaults is that of the code.
    #[test]
    fn the_page_of_defaults_has_the_size_of_a_file() {
        let page = include_str!("../../../docs/defaults.md");
        let row = page
            .lines()
            .find(|line| line.starts_with("| file of a configuration |"));
        let value = row.and_then(|row| row.split('|').nth(2)).map(str::trim);
        assert_eq!(value, Some(&*format!("{} MiB", MAX_SIZE >> 20)));
    }
}
