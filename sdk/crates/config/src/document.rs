//! The sections of a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use toml::de::DeTable;
use toolwright::registry::{FeatureGate, RoleRules, Selector};
use toolwright_policy::PermissionPolicy;

use crate::error::Mistake;
use crate::hooks::{self, Hooks};
use crate::reader::{Reader, Value, joined};

/// The most bytes of a file. One that people read is a hundredth of this.
const MAX_SIZE: usize = 1024 * 1024;

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
    let mut reader = Reader::new(text);
    if text.len() > MAX_SIZE {
        return Err(vec![Mistake {
            line: None,
            key: String::new(),
            message: "the file has more than 1 MiB, which no configuration takes that people read"
                .to_owned(),
        }]);
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let at = error.span().unwrap_or_default();
        reader.mistake(&at, "", format!("this is no TOML: {}", error.message()));
    }
    if !errors.is_empty() {
        return Err(reader.mistakes);
    }
    let mut document = Document::default();
    let elsewhere: [(&[&str], &str); 1] = [(
        &OF_POLICY,
        "to the policy; write it below `[policy]`, as `[[policy.allow]]`",
    )];
    for (name, place, value) in reader.members_or("", table.get_ref(), &SECTIONS, &elsewhere) {
        match name {
            "tools" => document.selected = tools(&mut reader, value),
            "policy" => {
                let policy = reader
                    .table(&place, value)
                    .is_some()
                    .then(|| policy(&mut reader, text, file, root));
                document.policy = policy.flatten().map(Arc::new);
            }
            "roles" => document.roles = roles(&mut reader, value),
            "sub-sessions" => {
                let table = reader.table(&place, value);
                document.sub_sessions =
                    table.map(|table| rules(&mut reader, &place, table, &RULES).rules);
            }
            "features" => document.features = features(&mut reader, value),
            "hooks" => document.hooks = hooks::read(&mut reader, value, root),
            _ => {}
        }
    }
    if reader.mistakes.is_empty() {
        Ok(document)
    } else {
        Err(reader.mistakes)
    }
}

fn tools(reader: &mut Reader, value: &Value<'_>) -> Option<Selector> {
    let table = reader.table("tools", value)?;
    let allowed: (&[&str], &str) = (
        &["allowed"],
        "to the policy; write `[[policy.allow]]` with `tools = [..]` in it",
    );
    let members = reader.members_or("tools", table, &TOOLS, &[allowed]);
    members
        .into_iter()
        .find_map(|(_, key, value)| reader.selector(&key, value))
}

/// Reads the section of the policy, with the lines of the file.
fn policy(
    reader: &mut Reader,
    text: &str,
    file: Option<&str>,
    root: &Path,
) -> Option<PermissionPolicy> {
    match PermissionPolicy::from_toml_section(text, "policy", file, root) {
        Ok(policy) => policy,
        Err(error) => {
            for problem in error.problems() {
                let rule = problem.rule();
                let rule = rule.and_then(|rule| Some((rule.verdict().as_str(), rule.number()?)));
                reader.mistakes.push(Mistake {
                    line: problem.line(),
                    key: match rule {
                        Some((verdict, number)) => format!("policy.{verdict}[{number}]"),
                        None => "policy".to_owned(),
                    },
                    message: problem.message().to_owned(),
                });
            }
            None
        }
    }
}

fn roles(reader: &mut Reader, value: &Value<'_>) -> BTreeMap<String, Role> {
    let mut roles = BTreeMap::new();
    for (name, value) in reader.table("roles", value).into_iter().flatten() {
        let name: &str = name.get_ref();
        let place = joined("roles", name);
        if let Some(table) = reader.table(&place, value) {
            roles.insert(name.to_owned(), rules(reader, &place, table, &ROLE));
        }
    }
    roles
}

fn rules(reader: &mut Reader, place: &str, table: &DeTable<'_>, known: &[&str]) -> Role {
    let mut role = Role {
        selected: None,
        rules: RoleRules::new(),
    };
    for (name, key, value) in reader.members(place, table, known) {
        let Some(tools) = reader.selector(&key, value) else {
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

fn features(reader: &mut Reader, value: &Value<'_>) -> Vec<FeatureGate> {
    let mut features = Vec::new();
    for (name, value) in reader.table("features", value).into_iter().flatten() {
        let name: &str = name.get_ref();
        let place = joined("features", name);
        if let Some(table) = reader.table(&place, value) {
            features.extend(feature(reader, name, (&place, value), table));
        }
    }
    features
}

fn feature(
    reader: &mut Reader,
    name: &str,
    (place, whole): (&str, &Value<'_>),
    table: &DeTable<'_>,
) -> Option<FeatureGate> {
    let (mut tools, mut enabled, mut reason, mut message) = (None, Some(true), None, None);
    for (name, key, value) in reader.members(place, table, &FEATURE) {
        match name {
            "tools" => tools = reader.selector(&key, value),
            "enabled" => enabled = reader.flag(&key, value),
            "reason" => reason = reader.text(&key, value),
            _ => message = reader.text(&key, value),
        }
    }
    if !table.contains_key("tools") {
        let message = "a feature needs the `tools` that it is about, such as `tools = [\"web.*\"]`";
        reader.mistake(&whole.span(), place, message);
    }
    if enabled == Some(false) && !table.contains_key("reason") {
        let message = "a feature that is off needs a `reason`, which is for the host";
        reader.mistake(&whole.span(), place, message);
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
    use super::*;

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
