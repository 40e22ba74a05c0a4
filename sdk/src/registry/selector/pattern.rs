//! A pattern of a selector.

use super::error::{InvalidPattern, PatternFault};
use super::glob::Glob;
use super::select::Candidate;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SelectorPattern {
    text: Box<str>,
    /// True if it begins with `!`: the tools that it fits are not selected.
    denies: bool,
    /// The server whose tools alone it fits.
    server: Option<Box<str>>,
    /// The names that fit; with a server, names at that server.
    glob: Glob,
}

impl SelectorPattern {
    /// `*`.
    pub(super) fn any() -> Self {
        Self {
            text: "*".into(),
            denies: false,
            server: None,
            glob: Glob::new("*"),
        }
    }

    pub(super) fn read(text: &str) -> Result<Self, InvalidPattern> {
        let invalid = |fault| InvalidPattern::new(text, fault);
        let (denies, fitting) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (server, glob) = match fitting.strip_prefix('@') {
            None => (None, fitting),
            Some(rest) => {
                let (server, glob) = rest.split_once('/').unwrap_or((rest, "*"));
                if let Some(character) = server.chars().find(|c| !is_of_server(*c)) {
                    return Err(invalid(PatternFault::ServerCharacter(character)));
                }
                if server.is_empty() {
                    return Err(invalid(PatternFault::NoServer));
                }
                (Some(server), glob)
            }
        };
        if glob.is_empty() {
            return Err(invalid(PatternFault::Empty));
        }
        if let Some(character) = glob.chars().find(|c| !is_of_glob(*c)) {
            return Err(invalid(PatternFault::Character(character)));
        }
        Ok(Self {
            text: text.into(),
            denies,
            server: server.map(Box::from),
            glob: Glob::new(glob),
        })
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn denies(&self) -> bool {
        self.denies
    }

    pub(super) fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// Returns true if the pattern is a plain name, which selects explicit-only tools too.
    pub(super) fn is_exact(&self) -> bool {
        self.glob.is_exact()
    }

    pub(super) fn fits(&self, tool: &Candidate<'_>) -> bool {
        let Some(server) = self.server() else {
            let by_wire_name = self.is_exact() && self.glob.fits(tool.wire_name);
            return by_wire_name || tool.names().any(|name| self.glob.fits(name));
        };
        if tool.server != Some(server) {
            return false;
        }
        let mut names = tool.names().filter_map(|name| at_server(name, server));
        names.any(|name| self.glob.fits(name))
    }
}

/// The name that a tool has at its server.
pub(super) fn at_server<'n>(name: &'n str, server: &str) -> Option<&'n str> {
    name.strip_prefix(server)?.strip_prefix('.')
}

pub(in crate::registry) fn is_of_server(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn is_of_glob(c: char) -> bool {
    is_of_server(c) || matches!(c, '.' | '*')
}
