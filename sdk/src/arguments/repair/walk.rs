//! The walk along value and schema.

use std::borrow::Cow;
use std::mem;

use serde_json::Value;

use super::choice::RepairChoice;
use super::json::numbers_are_as_written;
use super::retype::count_listed;
use super::{Repair, RepairKind};
use crate::schema::{
    Keyword, Keywords, equal, marks_secret, may_hold_secret, refused_by, resolved, weight,
};
use crate::util::pointer::{below, push_key};

/// The most steps of a repair. Arguments of a usual size take some hundreds.
const EFFORT: usize = 1_000_000;

/// The most schemas that stand in each other, by value, reference or branch. It bounds the stack.
const LEVELS: usize = 128;

/// The most repairs of one call. Where there are more, somebody plays.
const REPAIRS: usize = 2_000;

/// The role of a place in the value around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// The whole, or a member of an object.
    Member,
    /// An item of a list. It is not put into a list of its own: `[1, 2]` for a list of lists may be
    /// `[[1, 2]]` as well as `[[1], [2]]`.
    Item,
}

/// Goes along a value and its schema, and changes the value where it does not fit.
///
/// The methods that visit a place say whether its value fits now, as far as this walk knows the
/// keywords. What they changed they left in `repairs`.
pub(super) struct RepairWalk<'s> {
    pub(super) root: &'s Value,
    /// Other names of the root's properties.
    pub(super) aliases: &'s [(&'s str, &'s str)],
    /// Those of the root's properties that are shown to nobody.
    pub(super) secrets: &'s [Cow<'static, str>],
    /// True if floats are written as they were sent, as far as it is known.
    pub(super) as_written: bool,
    /// The text that the arguments were read from, until its floats are looked at: few walks ask for them.
    text: Option<&'s str>,
    pub(super) repairs: Vec<Repair>,
    /// The JSON pointer of the place.
    pub(super) pointer: String,
    /// The number of values around the place.
    pub(super) around: usize,
    /// The schemas that describe the places on the way, those of this place last.
    scope: Vec<&'s Value>,
    /// The number of those that describe the places around.
    outer: usize,
    /// True if the schema says of any part that it is shown to nobody.
    names_secret: bool,
    /// The JSON pointer of the secret that the place is in.
    secret: Option<String>,
    pub(super) effort: usize,
    level: usize,
}

impl<'s> RepairWalk<'s> {
    pub(super) fn new(
        root: &'s Value,
        aliases: &'s [(&'s str, &'s str)],
        secrets: &'s [Cow<'static, str>],
        (text, names_secret): (Option<&'s str>, bool),
    ) -> Self {
        Self {
            root,
            aliases,
            secrets,
            as_written: true,
            text,
            repairs: Vec::new(),
            pointer: String::with_capacity(64),
            around: 0,
            scope: Vec::new(),
            outer: 0,
            names_secret,
            secret: None,
            effort: EFFORT,
            level: 0,
        }
    }

    /// Repairs the arguments. `None` where that takes too long: some of them are changed then, and they are to be
    /// thrown away.
    pub(super) fn run(mut self, arguments: &mut Value) -> Option<Vec<Repair>> {
        self.section(arguments, self.root, Spot::Member);
        (self.effort > 0).then_some(self.repairs)
    }

    /// The schemas that describe the place.
    pub(super) fn scope(&self) -> &[&'s Value] {
        self.scope.get(self.outer..).unwrap_or_default()
    }

    /// Returns true if floats are written as they were sent.
    pub(super) fn is_as_written(&mut self) -> bool {
        if let Some(text) = self.text.take() {
            self.as_written &= numbers_are_as_written(text);
        }
        self.as_written
    }

    /// Takes steps; false if there are none left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.effort = self.effort.saturating_sub(steps);
        self.effort > 0
    }

    /// Visits a value in the one that the walk is at.
    pub(super) fn part(
        &mut self,
        key: &str,
        value: &mut Value,
        schema: &'s Value,
        spot: Spot,
    ) -> bool {
        let keywords = Keywords::of(schema);
        // Nothing is noted of such a part, so that nobody asks where it is.
        if self.is_right(value, keywords) {
            return true;
        }
        let here = self.pointer.len();
        push_key(&mut self.pointer, key);
        let outer = mem::replace(&mut self.outer, self.scope.len());
        self.around += 1;
        let fits = self.visit(value, (schema, keywords), spot);
        self.around -= 1;
        self.outer = outer;
        self.pointer.truncate(here);
        fits
    }

    /// The same, where the value is shown to nobody.
    pub(super) fn secret_part(&mut self, key: &str, value: &mut Value, schema: &'s Value) -> bool {
        let outer = self.secret.clone();
        self.secret.get_or_insert_with(|| below(&self.pointer, key));
        let fits = self.part(key, value, schema, Spot::Member);
        self.secret = outer;
        fits
    }

    /// Returns true if a value has no parts and needs no repair, as most do.
    fn is_right(&mut self, value: &Value, keywords: Keywords<'s>) -> bool {
        !matches!(value, Value::Array(_) | Value::Object(_))
            && keywords.say_all()
            && self.level < LEVELS
            && self.spend(1 + count_listed(keywords))
            && refused_by(value, keywords, &mut self.effort).is_none()
            && self.effort > 0
    }

    /// Visits the value of the place as one of the schemas that describe it has it.
    pub(super) fn section(&mut self, value: &mut Value, node: &'s Value, spot: Spot) -> bool {
        self.visit(value, (node, Keywords::of(node)), spot)
    }

    /// The same, where the keywords of the schema are at hand.
    fn visit(
        &mut self,
        value: &mut Value,
        (node, keywords): (&'s Value, Keywords<'s>),
        spot: Spot,
    ) -> bool {
        match node {
            Value::Bool(all) => return *all,
            Value::Object(_) => {}
            _ => return true,
        }
        if self.level == LEVELS || !self.spend(1) {
            return false;
        }
        if keywords
            .get(Keyword::Default)
            .is_some_and(|default| equal(default, value))
        {
            return true;
        }
        let begins_secret =
            self.names_secret && self.secret.is_none() && marks_secret(node, self.root);
        if begins_secret {
            self.secret = Some(self.pointer.clone());
        }
        self.level += 1;
        self.scope.push(node);
        let mut fits = self.own(value, keywords, spot);
        if keywords.has(Keyword::Ref)
            && let Some(target) = resolved(self.root, node)
        {
            fits &= self.section(value, target, spot);
        }
        for part in keywords.list(Keyword::AllOf) {
            fits &= self.section(value, part, spot);
        }
        for union in [Keyword::AnyOf, Keyword::OneOf] {
            if let Some(Value::Array(branches)) = keywords.get(union) {
                fits &= self.union(value, branches, spot);
            }
        }
        self.scope.pop();
        self.level -= 1;
        if begins_secret {
            self.secret = None;
        }
        fits
    }

    /// Visits the value as each branch has it, and takes what comes out if that is one thing.
    fn union(&mut self, value: &mut Value, branches: &'s [Value], spot: Spot) -> bool {
        let mut possible: Vec<&'s Value> = branches
            .iter()
            .filter(|branch| self.is_possible(value, branch))
            .collect();
        // An object is never put into a list to get away from what is wrong in it.
        if value.is_object() && possible.iter().any(|branch| self.takes_objects(branch)) {
            possible.retain(|branch| self.takes_objects(branch));
        }
        if let [only] = possible[..] {
            return self.section(value, only, spot);
        }
        let copy = weight(value) * 4;
        let mut choice = RepairChoice::new(self.repairs.len());
        for branch in possible {
            if !self.spend(copy) {
                return false;
            }
            let mut tried = value.clone();
            let fits = self.section(&mut tried, branch, spot);
            if fits && self.repairs.len() == choice.mark() {
                return true;
            }
            choice.tried(fits.then_some(tried), &mut self.repairs);
        }
        choice.decide(value, &mut self.repairs)
    }

    /// Returns true if a value fits without any repair.
    pub(super) fn takes(&mut self, mut value: Value, schema: &'s Value) -> bool {
        let outer = mem::replace(&mut self.outer, self.scope.len());
        let mark = self.repairs.len();
        let fits = self.section(&mut value, schema, Spot::Item) && self.repairs.len() == mark;
        self.repairs.truncate(mark);
        self.outer = outer;
        fits
    }

    /// Notes that the value of the place became another.
    pub(super) fn became(&mut self, from: Value, to: &Value) {
        // A text that became a list or an object may hold secrets of what is declared in it.
        let is_container = to.is_array() || to.is_object();
        let declared = self.scope().first().copied().unwrap_or(self.root);
        let holds_secret = is_container
            && ((self.pointer.is_empty() && !self.secrets.is_empty())
                || (self.names_secret && may_hold_secret(declared, self.root)));
        self.note(if holds_secret {
            Repair::secret(self.pointer.clone())
        } else {
            Repair::new(
                RepairKind::Value,
                self.pointer.clone(),
                from,
                Some(to.clone()),
            )
        });
    }

    /// Notes what became of a member of the value at the place.
    pub(super) fn member(&mut self, kind: RepairKind, key: &str, from: Value, to: Option<Value>) {
        self.note(Repair::new(kind, below(&self.pointer, key), from, to));
    }

    fn note(&mut self, repair: Repair) {
        let repair = match &self.secret {
            Some(secret) => Repair::secret(secret.clone()),
            None => repair,
        };
        // All that happens in a secret is one repair.
        if repair.is_secret() && self.repairs.last() == Some(&repair) {
            return;
        }
        self.repairs.push(repair);
        if self.repairs.len() > REPAIRS {
            self.effort = 0;
        }
    }
}
