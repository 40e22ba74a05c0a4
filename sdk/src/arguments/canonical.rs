//! Arguments in the one form that equal calls share, and that may be shown.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::invalid::InvalidArguments;
use super::once::given_once;
use super::raw::{Arguments, View};
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::{Guide, Rules, Said, TooMuch, integral};
use crate::spec::ToolSpec;
use crate::util::character::is_deceptive;
use crate::util::nesting::{self, DEPTH};
use crate::util::pointer::push_key;

mod scalars;

#[cfg(test)]
mod tests;

/// The arguments of a call as rules, people, tickets and hashes see them: [`Arguments::canonical`].
///
/// Equal calls have equal canonical arguments, however the model wrote them:
///
/// - another name of an argument became its own name;
/// - `null` for what may be left out, and neither can be `null` nor has a default, was left out;
/// - defaults were filled in, at any depth, where it is clear what a value is: a branch of a union
///   that the value alone fits is clear;
/// - a whole number that was written with a fraction (`5.0`, below 2^53) is an integer where the
///   schema says that there is a number;
/// - members are sorted by name.
///
/// The values of secrets, which are the [secret arguments](ToolSpec::secrets) and what a schema
/// marks `writeOnly`, are masked. In place of each stands the object `{"$secret": true}`, whatever
/// the value was, which is like no text, number or list that a rule may look for. Nothing that a
/// model sends looks like it: a member that the model names `$secret` is shown as `$$secret`, one
/// named `$$secret` as `$$$secret`, and so on. A secret that was left out stays so, whether it has
/// a default or not.
///
/// As text it is one line of JSON, in which nothing can move the cursor or turn the direction of
/// writing.
///
/// ```
/// use serde_json::json;
/// use toolwright::{Tool, tool};
/// use toolwright::arguments::{Arguments, CanonicalArguments};
///
/// /// Sign in.
/// #[tool]
/// async fn sign_in(
///     #[arg(aliases("name"))] user: String,
///     #[arg(secret)] password: String,
///     #[arg(default = 3)] attempts: u32,
/// ) {
/// #   drop((user, password, attempts));
/// }
///
/// let sent = Arguments::from(r#"{"password": "hunter2", "name": "ada"}"#);
/// let canonical = sent.canonical(SignIn.spec())?;
/// assert_eq!(
///     canonical.to_string(),
///     r#"{"attempts":3,"password":{"$secret":true},"user":"ada"}"#
/// );
/// assert_eq!(canonical.pointer("/user"), Some(&json!("ada")));
/// assert!(canonical.get("password").is_some_and(CanonicalArguments::is_secret));
/// # Ok::<(), toolwright::arguments::InvalidArguments>(())
/// ```
// A type of its own, because a tree does not tell whether it may be shown.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct CanonicalArguments(Value, #[serde(skip)] Vec<String>);

impl CanonicalArguments {
    /// The only member of what stands in place of a secret's value.
    pub const SECRET: &str = "$secret";

    /// Returns true if a value, found in canonical arguments, stands in place of a secret's.
    pub fn is_secret(value: &Value) -> bool {
        value.get(Self::SECRET).is_some()
    }

    /// The arguments as a tree: an object, unless the tool takes something else.
    pub fn as_value(&self) -> &Value {
        &self.0
    }

    /// The argument of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_object()?.get(name)
    }

    /// Returns the value at a JSON pointer (RFC 6901); an empty one leads to the arguments as a whole.
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        self.0.pointer(pointer)
    }

    /// Returns JSON pointers to what the tool may see otherwise than it stands here: an object with a member
    /// that the schema does not name, which may be another member by a name that serde knows, and
    /// a secret that was left out and may have a default. A checker that tests values knows nothing of these.
    pub fn unclear(&self) -> &[String] {
        &self.1
    }

    /// The arguments as a tree: an object, unless the tool takes something else.
    pub fn into_value(self) -> Value {
        self.0
    }
}

/// They are equal if they show the same.
impl PartialEq for CanonicalArguments {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl fmt::Display for CanonicalArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        // JSON leaves such a character as it is in texts alone, where it may be escaped.
        for c in self.0.to_string().chars() {
            if is_deceptive(c) {
                write!(f, "\\u{:04x}", u32::from(c))?;
            } else {
                f.write_char(c)?;
            }
        }
        Ok(())
    }
}

/// The most levels of defaults in defaults: a schema that leads to itself may have no end of them.
const DEFAULTS: usize = 8;

/// The steps that one value may take; see [`Guide`].
const STEPS: usize = 64;

impl Arguments<'_> {
    /// The arguments in the one form that equal calls share, with secrets masked: what rules,
    /// people, tickets and hashes see of a call. The tool that the spec is of says what they mean.
    ///
    /// Nothing is judged or repaired here. Give it the arguments that the tool has accepted, after
    /// repairs: for those it tells what the tool will see.
    ///
    /// # Errors
    ///
    /// Fails if they are no JSON, have a name twice (an alias and its argument are one name), or nest
    /// deeper than 127 levels; and if a schema without an end makes it too slow to find out what they mean. A checker
    /// that cannot see the arguments does not let a call run.
    pub fn canonical(&self, spec: &ToolSpec) -> Result<CanonicalArguments, InvalidArguments> {
        self.masked(spec, &mut |_| mask())
    }

    /// The [canonical](Self::canonical) arguments, with a mask of the caller's own in place of each secret: it is
    /// given the value, and returns an object whose only member is [`$secret`](CanonicalArguments::SECRET), for
    /// instance with a keyed hash. Who does not have the key cannot tell the value, and calls with equal secrets are
    /// equal.
    ///
    /// # Errors
    ///
    /// Those of [`canonical`](Self::canonical).
    pub fn canonical_with(
        &self,
        spec: &ToolSpec,
        mut mask: impl FnMut(&Value) -> Value,
    ) -> Result<CanonicalArguments, InvalidArguments> {
        self.masked(spec, &mut mask)
    }

    fn masked(
        &self,
        spec: &ToolSpec,
        seal: &mut dyn FnMut(&Value) -> Value,
    ) -> Result<CanonicalArguments, InvalidArguments> {
        if let View::Text(text) = self.view() {
            given_once(text, || spec.hidden())?;
        }
        let sent = self.to_value()?;
        if nesting::of_tree(&sent, DEPTH) > DEPTH {
            let message = format!("the arguments nest deeper than {DEPTH} levels");
            return Err(problem(ProblemKind::Syntax, String::new(), message));
        }
        let aliases = spec.argument_aliases();
        let renamed = match &*sent {
            Value::Object(members) if aliases.iter().any(|(a, _)| members.contains_key(*a)) => {
                Some(Value::Object(renamed(members, &aliases)?))
            }
            _ => None,
        };
        let mut walk = CanonicalWalk {
            guide: Guide::new(spec.input_schema()),
            secrets: spec.secrets(),
            seal,
            way: Vec::new(),
            unclear: Vec::new(),
        };
        walk.whole(renamed.as_ref().unwrap_or(&sent))
            .map(|value| CanonicalArguments(value, walk.unclear))
            .map_err(|TooMuch| {
                let message = "there is too much in the arguments to tell what they mean";
                problem(ProblemKind::Constraint, String::new(), message)
            })
    }
}

fn problem(kind: ProblemKind, pointer: String, message: impl Into<String>) -> InvalidArguments {
    InvalidArguments::new(vec![ArgumentProblem::new(kind, pointer, message)])
}

/// The members under the names that arguments have of their own.
fn renamed(
    members: &Map<String, Value>,
    aliases: &[(&str, &str)],
) -> Result<Map<String, Value>, InvalidArguments> {
    let mut renamed = Map::new();
    for (given, value) in members {
        let alias = aliases.iter().find(|(alias, _)| alias == given);
        let name = alias.map_or(given.as_str(), |(_, name)| name);
        if renamed.insert(name.to_owned(), value.clone()).is_some() {
            let mut pointer = String::new();
            push_key(&mut pointer, name);
            return Err(InvalidArguments::new(vec![ArgumentProblem::given_twice(
                pointer,
            )]));
        }
    }
    Ok(renamed)
}

/// The place of a value in the arguments.
#[derive(Clone, Copy)]
struct CanonicalPlace {
    depth: usize,
    /// In how many defaults.
    defaults: usize,
}

struct CanonicalWalk<'s, 'm> {
    guide: Guide<'s>,
    /// The names of the secret arguments.
    secrets: &'s [Cow<'static, str>],
    /// Gives what stands in place of a secret.
    seal: &'m mut dyn FnMut(&Value) -> Value,
    /// The steps from the arguments to what is looked at.
    way: Vec<String>,
    /// See [`CanonicalArguments::unclear`].
    unclear: Vec<String>,
}

impl<'s> CanonicalWalk<'s, '_> {
    fn whole(&mut self, sent: &Value) -> Result<Value, TooMuch> {
        self.guide.earn(STEPS);
        let rules = self.guide.root(Some(sent))?;
        let place = CanonicalPlace {
            depth: 0,
            defaults: 0,
        };
        self.value(sent, &rules, place)
    }

    fn value(
        &mut self,
        value: &Value,
        rules: &Rules<'s>,
        place: CanonicalPlace,
    ) -> Result<Value, TooMuch> {
        if rules.is_write_only() {
            return Ok((self.seal)(value));
        }
        if place.depth > DEPTH {
            return Err(TooMuch);
        }
        Ok(match value {
            Value::Number(number) if rules.is_number() => {
                Value::Number(integral(number).unwrap_or_else(|| number.clone()))
            }
            Value::Array(items) => {
                let mut kept = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    self.begin(item, place)?;
                    let said = rules.item(index, &mut self.guide)?;
                    let rules = self.guide.rules(said, Some(item))?;
                    self.way.push(index.to_string());
                    kept.push(self.value(item, &rules, place.inside())?);
                    self.way.pop();
                }
                Value::Array(kept)
            }
            Value::Object(members) => Value::Object(self.object(members, rules, place)?),
            other => other.clone(),
        })
    }

    fn object(
        &mut self,
        members: &Map<String, Value>,
        rules: &Rules<'s>,
        place: CanonicalPlace,
    ) -> Result<Map<String, Value>, TooMuch> {
        let mut kept = Map::new();
        let mut is_whole = true;
        for (name, value) in members {
            self.begin(value, place)?;
            let said = rules.member(name, &mut self.guide)?;
            let is_named = !said.is_empty() && !rules.lacks(name);
            is_whole &= is_named || rules.properties().next().is_none();
            let may_miss = !rules.requires(name) && !rules.lacks(name);
            if value.is_null() && may_miss && self.is_nothing(&said)? {
                continue;
            }
            let shown = if self.is_secret(name, rules, place)? {
                (self.seal)(value)
            } else {
                let rules = self.guide.rules(said, Some(value))?;
                self.way.push(shown_name(name));
                let shown = self.value(value, &rules, place.inside())?;
                self.way.pop();
                shown
            };
            kept.insert(shown_name(name), shown);
        }
        if !is_whole {
            self.note_unclear();
        }
        // The schema shows no default of these.
        let secrets = if place.depth == 0 { self.secrets } else { &[] };
        for name in secrets {
            let shown = shown_name(name);
            if !kept.contains_key(&shown) && !rules.requires(name) {
                self.way.push(shown);
                self.note_unclear();
                self.way.pop();
            }
        }
        if place.defaults < DEFAULTS {
            self.fill(&mut kept, rules, place)?;
        }
        // In the order of names also where a map keeps another.
        kept.sort_keys();
        Ok(kept)
    }

    /// Returns true if `null` for what need not be there says that it is not there. What has a default
    /// would have that then, so a tool that accepts `null` means something else by it.
    fn is_nothing(&mut self, said: &[Said<'s>]) -> Result<bool, TooMuch> {
        for (schema, _) in said {
            if self
                .guide
                .default(schema)?
                .is_some_and(|value| !value.is_null())
            {
                return Ok(false);
            }
        }
        Ok(!self.guide.takes_null(said)?)
    }

    /// Adds the members that have a default.
    fn fill(
        &mut self,
        kept: &mut Map<String, Value>,
        rules: &Rules<'s>,
        place: CanonicalPlace,
    ) -> Result<(), TooMuch> {
        for (name, schema) in rules.properties() {
            self.guide.spend(1)?;
            let shown = shown_name(name);
            if kept.contains_key(&shown) {
                continue;
            }
            let Some(default) = self.guide.default(schema)? else {
                continue;
            };
            let said = rules.member(name, &mut self.guide)?;
            let nothing = default.is_null() && !self.guide.takes_null(&said)?;
            let place = CanonicalPlace {
                defaults: place.defaults + 1,
                ..place
            };
            self.begin(default, place)?;
            let inside = self.guide.rules(said, Some(default))?;
            if nothing {
                continue;
            }
            self.way.push(shown);
            let is_hidden = inside.is_write_only() || self.is_secret(name, rules, place)?;
            let value = if is_hidden {
                self.note_unclear();
                None
            } else {
                Some(self.value(default, &inside, place.inside())?)
            };
            let (Some(shown), Some(value)) = (self.way.pop(), value) else {
                continue;
            };
            kept.insert(shown, value);
        }
        Ok(())
    }

    fn note_unclear(&mut self) {
        let mut pointer = String::new();
        for step in &self.way {
            push_key(&mut pointer, step);
        }
        self.unclear.push(pointer);
    }

    /// Counts a value. What is sent pays for itself, a default does not: a schema may repeat it.
    fn begin(&mut self, value: &Value, place: CanonicalPlace) -> Result<(), TooMuch> {
        if place.defaults == 0 {
            self.guide.earn(STEPS);
            return Ok(());
        }
        let length = match value {
            Value::String(text) => text.len(),
            _ => 0,
        };
        self.guide.spend(1 + length / 8)
    }

    /// Returns true if a member is a secret by its name.
    fn is_secret(
        &mut self,
        name: &str,
        rules: &Rules<'s>,
        place: CanonicalPlace,
    ) -> Result<bool, TooMuch> {
        let secrets = if place.depth == 0 { self.secrets } else { &[] };
        if secrets.iter().any(|secret| secret == name) {
            return Ok(true);
        }
        if !rules.lacks(name) {
            return Ok(false);
        }
        // It is another name of something (of serde's, for a field): perhaps of a secret.
        if !secrets.is_empty() {
            return Ok(true);
        }
        for (_, schema) in rules.properties() {
            let rules = self.guide.rules(vec![(schema, true)], None)?;
            if rules.is_write_only() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl CanonicalPlace {
    fn inside(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }
}

/// Returns what stands in place of a secret.
fn mask() -> Value {
    json!({ CanonicalArguments::SECRET: true })
}

/// The name under which a member is shown, which is never that of a mask.
fn shown_name(name: &str) -> String {
    let masks = CanonicalArguments::SECRET;
    match name.strip_suffix(masks) {
        Some(before) if before.bytes().all(|byte| byte == b'$') => format!("${name}"),
        _ => name.to_owned(),
    }
}
