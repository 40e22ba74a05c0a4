//! Rules as they stand in a file.

use std::fmt::Write;

use serde_json::Value;

use super::load::Section;
use super::rule::{AnnotationTest, ArgumentTest, Rule};
use toolwright::spec::Effect;

impl Rule {
    /// The rule as it stands in a policy's file, or in a section of a file; none if it has a `null`, which TOML has not,
    /// or two tests of one argument.
    pub(super) fn to_toml(&self, section: &Section) -> Option<String> {
        let mut toml = format!("[[{}]]\n", section.key(self.verdict.as_str()));
        if let Some(reason) = &self.reason {
            let _ = writeln!(toml, "reason = {}", quoted(reason));
        }
        let effects: Vec<String> = self.effects.iter().map(|effect| name(*effect)).collect();
        let hints: Vec<String> = self.hints.iter().map(AnnotationTest::to_string).collect();
        let lists = [
            ("tools", &self.tools),
            ("effects", &effects),
            ("hints", &hints),
            ("capabilities", &self.capabilities),
            ("paths", &self.paths),
            ("reads", &self.reads),
            ("writes", &self.writes),
            ("commands", &self.commands),
            ("exact-commands", &self.exact_commands),
            ("environment", &self.environment),
            ("hosts", &self.hosts),
            ("kinds", &self.kinds),
            ("targets", &self.targets),
        ];
        for (key, list) in lists {
            if !list.is_empty() {
                let items: Vec<String> = list.iter().map(|item| quoted(item)).collect();
                let _ = writeln!(toml, "{key} = [{}]", items.join(", "));
            }
        }
        if self.read_only_commands {
            toml.push_str("read-only-commands = true\n");
        }
        if !self.arguments.is_empty() {
            let mut tests = Vec::new();
            for (index, (pointer, test)) in self.arguments.iter().enumerate() {
                // A key of a table stands there once.
                let before = self.arguments.iter().take(index);
                if before.into_iter().any(|(other, _)| other == pointer) {
                    return None;
                }
                tests.push(format!("{} = {}", quoted(pointer), tested(test)?));
            }
            let _ = writeln!(toml, "arguments = {{ {} }}", tests.join(", "));
        }
        Some(toml)
    }
}

impl std::fmt::Display for AnnotationTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.given { "" } else { "!" };
        write!(f, "{sign}{}", self.name.as_str())
    }
}

fn name(effect: Effect) -> String {
    effect.as_str().replace('_', "-")
}

fn tested(test: &ArgumentTest) -> Option<String> {
    Some(match test {
        // A table stands for a test.
        ArgumentTest::Equals(value @ Value::Object(_)) => {
            format!("{{ one-of = [{}] }}", written(value)?)
        }
        ArgumentTest::Equals(value) => written(value)?,
        ArgumentTest::OneOf(values) => {
            let values: Option<Vec<String>> = values.iter().map(written).collect();
            format!("{{ one-of = [{}] }}", values?.join(", "))
        }
        ArgumentTest::Range { min, max } => {
            let min = min.as_ref().map(|min| format!("min = {min}"));
            let max = max.as_ref().map(|max| format!("max = {max}"));
            let bounds: Vec<String> = min.into_iter().chain(max).collect();
            format!("{{ {} }}", bounds.join(", "))
        }
        ArgumentTest::Present(there) => format!("{{ present = {there} }}"),
    })
}

fn written(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(written).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| Some(format!("{} = {}", quoted(key), written(value)?)));
            format!("{{ {} }}", members.collect::<Option<Vec<_>>>()?.join(", "))
        }
    })
}

/// A text in quotes: what JSON escapes, TOML reads, and DEL is escaped in TOML alone.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}
