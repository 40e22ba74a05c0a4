//! Objects whose texts and lists grow with each event.

use crate::wire::entries::{Entries, list, quoted};

/// The most members of an object. A server adds few to those that are documented, and each is looked for among all.
const MAX_MEMBERS: usize = 256;

/// An object whose members grow. Members beyond the first 256 are left out.
#[derive(Debug, Default, Clone)]
pub(super) struct Growing(Vec<(String, GrowingMember)>);

#[derive(Debug, Clone)]
enum GrowingMember {
    /// JSON text.
    Json(String),
    Text(String),
    /// Items, each as JSON text.
    List(Vec<String>),
}

impl Growing {
    /// Takes an object.
    pub(super) fn read(object: &str) -> serde_json::Result<Self> {
        let entries = Entries::read(object)?.0.into_iter().take(MAX_MEMBERS);
        let members = entries.map(|(n, v)| (n.into_owned(), GrowingMember::Json(v.into_owned())));
        Ok(Self(members.collect()))
    }

    fn at(&mut self, name: &str, new: fn() -> GrowingMember) -> Option<&mut GrowingMember> {
        let index = self.0.iter().position(|(n, _)| n == name);
        let index = index.unwrap_or(self.0.len());
        if index == self.0.len() && index < MAX_MEMBERS {
            self.0.push((name.to_owned(), new()));
        }
        self.0.get_mut(index).map(|(_, member)| member)
    }

    pub(super) fn set(&mut self, name: &str, json: impl Into<String>) {
        if let Some(member) = self.at(name, || GrowingMember::List(Vec::new())) {
            *member = GrowingMember::Json(json.into());
        }
    }

    /// Adds to a text. What stands there and is no text is replaced.
    pub(super) fn add_text(&mut self, name: &str, text: &str) {
        let Some(member) = self.at(name, || GrowingMember::Text(String::new())) else {
            return;
        };
        if let GrowingMember::Json(json) = member {
            *member = GrowingMember::Text(serde_json::from_str(json).unwrap_or_default());
        }
        match member {
            GrowingMember::Text(whole) => whole.push_str(text),
            other => *other = GrowingMember::Text(text.to_owned()),
        }
    }

    /// Adds an item to a list. What stands there and is no list is replaced.
    pub(super) fn add_item(&mut self, name: &str, item: &str) {
        let Some(member) = self.at(name, || GrowingMember::List(Vec::new())) else {
            return;
        };
        if let GrowingMember::Json(json) = member {
            let items: Vec<&serde_json::value::RawValue> =
                serde_json::from_str(json).unwrap_or_default();
            *member = GrowingMember::List(items.iter().map(|item| item.get().to_owned()).collect());
        }
        match member {
            GrowingMember::List(items) => items.push(item.to_owned()),
            other => *other = GrowingMember::List(vec![item.to_owned()]),
        }
    }

    /// Sets each member of an object, but for those that are `null`.
    pub(super) fn set_all(&mut self, object: &str) -> serde_json::Result<()> {
        for (name, value) in Entries::read(object)?.0 {
            if value != "null" {
                self.set(&name, value);
            }
        }
        Ok(())
    }

    /// Adds to each member of an object: texts to texts, items to lists; any other value replaces the one before,
    /// unless it is `null`.
    pub(super) fn add_all<'n>(
        &mut self,
        members: impl IntoIterator<Item = (&'n str, &'n str)>,
    ) -> serde_json::Result<()> {
        for (name, value) in members {
            match value.as_bytes().first() {
                Some(b'"') => self.add_text(name, &serde_json::from_str::<String>(value)?),
                Some(b'[') => {
                    let items: Vec<&serde_json::value::RawValue> = serde_json::from_str(value)?;
                    for item in items {
                        self.add_item(name, item.get());
                    }
                }
                Some(b'n') => {}
                _ => self.set(name, value),
            }
        }
        Ok(())
    }

    /// Adds the members of another.
    pub(super) fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(n, _)| n == name)
    }

    /// Returns a member as JSON text.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let (_, member) = self.0.iter().find(|(n, _)| n == name)?;
        Some(member.write())
    }

    pub(super) fn write(&self) -> String {
        let members = self.0.iter();
        let members = members.map(|(name, member)| format!("{}:{}", quoted(name), member.write()));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

impl GrowingMember {
    fn write(&self) -> String {
        match self {
            Self::Json(json) => json.clone(),
            Self::Text(text) => quoted(text),
            Self::List(items) => list(items),
        }
    }
}

/// JSON text that grows, and its nesting, so that it shows at once if an object is whole.
#[derive(Debug, Default, Clone)]
pub(super) struct GrowingJson {
    pub(super) text: String,
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

impl GrowingJson {
    pub(super) fn push(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_text => self.is_escaped = true,
                b'"' => self.in_text = !self.in_text,
                b'{' | b'[' if !self.in_text => self.depth += 1,
                b'}' | b']' if !self.in_text => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.text.push_str(text);
    }

    /// Returns true if as many brackets are closed as were opened, and one was.
    pub(super) fn is_closed(&self) -> bool {
        self.depth == 0 && !self.in_text && self.text.trim_end().ends_with(['}', ']'])
    }
}
