//! The effect of a tool on the world, as it declares it, and the hints that follow.

use serde::{Deserialize, Serialize};

/// The effect of a tool on the world outside of its own computation.
///
/// A promise of the tool's author; policies, batches and replay build on it. A tool that promises
/// nothing is [`Effect::AtMostOnce`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect {
    /// Touches nothing outside: the same arguments give the same result.
    Pure,
    /// Reads from outside and changes nothing there.
    ReadOnly,
    /// Changes something, and doing it twice is the same as doing it once.
    Idempotent,
    /// Changes something, and must not be repeated.
    #[default]
    AtMostOnce,
}

impl Effect {
    /// Returns true if the tool leaves everything outside as it was.
    pub const fn is_read_only(self) -> bool {
        matches!(self, Self::Pure | Self::ReadOnly)
    }

    /// Returns true if a call may be repeated without harm.
    pub const fn is_repeatable(self) -> bool {
        !matches!(self, Self::AtMostOnce)
    }

    /// The name in serialised form: `pure`, `read_only`, `idempotent` or `at_most_once`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::ReadOnly => "read_only",
            Self::Idempotent => "idempotent",
            Self::AtMostOnce => "at_most_once",
        }
    }
}

/// Hints about a tool, for policies and user interfaces. They are advice: by themselves they
/// enforce nothing, and those of imported tools are untrusted.
///
/// A hint that was never set is distinct from one set to `false` and is left out in serialised
/// form; the getters read both as `false`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolAnnotations {
    #[serde(skip_serializing_if = "Option::is_none")]
    read_only: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    destructive: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotent: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_world: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_approval: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    streaming: Option<bool>,
}

macro_rules! hints {
    ($($(#[$doc:meta])* $get:ident $is:ident $with:ident $field:ident;)*) => {
        impl ToolAnnotations {
            $(
                $(#[$doc])*
                pub const fn $is(&self) -> bool {
                    matches!(self.$field, Some(true))
                }

                #[doc = concat!("The hint `", stringify!($field), "` as it was set, if it was.")]
                pub const fn $get(&self) -> Option<bool> {
                    self.$field
                }

                #[doc = concat!("Sets the hint `", stringify!($field), "`.")]
                pub const fn $with(mut self, value: bool) -> Self {
                    self.$field = Some(value);
                    self
                }
            )*
        }
    };
}

hints! {
    /// The tool changes nothing outside.
    read_only is_read_only with_read_only read_only;
    /// The tool may delete or overwrite what was there.
    destructive is_destructive with_destructive destructive;
    /// Doing it twice is the same as doing it once.
    idempotent is_idempotent with_idempotent idempotent;
    /// The tool reaches an open set of things outside of the app, such as the web.
    open_world is_open_world with_open_world open_world;
    /// The author wishes that a person looks at each call first.
    needs_approval wants_approval with_needs_approval needs_approval;
    /// The tool can report parts of its output while it runs.
    streaming supports_streaming with_streaming streaming;
}

impl ToolAnnotations {
    /// No hint is set.
    pub const fn new() -> Self {
        Self {
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
            needs_approval: None,
            streaming: None,
        }
    }

    /// The hints that follow from an effect: `read_only` and `idempotent`, where they are true.
    pub const fn of(effect: Effect) -> Self {
        let mut hints = Self::new();
        if effect.is_read_only() {
            hints.read_only = Some(true);
        }
        if effect.is_repeatable() {
            hints.idempotent = Some(true);
        }
        hints
    }

    /// These hints, and where one is not set, the other's.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            read_only: self.read_only.or(other.read_only),
            destructive: self.destructive.or(other.destructive),
            idempotent: self.idempotent.or(other.idempotent),
            open_world: self.open_world.or(other.open_world),
            needs_approval: self.needs_approval.or(other.needs_approval),
            streaming: self.streaming.or(other.streaming),
        }
    }

    /// Returns true if no hint is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::new()
    }
}
