//! The decisions that are remembered.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answer::reason_line;
use crate::id::{GrantId, SessionId, ToolName, TurnId};

/// The scope of a grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type")]
#[non_exhaustive]
pub enum GrantScope {
    /// Every call of a tool, whatever it asks for.
    #[non_exhaustive]
    Tool {
        /// The tool.
        tool: ToolName,
    },
    /// Calls of a tool with just these arguments. Files and commands are not covered so: where a path
    /// leads is not in the arguments.
    #[non_exhaustive]
    Arguments {
        /// The tool.
        tool: ToolName,
        /// The keyed digest of the arguments: see [`TicketKey`](super::TicketKey).
        digest: super::KeyedDigest,
    },
    /// Just this request: of this kind, for this target, with these details.
    #[non_exhaustive]
    Request {
        /// The kind of the request.
        kind: String,
        /// Its target.
        target: String,
        /// Its details.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        details: Map<String, Value>,
    },
    /// Requests of a kind for just this target, whatever their details.
    #[non_exhaustive]
    Target {
        /// The kind of the request.
        kind: String,
        /// Its target.
        target: String,
    },
    /// Requests of a kind whatever their target and details, by any tool.
    ///
    /// It is never [offered](super::TrustOption) to whoever answers: the name of a kind does not say what
    /// all its targets are. A host that knows grants it, by
    /// [`PermissionRegistry::grant`](crate::permission::PermissionRegistry::grant).
    #[non_exhaustive]
    Kind {
        /// The kind of the requests, such as `deploy`.
        kind: String,
    },
    /// Requests of a kind for a directory and whatever lies below it.
    #[non_exhaustive]
    Tree {
        /// The kind of the request: `file.read` or `file.write`.
        kind: String,
        /// The directory: absolute, and where it really lies.
        directory: String,
    },
    /// Commands that begin with these words. Of a shell line every command has to be covered.
    ///
    /// Only a checker that reads commands knows what a command is, such as a `PermissionPolicy`: beside any
    /// other, an allowance covers no command, and of a refusal any command may be meant, so that a person decides.
    /// See [`PermissionChecker::grant_covers`](crate::permission::PermissionChecker::grant_covers).
    #[non_exhaustive]
    Command {
        /// The program, and what follows it.
        words: Vec<String>,
        /// The directory that they have to start in, or below: absolute. Default: anywhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        directory: Option<String>,
    },
    /// Connections to a host, at one port or at any.
    #[non_exhaustive]
    Host {
        /// The host, as in the target of a request.
        host: String,
        /// The port.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        port: Option<u16>,
    },
}

impl GrantScope {
    /// Every call of a tool, whatever it asks for, but for what leads outside of what the tool is
    /// confined to.
    pub fn tool(tool: ToolName) -> Self {
        Self::Tool { tool }
    }

    /// Requests of a kind for just this target, whatever their details.
    pub fn target(kind: impl Into<String>, target: impl Into<String>) -> Self {
        Self::Target {
            kind: kind.into(),
            target: target.into(),
        }
    }

    /// Requests of a kind whatever their target and details, by any tool, but for what leads outside of
    /// what a tool is confined to. As every allowance, it answers what would be asked, and no denial.
    pub fn kind(kind: impl Into<String>) -> Self {
        Self::Kind { kind: kind.into() }
    }

    /// A directory and whatever lies below it, to be read: an absolute path, with links resolved.
    pub fn reads(directory: impl Into<String>) -> Self {
        Self::Tree {
            kind: "file.read".to_owned(),
            directory: directory.into(),
        }
    }

    /// A directory and whatever lies below it, to be written: an absolute path, with links resolved.
    pub fn writes(directory: impl Into<String>) -> Self {
        Self::Tree {
            kind: "file.write".to_owned(),
            directory: directory.into(),
        }
    }

    /// Commands that begin with these words: the program, and what follows it. Beside a
    /// [checker](crate::permission::PermissionChecker::grant_covers) that reads commands, such as a
    /// `PermissionPolicy`.
    pub fn command<W: Into<String>>(words: impl IntoIterator<Item = W>) -> Self {
        Self::Command {
            words: words.into_iter().map(Into::into).collect(),
            directory: None,
        }
    }

    /// The same commands, where they start in a directory or below it: an absolute path, with links
    /// resolved. A scope of anything but commands stays as it is. Default: wherever they start.
    pub fn started_in(mut self, place: impl Into<String>) -> Self {
        if let Self::Command { directory, .. } = &mut self {
            *directory = Some(place.into());
        }
        self
    }

    /// Connections to a host, at one TCP port, or with `None` at any. The host is spelled as in the target of a
    /// request: in small letters, an IPv6 address in brackets.
    pub fn host(host: impl Into<String>, port: Option<u16>) -> Self {
        Self::Host {
            host: host.into(),
            port,
        }
    }
}

/// The decision of a grant: allow or deny.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GrantLevel {
    /// A call in the scope may run without asking, unless a policy denies it.
    Allow,
    /// A call in the scope is denied without asking, also if a policy allows it.
    Deny,
}

/// The part of a session in which a grant holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GrantLifetime {
    /// In its session and in those below it.
    #[default]
    Session,
    /// In one turn of its session.
    Turn(TurnId),
}

/// Something that was decided once for more than one call: what it covers, which way, where and
/// for how long.
///
/// It is made by an [`Answer::always`](super::Answer::always) or [`never`](super::Answer::never), or by
/// [`PermissionRegistry::grant`](crate::permission::PermissionRegistry::grant).
///
/// ```
/// use toolwright::Executor;
/// use toolwright::ticket::{GrantScope, TicketError};
///
/// async fn let_go_of_writes(executor: &Executor) -> Result<(), TicketError> {
///     let permissions = executor.permissions();
///     for grant in permissions.list("s-1").await? {
///         println!("{:?} {:?}", grant.level(), grant.covers());
///         if matches!(grant.covers(), GrantScope::Tree { kind, .. } if kind == "file.write") {
///             permissions.revoke("s-1", grant.id()).await?;
///         }
///     }
///     Ok(())
/// }
/// # drop(let_go_of_writes);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    id: GrantId,
    session: SessionId,
    covers: GrantScope,
    level: GrantLevel,
    scope: GrantLifetime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<SystemTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl Grant {
    pub(crate) fn new(
        id: GrantId,
        session: SessionId,
        covers: GrantScope,
        level: GrantLevel,
    ) -> Self {
        Self {
            id,
            session,
            covers,
            level,
            scope: GrantLifetime::Session,
            expires_at: None,
            reason: None,
        }
    }

    pub(crate) fn with_scope(mut self, scope: GrantLifetime) -> Self {
        self.scope = scope;
        self
    }

    pub(crate) fn with_expiry(mut self, expires_at: Option<SystemTime>) -> Self {
        // A time before 1970 has no JSON, and is over in any case.
        self.expires_at = expires_at.map(|end| end.max(SystemTime::UNIX_EPOCH));
        self
    }

    pub(crate) fn with_reason(mut self, reason: Option<&str>) -> Self {
        self.reason = reason.map(reason_line);
        self
    }

    /// The grant's id, to revoke it by.
    pub fn id(&self) -> GrantId {
        self.id
    }

    /// The session that it was given in.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// The scope.
    pub fn covers(&self) -> &GrantScope {
        &self.covers
    }

    /// The decision: allow or deny.
    pub fn level(&self) -> GrantLevel {
        self.level
    }

    /// The part of the session in which it holds.
    pub fn scope(&self) -> GrantLifetime {
        self.scope
    }

    /// The time at which it ends, by the system's clock; `None` where it ends with its session or turn.
    pub fn expires_at(&self) -> Option<SystemTime> {
        self.expires_at
    }

    /// The reason, in the words of the person who decided.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Returns true if it holds at that time and in that turn.
    pub(crate) fn holds(&self, now: SystemTime, turn: TurnId) -> bool {
        let in_place = match self.scope {
            GrantLifetime::Session => true,
            GrantLifetime::Turn(only) => only == turn,
        };
        in_place && self.is_in_time(now)
    }

    /// Returns true if it holds at that time, in some turn.
    pub(crate) fn is_in_time(&self, now: SystemTime) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }

    /// Returns true if it holds in one turn alone.
    pub(crate) fn is_of_a_turn(&self) -> bool {
        matches!(self.scope, GrantLifetime::Turn(_))
    }
}
