//! The repair ladder: what a model probably meant, where its arguments do not fit a schema and only
//! one thing can have been meant.
//!
//! It is for arguments that a tool has refused. Only places whose values do not fit are touched,
//! and what comes out is judged by the tool again: nothing here decides that a call may run.

mod choice;
mod json;
mod keys;
mod lenient;
mod members;
mod numbers;
mod retype;
#[cfg(test)]
mod tests;
mod walk;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::raw::{Arguments, View};
use crate::spec::ToolSpec;
use crate::util::character::one_line;
use crate::util::nesting::{self, DEPTH};
use walk::RepairWalk;

/// A single change that was made to the arguments of a call so that they fit the tool's schema.
///
/// Repairs are applied one after the other, in their order: a pointer leads into the arguments as
/// the repairs before it left them. Keys in it are those that the model sent, because a key is
/// renamed after all repairs of its value. So whoever has what was sent can work out what ran:
///
/// ```
/// use serde_json::json;
/// use toolwright::{ToolName, ToolSpec};
/// use toolwright::arguments::Arguments;
///
/// let spec = ToolSpec::new(ToolName::new("read")?, "Read a file.").with_input_schema(json!({
///     "type": "object",
///     "properties": {
///         "path": {"type": "string"},
///         "firstLine": {"type": "integer"},
///     },
///     "required": ["path"],
///     "additionalProperties": false,
/// }));
/// let sent = json!({"path": "notes.txt", "first_line": "5"});
/// let repaired = spec.repair(&Arguments::from(&sent)).ok_or("there is nothing to repair")?;
///
/// let told: Vec<String> = repaired.repairs().iter().map(ToString::to_string).collect();
/// assert_eq!(told, [r#"`/first_line`: "5" became 5"#, "`/first_line` was renamed to `firstLine`"]);
///
/// let mut ran = sent;
/// assert!(repaired.repairs().iter().all(|repair| repair.apply(&mut ran)));
/// assert_eq!(Some(&ran), repaired.arguments().as_tree());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Nothing of the value of a secret argument is held: a repair in it names the argument and says
/// [that it is secret](Repair::is_secret).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repair {
    pointer: String,
    kind: RepairKind,
    // Without these attributes a `null` would be read as nothing.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "held")]
    from: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "held")]
    to: Option<Value>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    secret: bool,
}

/// The kinds of [`Repair`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RepairKind {
    /// A value became another.
    Value,
    /// A member of an object got another key; its value stayed.
    Key,
    /// A member of an object was taken out.
    Removed,
    /// The text was JSON but for a code fence around it or commas after last values, and was read
    /// without these. Such a repair cannot be [applied](Repair::apply) to a value, since there was
    /// none.
    Syntax,
}

mod held {
    //! An optional value that is there also where it is `null`.

    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;

    #[allow(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(
        value: &Option<Value>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Value>, D::Error> {
        Value::deserialize(deserializer).map(Some)
    }
}

impl Repair {
    fn new(kind: RepairKind, pointer: String, from: Value, to: Option<Value>) -> Self {
        Self {
            pointer,
            kind,
            from: Some(from),
            to,
            secret: false,
        }
    }

    fn syntax(removed: &str) -> Self {
        Self {
            pointer: String::new(),
            kind: RepairKind::Syntax,
            from: Some(Value::from(removed)),
            to: None,
            secret: false,
        }
    }

    fn secret(pointer: String) -> Self {
        Self {
            pointer,
            kind: RepairKind::Value,
            from: None,
            to: None,
            secret: true,
        }
    }

    /// JSON pointer (RFC 6901) to the value, or to the member that was renamed or removed; empty
    /// for the arguments as a whole.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The kind.
    pub fn kind(&self) -> RepairKind {
        self.kind
    }

    /// The value that was there, or for [`RepairKind::Key`] the key, or for [`RepairKind::Syntax`] the
    /// sign that was taken out. `None` for a secret.
    pub fn from(&self) -> Option<&Value> {
        self.from.as_ref()
    }

    /// Returns what came in its place, likewise. `None` for a secret, and where nothing did.
    pub fn to(&self) -> Option<&Value> {
        self.to.as_ref()
    }

    /// Returns true if this is about a value that is shown to nobody. It then stands for all that was
    /// repaired in that value.
    pub fn is_secret(&self) -> bool {
        self.secret
    }

    /// Makes the change once more. It says whether it could: a secret cannot be repaired so, nor
    /// arguments in which something else stands in the place.
    pub fn apply(&self, arguments: &mut Value) -> bool {
        let (Some(from), false) = (&self.from, self.secret) else {
            return false;
        };
        if self.kind == RepairKind::Value {
            let (Some(place), Some(to)) = (arguments.pointer_mut(&self.pointer), &self.to) else {
                return false;
            };
            let is_there = place == from;
            if is_there {
                place.clone_from(to);
            }
            return is_there;
        }
        let Some((parent, key)) = self.pointer.rsplit_once('/') else {
            return false;
        };
        let key = key.replace("~1", "/").replace("~0", "~");
        let Some(Value::Object(members)) = arguments.pointer_mut(parent) else {
            return false;
        };
        match (self.kind, &self.to) {
            (RepairKind::Removed, None) if members.get(&key) == Some(from) => {
                members.remove(&key).is_some()
            }
            (RepairKind::Key, Some(Value::String(to))) if !members.contains_key(to) => {
                match members.remove(&key) {
                    Some(value) => members.insert(to.clone(), value).is_none(),
                    None => false,
                }
            }
            _ => false,
        }
    }
}

/// A single line for a log; long values are cut.
impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.pointer[..] {
            "" => f.write_str("the arguments")?,
            pointer => write!(f, "`{}`", one_line(pointer, SHOWN))?,
        }
        match (self.kind, &self.from, &self.to) {
            _ if self.secret => f.write_str(": a secret was repaired"),
            (RepairKind::Value, Some(from), Some(to)) => {
                write!(f, ": {} became {}", short(from), short(to))
            }
            (RepairKind::Key, _, Some(Value::String(to))) => {
                write!(f, " was renamed to `{}`", one_line(to, SHOWN))
            }
            (RepairKind::Syntax, Some(Value::String(sign)), _) => {
                write!(f, " were read without `{sign}`, which is not JSON there")
            }
            (RepairKind::Removed, Some(from), _) => write!(f, ": {} was left out", short(from)),
            _ => f.write_str(" was repaired"),
        }
    }
}

/// The most characters that are shown of a value.
const SHOWN: usize = 60;

fn short(value: &Value) -> String {
    one_line(&value.to_string(), SHOWN)
}

/// The tree of a text that is JSON in which no object has a name twice, and no number would be rounded. Only a
/// repair makes one, so that whoever has it need not look for these in the text.
#[doc(hidden)]
#[allow(missing_debug_implementations, reason = "it may hold secrets")]
pub struct ReadTree<'t> {
    pub(super) tree: Value,
    /// The names of the outermost object in the order in which they came.
    pub(super) order: Vec<Cow<'t, str>>,
}

/// Arguments after their repair; see [`ToolSpec::repair`].
#[derive(Debug, Clone)]
pub struct Repaired {
    arguments: Arguments<'static>,
    repairs: Vec<Repair>,
}

impl Repaired {
    /// The arguments as they are now, a tree.
    pub fn arguments(&self) -> &Arguments<'static> {
        &self.arguments
    }

    /// Returns what was changed, in this order; at least one change.
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    pub(crate) fn into_parts(self) -> (Arguments<'static>, Vec<Repair>) {
        (self.arguments, self.repairs)
    }
}

impl ToolSpec {
    /// Repairs arguments that the tool has refused, by its input schema: what an executor does
    /// unless [it is told not to](crate::ExecutorBuilder::strict), for hosts that parse themselves.
    /// `None` where nothing can be repaired.
    ///
    /// Repaired are, and only where the value that was sent does not fit its schema:
    ///
    /// - an integer, number or boolean in a string, where no string is declared: `"5"` for `5`
    /// - JSON in a string, where an array or object is declared and no string is
    /// - `null` for a member that is not required: it is left out
    /// - the spelling of a key: `maxResults`, `max-results` or `MaxResults` for `max_results`
    /// - the letter case of an `enum` value, and a number or boolean that spells one: `5` for `"5"`
    /// - a single value where a list of such is declared
    /// - a text that is an object but for a code fence around it or commas after last values, as the
    ///   arguments or in a string as above
    ///
    /// Nothing is guessed: where two different things can have been meant, or a number would lose
    /// a digit, the arguments stay as they were sent. The result may still be refused: parse it
    /// before anything else is done with it.
    ///
    /// ```
    /// use toolwright::{RunTool, Tool, ToolContext};
    /// use toolwright::arguments::Arguments;
    /// use toolwright::tools::TypedTool;
    ///
    /// /// Roll dice.
    /// #[derive(Tool)]
    /// #[tool(pure)]
    /// struct Roll {
    ///     /// Number of dice.
    ///     dice: u32,
    /// }
    /// # impl RunTool for Roll {
    /// #     type Output = u32;
    /// #     async fn run(self, _ctx: &ToolContext) -> u32 { self.dice * 4 }
    /// # }
    ///
    /// fn read(arguments: &Arguments<'_>) -> Result<Roll, toolwright::arguments::InvalidArguments> {
    ///     Roll::from_arguments(arguments).or_else(|invalid| match Roll::spec().repair(arguments) {
    ///         Some(repaired) => Roll::from_arguments(repaired.arguments()),
    ///         None => Err(invalid),
    ///     })
    /// }
    ///
    /// assert_eq!(read(&r#"{"dice": "2"}"#.into())?.dice, 2);
    /// assert!(read(&r#"{"dice": "two"}"#.into()).is_err());
    /// # Ok::<(), toolwright::arguments::InvalidArguments>(())
    /// ```
    pub fn repair(&self, arguments: &Arguments<'_>) -> Option<Repaired> {
        self.repair_or_read(arguments).ok()
    }

    /// Repairs the arguments, or gives their tree if they are a text in which nothing is to be repaired.
    pub(crate) fn repair_or_read<'t>(
        &self,
        arguments: &'t Arguments<'_>,
    ) -> Result<Repaired, Option<ReadTree<'t>>> {
        let (mut removed, mut order) = (Vec::new(), Vec::new());
        let mut tree = match arguments.view() {
            View::Empty => return Err(None),
            View::Text(text) => {
                if let Some(read) = json::tree(text) {
                    order = read.order;
                    read.tree
                } else {
                    let (tree, signs) = json::lenient(text).ok_or(None)?;
                    removed = signs;
                    tree
                }
            }
            View::Tree(tree) if nesting::of_tree(tree, DEPTH) > DEPTH => return Err(None),
            View::Tree(tree) => tree.clone(),
        };
        let aliases = self.argument_aliases();
        let sent = (arguments.as_text(), self.schema_names_secret());
        let walk = RepairWalk::new(self.input_schema(), &aliases, self.secrets(), sent);
        let mut repairs = walk.run(&mut tree).ok_or(None)?;
        repairs.splice(0..0, removed.into_iter().map(Repair::syntax));
        if repairs.is_empty() {
            return Err(arguments.as_text().map(|_| ReadTree { tree, order }));
        }
        Ok(Repaired {
            arguments: tree.into(),
            repairs,
        })
    }
}
