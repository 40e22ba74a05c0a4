//! Constructors of a grant's scope.

use super::GrantScope;
use crate::id::ToolName;

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
