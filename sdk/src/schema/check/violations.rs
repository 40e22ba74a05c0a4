//! The one walk along a value and its schema: everything that the schema says against the value,
//! place by place.
//!
//! The walk is bounded, because schemas come from anywhere, and it knows the keywords that schemas of
//! types have. A validator, where there is one, knows the rest and gives the same [`Violation`]s.

use serde_json::{Map, Value};

use super::equal::equal;
use super::fits::{is_of_type, refused_by};
use super::pattern::matches;
use super::violation::{Violation, ViolationKind};
use crate::schema::keywords::{Keyword, Keywords};
use crate::schema::path::aliased;
use crate::schema::refs::resolved;
use crate::util::lookup::MemberLookup;
use crate::util::pointer::push_key;
use crate::util::suggestion::nearest;

/// The treatment of a value that fits none of several branches, where nothing tells which one was
/// meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unions {
    /// The union is named.
    Named,
    /// The branch that fits best is taken for the one that was meant.
    Guessed,
    /// Types have judged all that is of form: only the rest counts, by the first branch of the right form.
    BeyondForm,
}

/// The number of schemas that are looked at for any value, and more for each part of it: alternatives in
/// alternatives, all of which almost fit, take many.
const STEPS: (usize, usize) = (4096, 256);
/// The most steps where a union is named, which is for a report, and where a branch is guessed.
const MOST: (usize, usize) = (1_000_000, 4_000_000);
/// The most schemas that stand in each other, alternatives and references included.
const DEPTH: usize = 512;
/// The most bytes of all places together: each is as long as the names that lead to it.
const TEXT: usize = 1 << 20;
/// The most steps to match texts with patterns. A text that takes more fits, as far as is told here.
const MATCHING: usize = 1_000_000;

/// Returns everything that the schema `root` says against a value. Where the steps do not suffice, the
/// last is [`ViolationKind::TooMuch`].
pub(crate) fn violations<'s>(value: &Value, root: &'s Value, unions: Unions) -> Vec<Violation<'s>> {
    violations_among(value, root, unions, None)
}

/// The same, but of the members of the value only what is said against these, whose names are sorted, and what is
/// missing.
pub(crate) fn violations_among<'s>(
    value: &Value,
    root: &'s Value,
    unions: Unions,
    among: Option<&[&str]>,
) -> Vec<Violation<'s>> {
    let mut walk = SchemaWalk {
        root,
        unions,
        steps: STEPS.0,
        whole: Some(value),
        text: TEXT,
        matching: MATCHING,
        depth: DEPTH,
        path: Vec::new(),
        among,
    };
    let mut found = Vec::new();
    walk.at(value, root, &mut found);
    found
}

/// Returns about how many values there are in a value, itself included; long texts count as several.
pub(crate) fn weight(value: &Value) -> usize {
    let mut weight = 0;
    // Most values have none in them, and need no list.
    let (mut next, mut left) = (Some(value), Vec::new());
    while let Some(value) = next {
        weight += 1;
        match value {
            Value::String(text) => weight += text.len() / 64,
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values()),
            _ => {}
        }
        next = left.pop();
    }
    weight
}

/// A step into a value.
#[derive(Clone, Copy)]
enum WalkStep<'v> {
    Key(&'v str),
    Index(usize),
}

struct SchemaWalk<'s, 'v> {
    root: &'s Value,
    unions: Unions,
    steps: usize,
    /// The value, until the steps are counted that its size allows: most walks end before.
    whole: Option<&'v Value>,
    text: usize,
    matching: usize,
    depth: usize,
    path: Vec<WalkStep<'v>>,
    /// The sorted names of the members of the root that are looked at, if not all are.
    among: Option<&'v [&'v str]>,
}

impl<'s, 'v> SchemaWalk<'s, 'v> {
    fn at(&mut self, value: &'v Value, node: &'s Value, out: &mut Vec<Violation<'s>>) {
        self.judged(value, node, Keywords::of(node), out);
    }

    /// The same, where the keywords are at hand.
    fn judged(
        &mut self,
        value: &'v Value,
        node: &'s Value,
        keywords: Keywords<'s>,
        out: &mut Vec<Violation<'s>>,
    ) {
        if self.steps <= 1
            && let Some(whole) = self.whole.take()
        {
            self.steps += self.steps_of(whole);
        }
        if self.steps <= 1 || self.depth == 0 {
            if self.steps > 0 {
                self.stop();
                self.tell(None, ViolationKind::TooMuch, out);
            }
            return;
        }
        self.steps -= 1;
        self.depth -= 1;
        if keywords.has(Keyword::Ref)
            && let Some(target) = resolved(self.root, node)
        {
            self.at(value, target, out);
        }
        let is_excluded = || {
            let not = keywords.get(Keyword::Not);
            let constant = not.and_then(|not| not.get("const"));
            constant.is_some_and(|one| equal(one, value))
        };
        let broken = match node {
            Value::Bool(false) => Some(ViolationKind::NotListed),
            _ => refused_by(value, keywords, &mut self.matching),
        };
        match broken.or_else(|| is_excluded().then_some(ViolationKind::Excluded)) {
            Some(kind) => {
                let goes_on = !kind.is_of_form() && self.unions == Unions::BeyondForm;
                self.tell(Some(node), kind, out);
                if goes_on {
                    self.inside(value, node, keywords, out);
                }
            }
            None => self.inside(value, node, keywords, out),
        }
        self.depth += 1;
    }

    /// Ends the walk, also where the size of the value would allow more steps.
    fn stop(&mut self) {
        (self.steps, self.whole) = (0, None);
    }

    /// Returns how many steps the size of a value allows.
    fn steps_of(&self, whole: &Value) -> usize {
        let steps = STEPS.1.saturating_mul(weight(whole));
        match self.unions {
            Unions::Named => steps.min(MOST.0 - STEPS.0),
            Unions::Guessed => steps.min(MOST.1 - STEPS.0),
            Unions::BeyondForm => steps,
        }
    }

    fn within(
        &mut self,
        step: WalkStep<'v>,
        value: &'v Value,
        node: &'s Value,
        out: &mut Vec<Violation<'s>>,
    ) {
        self.path.push(step);
        self.at(value, node, out);
        self.path.pop();
    }

    /// Adds a violation at the place of the walk.
    fn tell(
        &mut self,
        node: Option<&'s Value>,
        kind: ViolationKind<'s>,
        out: &mut Vec<Violation<'s>>,
    ) {
        let mut pointer = String::new();
        for step in &self.path {
            match step {
                WalkStep::Key(key) => push_key(&mut pointer, key),
                WalkStep::Index(index) => {
                    push_key(&mut pointer, itoa::Buffer::new().format(*index));
                }
            }
        }
        if let Some(text) = self.text.checked_sub(pointer.len()) {
            self.text = text;
        } else {
            self.stop();
        }
        let root = self.root;
        out.push(Violation {
            pointer,
            node,
            root,
            kind,
        });
    }

    fn inside(
        &mut self,
        value: &'v Value,
        node: &'s Value,
        keywords: Keywords<'s>,
        out: &mut Vec<Violation<'s>>,
    ) {
        match value {
            Value::Object(members) => self.members(members, node, keywords, out),
            Value::Array(items) => {
                let first = keywords.list(Keyword::PrefixItems);
                let rest = keywords.get(Keyword::Items);
                for (index, item) in items.iter().enumerate() {
                    let part = first.get(index).or(rest);
                    if let Some(part) = part.filter(|_| self.steps > 0) {
                        self.within(WalkStep::Index(index), item, part, out);
                    }
                }
            }
            _ => {}
        }
        for part in keywords.list(Keyword::AllOf) {
            self.at(value, part, out);
        }
        for keyword in [Keyword::AnyOf, Keyword::OneOf] {
            if let Some(Value::Array(branches)) = keywords.get(keyword) {
                self.union(value, node, branches, out);
            }
        }
    }

    fn members(
        &mut self,
        members: &'v Map<String, Value>,
        node: &'s Value,
        keywords: Keywords<'s>,
        out: &mut Vec<Violation<'s>>,
    ) {
        let properties = keywords.object(Keyword::Properties);
        let patterns = keywords.object(Keyword::PatternProperties);
        let required = keywords.list(Keyword::Required);
        let required = required.iter().filter_map(Value::as_str);
        let mut own = properties.map(MemberLookup::of);
        let mut others: Vec<&str> = Vec::new();
        let among = self.among.filter(|_| self.path.is_empty());
        for (key, value) in members {
            if self.steps == 0 {
                return;
            }
            if among.is_some_and(|names| names.binary_search(&&**key).is_err()) {
                continue;
            }
            let named = own.as_mut().and_then(|own| own.get(key));
            if let Some((name, inner)) = named.or_else(|| aliased(properties?, key)) {
                if named.is_none() {
                    others.push(name);
                }
                // The declared default is right, whatever else is said of it, and `null` says that
                // something is left out.
                let of_inner = Keywords::of(inner);
                let is_right = of_inner.get(Keyword::Default) == Some(value)
                    || (value.is_null() && !required.clone().any(|one| one == name));
                if !is_right {
                    self.path.push(WalkStep::Key(key));
                    self.judged(value, inner, of_inner, out);
                    self.path.pop();
                }
                continue;
            }
            let mut is_known = false;
            for (pattern, inner) in patterns.into_iter().flatten() {
                match matches(pattern, key, &mut self.matching) {
                    Some(false) => {}
                    // A pattern that cannot be read here may know the name.
                    None => is_known = true,
                    Some(true) => {
                        is_known = true;
                        self.within(WalkStep::Key(key), value, inner, out);
                    }
                }
            }
            match keywords.get(Keyword::AdditionalProperties) {
                Some(inner @ Value::Object(_)) if !is_known => {
                    self.within(WalkStep::Key(key), value, inner, out);
                }
                Some(Value::Bool(false)) if !is_known => {
                    self.tell(Some(node), ViolationKind::Unknown(vec![key.clone()]), out);
                }
                _ => {}
            }
        }
        for name in required {
            if !members.contains_key(name) && !others.contains(&name) {
                self.tell(Some(node), ViolationKind::Missing(name.to_owned()), out);
            }
        }
    }

    fn union(
        &mut self,
        value: &'v Value,
        node: &'s Value,
        branches: &'s [Value],
        out: &mut Vec<Violation<'s>>,
    ) {
        let resolved = branches.iter().filter_map(|b| resolved(self.root, b));
        let mut fitting: Vec<&Value> = resolved.filter(|b| is_of_type(value, b)).collect();
        let by_form = self.unions == Unions::BeyondForm;
        if let Value::Object(members) = value
            && !by_form
        {
            if let Some(tag) = tag_of(&fitting) {
                let wanted = members.get(tag).and_then(Value::as_str);
                let tags = fitting.iter().filter_map(|b| only_text(b, tag)).collect();
                fitting.retain(|b| only_text(b, tag) == wanted);
                if fitting.is_empty() {
                    self.tell(Some(node), ViolationKind::Tag(tags), out);
                    if let Some(told) = out.last_mut() {
                        push_key(&mut told.pointer, tag);
                    }
                    return;
                }
            }
            if let Some(names) = only_names(&fitting)
                && members.len() == 1
                && let Some(key) = members.keys().next()
            {
                match names.iter().position(|name| name == key) {
                    Some(index) => fitting = vec![fitting[index]],
                    None => {
                        if !self.has_name_for_text(members, branches)
                            && let Some(near) = nearest(key, names)
                        {
                            self.tell(Some(node), ViolationKind::Branch(key.clone(), near), out);
                            return;
                        }
                    }
                }
            }
        }
        let several = fitting.len() > 1;
        let mut tried: Vec<Vec<Violation<'s>>> = Vec::with_capacity(fitting.len());
        for branch in fitting {
            let mut found = Vec::new();
            self.at(value, branch, &mut found);
            if found.is_empty() {
                return;
            }
            if self.steps == 0 {
                out.extend(found.pop());
                return;
            }
            tried.push(found);
        }
        if by_form {
            let is_of_form = |found: &Vec<Violation<'_>>| found.iter().any(|v| v.kind.is_of_form());
            // If no branch is of the form of the value, its type has found another way.
            match tried.into_iter().find(|found| !is_of_form(found)) {
                Some(mut found) => out.append(&mut found),
                None => self.tell(Some(node), ViolationKind::Type, out),
            }
            return;
        }
        let missing = |found: &Vec<Violation<'_>>| {
            let is_missing = |v: &&Violation<'_>| matches!(v.kind, ViolationKind::Missing(_));
            found.iter().filter(is_missing).count()
        };
        let guess = !several || self.unions == Unions::Guessed;
        let is_name = || match value {
            Value::Object(members) => self.has_name_for_text(members, branches),
            _ => false,
        };
        let best = tried
            .into_iter()
            .min_by_key(|found| (missing(found), found.len()));
        match best.filter(|_| guess && !is_name()) {
            Some(mut best) => out.append(&mut best),
            None => self.tell(Some(node), ViolationKind::Type, out),
        }
    }

    /// Returns true if an object has a name and no content where a branch is the name as a text: serde
    /// takes one for the other in what it has copied.
    fn has_name_for_text(&self, members: &Map<String, Value>, branches: &[Value]) -> bool {
        let mut members = members.iter();
        let (Some((name, content)), None) = (members.next(), members.next()) else {
            return false;
        };
        let empty = content.is_null() || content.as_object().is_some_and(Map::is_empty);
        let is_text = |branch| {
            let texts = resolved(self.root, branch).and_then(|branch| branch["enum"].as_array());
            texts.is_some_and(|texts| texts.iter().any(|text| text == name.as_str()))
        };
        empty && branches.iter().any(is_text)
    }
}

/// Returns the names that an object must have.
pub(crate) fn required(node: &Value) -> impl Iterator<Item = &str> {
    let keys = node["required"].as_array().into_iter().flatten();
    keys.filter_map(Value::as_str)
}

/// Returns the name whose value tells all of these objects apart.
fn tag_of<'s>(branches: &[&'s Value]) -> Option<&'s str> {
    let (first, others) = branches.split_first()?;
    required(first).find(|key| {
        let tag = only_text(first, key);
        let differs = |other: &&Value| {
            let own = only_text(other, key);
            own.is_some() && own != tag && required(other).any(|own| own == *key)
        };
        tag.is_some() && others.iter().all(differs)
    })
}

/// Returns the one name that each of these objects must have and no other may, if all differ.
fn only_names<'s>(branches: &[&'s Value]) -> Option<Vec<&'s str>> {
    let only = |branch: &&'s Value| {
        let mut names = branch["properties"].as_object()?.keys();
        let (Some(name), None) = (names.next(), names.next()) else {
            return None;
        };
        let is_one = required(branch).any(|key| key == name);
        (is_one && branch["additionalProperties"] == Value::Bool(false)).then_some(name.as_str())
    };
    let names: Vec<&str> = branches.iter().map(only).collect::<Option<_>>()?;
    let mut different = names.clone();
    different.sort_unstable();
    different.dedup();
    (different.len() == names.len()).then_some(names)
}

/// Returns the one text that a property can be.
fn only_text<'s>(object: &'s Value, key: &str) -> Option<&'s str> {
    match object["properties"][key]["enum"].as_array()?.as_slice() {
        [only] => only.as_str(),
        _ => None,
    }
}
