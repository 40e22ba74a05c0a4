//! Objects of JSON that are written member by member, some of which are text already.

use serde_json::Result;

/// Writes the members of an object.
pub(crate) struct Members<'t> {
    text: &'t mut Vec<u8>,
    is_first: bool,
}

impl<'t> Members<'t> {
    pub(crate) fn begin(text: &'t mut Vec<u8>) -> Self {
        text.push(b'{');
        Self {
            text,
            is_first: true,
        }
    }

    /// Begins a member of any name. The caller writes its value.
    pub(crate) fn name(&mut self, name: &str) -> Result<&mut Vec<u8>> {
        self.comma();
        serde_json::to_writer(&mut *self.text, name)?;
        self.text.push(b':');
        Ok(self.text)
    }

    /// Begins a member of a name that is the same in JSON. The caller writes its value.
    pub(crate) fn plain_name(&mut self, name: &'static str) -> &mut Vec<u8> {
        self.comma();
        self.text.push(b'"');
        self.text.extend_from_slice(name.as_bytes());
        self.text.extend_from_slice(b"\":");
        self.text
    }

    /// Adds a member of a name that is the same in JSON, unless `write` returns false.
    pub(crate) fn add_if(
        &mut self,
        name: &'static str,
        write: impl FnOnce(&mut Vec<u8>) -> Result<bool>,
    ) -> Result<()> {
        let (length, is_first) = (self.text.len(), self.is_first);
        if !write(self.plain_name(name))? {
            self.text.truncate(length);
            self.is_first = is_first;
        }
        Ok(())
    }

    /// Adds members that are text already.
    pub(crate) fn extend(&mut self, members: &str) {
        if !members.is_empty() {
            self.comma();
            self.text.extend_from_slice(members.as_bytes());
        }
    }

    fn comma(&mut self) {
        if !std::mem::take(&mut self.is_first) {
            self.text.push(b',');
        }
    }

    pub(crate) fn end(self) {
        self.text.push(b'}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_parted_by_commas() {
        let mut text = Vec::new();
        let mut members = Members::begin(&mut text);
        members.extend("");
        members.add_if("none", |_| Ok(false)).unwrap();
        members.name("a\"").unwrap().push(b'1');
        members.extend(r#""b":2,"c":3"#);
        members.add_if("none", |_| Ok(false)).unwrap();
        let inner = Members::begin(members.plain_name("d"));
        inner.end();
        members.end();
        assert_eq!(text, br#"{"a\"":1,"b":2,"c":3,"d":{}}"#);
    }
}
