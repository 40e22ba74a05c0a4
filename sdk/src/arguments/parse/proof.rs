//! Whether a type says the same as its schema. The schema is asked what is wrong with a value,
//! because it knows all of it and has words; but the type may know more (other names of a field)
//! or read otherwise than a schema by hand says. So what the schema says is held against what the
//! type does with little more than the part in question.

use std::collections::HashMap;

use serde_json::Value;

use super::cause::ReadError;
use super::faults::{Fault, faults};
use super::skeleton::{Beside, Skeletons, below, of_each_type, unescaped};
use super::unseen::cost;
use crate::arguments::argument::TrackedError;
use crate::arguments::strict::Flags;
use crate::arguments::{ArgumentProblem, ProblemKind, TOLD};
use crate::schema;
use crate::util::pointer::push_key;

/// How much is read to prove things of one call, in about the bytes of the values. What is left
/// over is taken from the schema as it is.
pub(super) const EFFORT: usize = 1 << 20;
/// What a read costs besides.
const READ: usize = 256;

/// Reads a value as the type in question.
pub(super) type Reads<'t> = &'t dyn Fn(&Value, &Flags) -> Result<(), TrackedError>;

/// What is told of a value.
#[derive(Default)]
pub(super) struct Told {
    pub(super) problems: Vec<ArgumentProblem>,
    /// Where they are, in the value.
    pub(super) places: Vec<String>,
    /// How many more there are.
    pub(super) omitted: usize,
}

/// What the faults are that the schema finds in a value, without those of which the type knows
/// better. The value is that of one argument or, without a name, the whole object.
pub(super) fn proven<'s>(
    faults: &[Fault<'s>],
    name: Option<&str>,
    value: &'s Value,
    root: &'s Value,
    reads: Reads<'_>,
    effort: &mut usize,
) -> Told {
    let mut top = String::new();
    if let Some(name) = name {
        push_key(&mut top, name);
    }
    let mut proof = Proof {
        skeletons: Skeletons {
            name,
            value,
            root,
            faulty: faults.iter().map(Fault::place).collect(),
        },
        reads,
        effort,
        names: Vec::new(),
        others: HashMap::new(),
        aliased: Vec::new(),
        top: top.clone(),
    };
    let mut told = Told::default();
    for fault in faults {
        if told.problems.len() == TOLD {
            told.omitted += 1;
        } else if let Some(kind) = proof.kind(fault) {
            let problem = fault.problem(&top, root);
            if !fault.is_secret() {
                told.problems.push(problem.with_kind(kind));
            } else if !told.problems.contains(&problem) {
                told.problems.push(problem);
            }
            told.places.push(fault.place());
        }
        for (place, problem) in proof.aliased.drain(..) {
            if told.problems.len() == TOLD {
                told.omitted += 1;
            } else {
                told.problems.push(problem);
                told.places.push(place);
            }
        }
    }
    told
}

struct Proof<'t, 's> {
    skeletons: Skeletons<'t, 's>,
    reads: Reads<'t>,
    effort: &'t mut usize,
    /// Names by what describes their object, and whether the type does not know them.
    names: Vec<(&'s str, &'s Value, bool)>,
    /// By the place of an object, what those names in it mean that the type knows and the schema
    /// does not, as far as that can be told.
    others: HashMap<String, Vec<Option<&'s str>>>,
    /// What is wrong with the values of such names, and where.
    aliased: Vec<(String, ArgumentProblem)>,
    /// The pointer of the value among the arguments.
    top: String,
}

/// How a read of little more than one place ended.
#[derive(Clone, Copy, PartialEq)]
enum Ended {
    /// What is there was read.
    Well,
    /// What is there was read, or would have been later: this is missing elsewhere.
    Without(&'static str),
    /// What is there was refused.
    Refused(ReadError),
    /// The name of what is there was.
    Unknown,
    /// An object has a name twice, once perhaps as another name of it.
    Repeated(&'static str),
    /// Another part was refused, or serde does not say which.
    Unclear,
}

/// How much of a read was seen.
struct Read {
    failed: Option<(String, ReadError)>,
    unknown: bool,
    /// Something was read from a copy, after what was not.
    unseen: bool,
}

impl<'s> Proof<'_, 's> {
    /// What kind of fault it is to the type, if it is one.
    fn kind(&mut self, fault: &Fault<'s>) -> Option<ProblemKind> {
        if let Some((key, object)) = fault.unknown_key() {
            let unknown = self.is_unknown(key, object, &fault.pointer);
            return unknown.then_some(ProblemKind::Unknown);
        }
        if fault.is_missing() {
            return self.is_missing(&fault.pointer).then(|| fault.kind());
        }
        let found = self.skeletons.value.pointer(&fault.pointer);
        let ended = match found {
            // serde takes a number for the name of a branch, which no schema says.
            Some(found) if fault.is_tag() && !found.is_string() => None,
            Some(found) if fault.is_tag() => self.read_tag(&fault.pointer, found),
            Some(found) => self.read(&fault.pointer, found),
            None => None,
        };
        match ended {
            Some(Ended::Well | Ended::Without(_)) => None,
            _ if fault.kind() == ProblemKind::Unknown => Some(ProblemKind::Unknown),
            Some(Ended::Refused(ReadError::NotAllowed)) => Some(ProblemKind::Constraint),
            Some(Ended::Refused(ReadError::Unfit)) => Some(ProblemKind::Type),
            _ => Some(fault.kind()),
        }
    }

    /// Whether the type does not know a name that the schema does not show. Where that would take
    /// too long to find out, it is as it was in another object of the kind, or else unknown.
    fn is_unknown(&mut self, key: &'s str, object: &'s Value, parent: &str) -> bool {
        let place = below(parent, key);
        let Some(found) = self.skeletons.value.pointer(&place) else {
            return true;
        };
        let ended = self.read(&place, found);
        let answer = match ended {
            Some(Ended::Unknown) => Some(true),
            Some(Ended::Refused(_) | Ended::Repeated(_)) => Some(false),
            Some(ended) => self.makes_no_difference(&place, ended),
            None => None,
        };
        let same =
            |(name, of, _): &&(&str, &Value, bool)| std::ptr::eq(*of, object) && *name == key;
        let unknown = match answer {
            Some(answer) => {
                self.names.push((key, object, answer));
                answer
            }
            None => self.names.iter().find(same).is_none_or(|known| known.2),
        };
        if !unknown {
            let meant = self.meant(object, &place);
            if ended.is_some_and(|ended| !matches!(ended, Ended::Well | Ended::Without(_)))
                && let Some((_, node)) = meant
            {
                self.aliased(&place, found, node);
            }
            let others = self.others.entry(parent.to_owned()).or_default();
            others.push(meant.map(|(name, _)| name));
        }
        unknown
    }

    /// Whether whatever stands at a place is passed over; `None` where that is too much to find
    /// out.
    fn makes_no_difference(&mut self, place: &str, before: Ended) -> Option<bool> {
        for other in of_each_type() {
            if self.read(place, &other)? != before {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The name that the name at a place is another of, and what describes its values. A type that
    /// knows both as one refuses an object that has both.
    fn meant(&mut self, object: &'s Value, place: &str) -> Option<(&'s str, &'s Value)> {
        for (name, node) in object["properties"].as_object()? {
            let sample = self.skeletons.sample(node, 1);
            for beside in [Beside::Tags, Beside::Required] {
                let (mut skeleton, shown) = self.skeletons.to(place, &sample, beside)?;
                let (parent, _) = shown.rsplit_once('/')?;
                let Some(Value::Object(members)) = skeleton.pointer_mut(parent) else {
                    return None;
                };
                members.insert(name.clone(), sample.clone());
                let failed = self.read_whole(&skeleton)?.failed;
                if matches!(failed, Some((_, ReadError::Repeated(twice))) if twice == name) {
                    return Some((name, schema::resolved(self.skeletons.root, node)?));
                }
            }
        }
        None
    }

    /// Tells what is wrong with the value of a name that the schema does not show.
    fn aliased(&mut self, place: &str, value: &'s Value, node: &'s Value) {
        let at = format!("{}{place}", self.top);
        for fault in faults(value, node, self.skeletons.root, false) {
            let place = format!("{place}{}", fault.place());
            self.aliased
                .push((place, fault.problem(&at, self.skeletons.root)));
        }
    }

    /// Whether a name is missing that the schema requires: another name may stand for it.
    fn is_missing(&self, place: &str) -> bool {
        let Some((parent, key)) = place.rsplit_once('/') else {
            return true;
        };
        let (key, others) = (unescaped(key), self.others.get(parent));
        let mut others = others.into_iter().flatten();
        others.all(|meant| meant.is_some_and(|name| name != key))
    }

    /// Reads what leads to a place, with something there; `None` where it would take too long.
    fn read(&mut self, place: &str, there: &Value) -> Option<Ended> {
        let (ended, unseen) = self.read_beside(place, there, Beside::Tags)?;
        if !unseen || !matches!(ended, Ended::Without(_)) {
            return Some(ended);
        }
        match self.read_beside(place, there, Beside::Required)?.0 {
            Ended::Without(_) => Some(Ended::Unclear),
            ended => Some(ended),
        }
    }

    /// The same for what tells branches apart: that a part of the branch is missing says that
    /// there is one.
    fn read_tag(&mut self, place: &str, there: &Value) -> Option<Ended> {
        let (ended, _) = self.read_beside(place, there, Beside::Common)?;
        Some(ended)
    }

    /// How that ends, and whether something was read from a copy.
    fn read_beside(&mut self, place: &str, there: &Value, beside: Beside) -> Option<(Ended, bool)> {
        let (skeleton, shown) = self.skeletons.to(place, there, beside)?;
        let read = self.read_whole(&skeleton)?;
        let ended = match read.failed {
            None => Ended::Well,
            Some((at, why)) => {
                let reached = reaches(&at, &shown);
                let (parent, _) = shown.rsplit_once('/').unwrap_or_default();
                match why {
                    ReadError::Unknown if reached || at == parent => Ended::Unknown,
                    _ if reached && read.unknown => Ended::Unknown,
                    ReadError::Repeated(name) => Ended::Repeated(name),
                    _ if reached => Ended::Refused(why),
                    ReadError::Missing(name) => Ended::Without(name),
                    _ => Ended::Unclear,
                }
            }
        };
        Some((ended, read.unseen))
    }

    fn read_whole(&mut self, value: &Value) -> Option<Read> {
        *self.effort = self.effort.checked_sub(READ + cost(value))?;
        let flags = Flags::default();
        let failed = (self.reads)(value, &flags).err();
        Some(Read {
            failed: failed.map(|error| (pointer(&error), *error.inner())),
            unknown: flags.unknown(),
            unseen: flags.unseen(),
        })
    }
}

/// Whether a place is another or within it.
pub(super) fn reaches(place: &str, other: &str) -> bool {
    let rest = place.strip_prefix(other);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The place that an error leads to, in the value that was read.
pub(super) fn pointer(error: &TrackedError) -> String {
    use serde_path_to_error::Segment;
    let mut pointer = String::new();
    for segment in error.path() {
        match segment {
            Segment::Seq { index } => push_key(&mut pointer, &index.to_string()),
            Segment::Map { key } => push_key(&mut pointer, key),
            Segment::Enum { variant } => push_key(&mut pointer, variant),
            Segment::Unknown => {}
        }
    }
    pointer
}
