//! The capabilities that a tool must be granted before it may run, and the grants.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::util::character::is_deceptive;

/// Something that a tool must be granted before it may run: `domain:action:scope`, such as
/// `fs:read:/data` or `net:connect:api.example.com:443`.
///
/// Domain and action are made of ASCII letters, digits, `_`, `-` and `.`. The scope is whatever
/// follows the second colon, further colons included: any text that neither begins nor ends
/// with a space, without control characters, marks that turn the direction of text, and white
/// space other than the space. Upper and lower case differ. Which scopes there are is a matter between a
/// tool and its host; a `*` in one is an ordinary character here, and a wildcard in a
/// [`CapabilityGrant`] only.
///
/// ```
/// use toolwright::spec::Capability;
///
/// let capability: Capability = "net:connect:api.example.com:443".parse()?;
/// assert_eq!(capability.domain(), "net");
/// assert_eq!(capability.scope(), "api.example.com:443");
/// assert!(Capability::new("fs:*:/data").is_err());
/// # Ok::<(), toolwright::spec::InvalidCapability>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Capability(Cow<'static, str>);

/// A grant of capabilities: of a single one, or of several by wildcards.
///
/// Segments are compared one by one. A segment `*` grants any; a scope that ends in `/*` grants
/// what lies below it, at any depth; every other segment grants what is equal to it, and nothing
/// else. A path that climbs (`..`) lies below nothing.
///
/// | grant | grants | does not grant |
/// |---|---|---|
/// | `fs:read:/data` | `fs:read:/data` | `fs:read:/data/x`, `fs:read:/database` |
/// | `fs:read:/data/*` | `fs:read:/data/x`, `fs:read:/data/x/y` | `fs:read:/data`, `fs:read:/data/../etc` |
/// | `fs:*:/data` | `fs:read:/data`, `fs:write:/data` | `fsx:read:/data` |
/// | `*:*:*` | everything | |
///
/// A `*` anywhere else in a scope is an ordinary character.
///
/// ```
/// use toolwright::spec::{Capability, CapabilityGrant};
///
/// let grant: CapabilityGrant = "fs:read:*".parse()?;
/// assert!(grant.grants(&Capability::new("fs:read:/data")?));
/// assert!(!grant.grants(&Capability::new("fs:write:/data")?));
/// # Ok::<(), toolwright::spec::InvalidCapability>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct CapabilityGrant(Cow<'static, str>);

impl Capability {
    /// Makes a capability of a declaration. An invalid one becomes a capability that only a grant of everything
    /// covers, so that the mistake denies the tool instead of letting it run without.
    pub(super) fn declared(text: &'static str) -> Self {
        Self::new(text).unwrap_or_else(|_| {
            Self(format!("invalid:capability:<{}>", text.escape_default()).into())
        })
    }
}

impl CapabilityGrant {
    /// Returns true if this grants the capability.
    pub fn grants(&self, capability: &Capability) -> bool {
        let wanted = [capability.domain(), capability.action(), capability.scope()];
        self.covers_segments(wanted)
    }

    /// Returns true if this grants whatever the other grants.
    pub fn covers(&self, other: &Self) -> bool {
        self.covers_segments([other.domain(), other.action(), other.scope()])
    }

    fn covers_segments(&self, [domain, action, scope]: [&str; 3]) -> bool {
        let equal_or_any = |granted: &str, wanted: &str| granted == "*" || granted == wanted;
        equal_or_any(self.domain(), domain)
            && equal_or_any(self.action(), action)
            // A path below `/a/b/*` is below `/a/*` too.
            && (equal_or_any(self.scope(), scope) || lies_below(self.scope(), scope))
    }
}

/// Returns true if a scope lies below one that ends in `/*`.
fn lies_below(granted: &str, wanted: &str) -> bool {
    let above = granted.strip_suffix('*').filter(|a| a.ends_with('/'));
    let below = above.and_then(|above| wanted.strip_prefix(above));
    // A backslash separates too, as on Windows.
    below.is_some_and(|below| {
        !below.is_empty() && !below.split(['/', '\\']).any(|s| matches!(s, "." | ".."))
    })
}

/// The common parts of a capability and a grant: a text of three segments.
macro_rules! three_segments {
    ($name:ident, $what:expr) => {
        impl $name {
            /// Checks the text.
            ///
            /// # Errors
            ///
            /// Fails if the text is not valid; the error lists all mistakes in it.
            pub fn new(text: impl Into<Cow<'static, str>>) -> Result<Self, InvalidCapability> {
                let text = text.into();
                let faults = faults(&text, $what);
                if faults.is_empty() {
                    return Ok(Self(text));
                }
                Err(InvalidCapability {
                    text: text.into_owned(),
                    what: $what,
                    faults,
                })
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The first segment: the area, such as `fs`.
            pub fn domain(&self) -> &str {
                self.segment(0)
            }

            /// The second segment: what is done there, such as `read`.
            pub fn action(&self) -> &str {
                self.segment(1)
            }

            /// All that follows: what it is done to, such as `/data`.
            pub fn scope(&self) -> &str {
                self.segment(2)
            }

            fn segment(&self, number: usize) -> &str {
                self.0.splitn(3, ':').nth(number).unwrap_or_default()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidCapability;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::new(text.to_owned())
            }
        }

        impl TryFrom<&str> for $name {
            type Error = InvalidCapability;

            fn try_from(text: &str) -> Result<Self, Self::Error> {
                Self::new(text.to_owned())
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidCapability;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                Self::new(text)
            }
        }
    };
}

three_segments!(Capability, CapabilityForm::Capability);
three_segments!(CapabilityGrant, CapabilityForm::Grant);

/// A text that cannot be a [`Capability`] or a [`CapabilityGrant`].
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` cannot be {}: {}",
    text.escape_debug(),
    match what {
        CapabilityForm::Capability => "a capability",
        CapabilityForm::Grant => "a grant of a capability",
    },
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
)]
pub struct InvalidCapability {
    text: String,
    what: CapabilityForm,
    faults: Vec<CapabilityFault>,
}

crate::util::error_text::debug_as_text!(InvalidCapability);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CapabilityForm {
    Capability,
    Grant,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum CapabilityFault {
    #[error("`domain:action:scope` is three segments, such as `fs:read:/data`, and here there {}",
        if *(.0) == 1 { "is one" } else { "are two" })]
    Segments(usize),
    #[error("the {0} is empty")]
    Empty(&'static str),
    #[error("the {0} has {1:?}: use ASCII letters, digits, `_`, `-` and `.`")]
    Character(&'static str, char),
    #[error("the {0} has a `*`, which only a grant may have: name the {0}")]
    Required(&'static str),
    #[error("the {0} has a `*` beside other text: write `*` alone for any {0}, or name it in full")]
    Partial(&'static str),
    #[error("the scope has {0:?}: use printable text")]
    Unprintable(char),
    #[error("the scope begins or ends with a space: leave it out")]
    Spaced,
}

impl InvalidCapability {
    /// The text that was refused.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// For what takes anything that becomes a grant, a grant included.
impl From<Infallible> for InvalidCapability {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The grant of exactly this capability; of more if its scope is `*` or ends in `/*`.
impl From<Capability> for CapabilityGrant {
    fn from(capability: Capability) -> Self {
        Self(capability.0)
    }
}

fn faults(text: &str, what: CapabilityForm) -> Vec<CapabilityFault> {
    let mut faults = Vec::new();
    let segments: Vec<&str> = text.splitn(3, ':').collect();
    let complete = segments.len() == 3;
    if !complete {
        faults.push(CapabilityFault::Segments(segments.len()));
    }
    for (name, segment) in ["domain", "action", "scope"].into_iter().zip(segments) {
        match segment {
            "" if complete => faults.push(CapabilityFault::Empty(name)),
            scope if name == "scope" => faults.extend(scope_fault(scope)),
            word => faults.extend(word_fault(name, word, what)),
        }
    }
    faults
}

fn word_fault(name: &'static str, word: &str, what: CapabilityForm) -> Option<CapabilityFault> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    match (word.chars().find(|c| !allowed(*c))?, what) {
        ('*', CapabilityForm::Capability) => Some(CapabilityFault::Required(name)),
        ('*', CapabilityForm::Grant) if word == "*" => None,
        ('*', CapabilityForm::Grant) => Some(CapabilityFault::Partial(name)),
        (other, _) => Some(CapabilityFault::Character(name, other)),
    }
}

fn scope_fault(scope: &str) -> Option<CapabilityFault> {
    let unprintable = |c: &char| is_deceptive(*c) || (c.is_whitespace() && *c != ' ');
    match scope.chars().find(unprintable) {
        Some(c) => Some(CapabilityFault::Unprintable(c)),
        None => (scope.trim() != scope).then_some(CapabilityFault::Spaced),
    }
}

#[cfg(test)]
mod tests;
