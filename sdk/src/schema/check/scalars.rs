//! Objects of scalars: the members that a schema names, where the canonical form of a scalar depends on nothing but
//! its member, so that it can be written without a tree.

use serde_json::Value;

use super::applied::{Guide, Rules, TooMuch};

/// The most members of an object: whoever reads one holds so many values on the stack.
pub(crate) const MEMBERS: usize = 16;

/// The longest text that is filled in, in bytes. A longer one is as many steps as it is long.
const TEXT: usize = 1024;

/// The most branches of a union, and the most steps from a member to what its schema refers to. Within them no value
/// takes so long to look at that its canonical form would be refused for that.
const BRANCHES: usize = 16;
const HOPS: usize = 3;

/// The largest whole number, by its amount, that a float of 64 bits tells from its neighbours.
const WHOLE: u64 = (1 << 53) - 1;

/// Returns true if readers that take all numbers for floats know the whole number.
pub(crate) fn is_exact(number: i64) -> bool {
    number.unsigned_abs() <= WHOLE
}

/// The keywords of an object that has nothing but members that it names. Others may say more about them.
const OF_OBJECT: [&str; 12] = [
    "$schema",
    "$comment",
    "$defs",
    "title",
    "description",
    "examples",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
];

/// The keywords of a member by which its schema may take many steps to look at.
const FAR: [&str; 7] = [
    "allOf",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "$dynamicRef",
    "$recursiveRef",
];

/// The members of an object that may be scalars, in the order of RFC 8785: by their names as UTF-16.
#[derive(Debug)]
pub(crate) struct ScalarMembers(Vec<ScalarMember>);

/// A member that may be a scalar. Any other value of it has to be looked at with its schema.
#[derive(Debug)]
pub(crate) struct ScalarMember {
    pub(crate) name: String,
    /// The name as JSON text, and a colon.
    pub(crate) key: String,
    /// True if `null` says that the member is not there.
    pub(crate) drops_null: bool,
    pub(crate) default: ScalarDefault,
}

/// The value of a member that is not there.
#[derive(Debug)]
pub(crate) enum ScalarDefault {
    Nothing,
    /// As JSON text.
    Text(String),
    /// It is no scalar, or a number whose text is not certain.
    Unclear,
}

impl ScalarMembers {
    /// Returns the members of an object by its schema; `None` if its schema says more, or one of them may be hidden.
    pub(crate) fn of(schema: &Value) -> Option<Self> {
        let node = schema.as_object()?;
        if !node.keys().all(|keyword| OF_OBJECT.contains(&&**keyword)) {
            return None;
        }
        let mut guide = Guide::new(schema);
        let rules = guide.root(None).ok()?;
        if rules.properties().count() > MEMBERS {
            return None;
        }
        let mut members = Vec::new();
        for (name, schema) in rules.properties() {
            members.push(ScalarMember::of(name, schema, &rules, &mut guide)?);
        }
        members.sort_by(|a, b| a.name.encode_utf16().cmp(b.name.encode_utf16()));
        Some(Self(members))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|member| member.name == name)
    }

    pub(crate) fn as_slice(&self) -> &[ScalarMember] {
        &self.0
    }
}

impl ScalarMember {
    fn of<'s>(
        name: &str,
        schema: &'s Value,
        rules: &Rules<'s>,
        guide: &mut Guide<'s>,
    ) -> Option<Self> {
        // A name that ends so is shown as another.
        if name.ends_with("$secret") || !is_near(schema, guide, HOPS).ok()? {
            return None;
        }
        let said = rules.member(name, guide).ok()?;
        let takes_null = guide.takes_null(&said).ok()?;
        let default = guide.default(schema).ok()?;
        // Without a value, each branch of a union counts.
        if guide.rules(said, None).ok()?.is_write_only() {
            return None;
        }
        Some(Self {
            name: name.to_owned(),
            key: format!("{}:", Value::from(name)),
            drops_null: !takes_null && !rules.requires(name) && default.is_none_or(Value::is_null),
            default: match default {
                None => ScalarDefault::Nothing,
                Some(Value::Null) if !takes_null => ScalarDefault::Nothing,
                Some(default) => {
                    plain_text(default).map_or(ScalarDefault::Unclear, ScalarDefault::Text)
                }
            },
        })
    }
}

/// Returns true if few steps lead to all that a schema says of a scalar.
fn is_near<'s>(schema: &'s Value, guide: &mut Guide<'s>, hops: usize) -> Result<bool, TooMuch> {
    let Some(node) = schema.as_object() else {
        return Ok(true);
    };
    let Some(hops) = hops.checked_sub(1) else {
        return Ok(false);
    };
    if FAR.iter().any(|keyword| node.contains_key(*keyword)) {
        return Ok(false);
    }
    if let Some(Value::String(reference)) = node.get("$ref") {
        // A name that is given elsewhere in the schema takes a search through all of it.
        let target = if reference.starts_with("#/") {
            guide.target(reference)?
        } else {
            None
        };
        match target {
            Some(target) if is_near(target, guide, hops)? => {}
            _ => return Ok(false),
        }
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = node.get(keyword) else {
            continue;
        };
        if branches.len() > BRANCHES {
            return Ok(false);
        }
        for branch in branches {
            if !is_near(branch, guide, hops)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Returns the JSON text of a short scalar that all canonical forms write alike.
fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(_) => Some(value.to_string()),
        Value::String(text) => (text.len() <= TEXT).then(|| value.to_string()),
        Value::Number(number) => {
            let number = number.as_i64().filter(|number| is_exact(*number));
            number.map(|number| number.to_string())
        }
        Value::Array(_) | Value::Object(_) => None,
    }
}
