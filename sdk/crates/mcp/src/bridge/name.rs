//! The names of capabilities by their origin.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toolwright::id::InvalidToolName;
use toolwright::registry::ToolSnapshot;
use toolwright::{ToolName, ToolRegistry};

use toolwright::text::debug_as_text;

/// The name of a capability together with its origin. It is printed in one form and read back from it:
///
/// | | text | name of the tool |
/// |---|---|---|
/// | built in | `fs.read` | `fs.read` |
/// | a tool of an MCP server | `@github/create_issue` | `github.create_issue` |
/// | an agent | `#researcher` | `researcher` |
///
/// ```
/// use toolwright_mcp::bridge::CanonicalName;
///
/// let name: CanonicalName = "@github/create_issue".parse()?;
/// assert!(matches!(&name, CanonicalName::Mcp { server, .. } if &**server == "github"));
/// assert_eq!(name.to_tool_name()?.as_str(), "github.create_issue");
/// assert_eq!(name.to_string(), "@github/create_issue");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CanonicalName {
    /// A tool of the app.
    BuiltIn(ToolName),
    /// A tool of an MCP server.
    Mcp {
        /// The name of the server in this app: letters, digits, `_` and `-`.
        server: Arc<str>,
        /// The name of the tool at the server.
        tool: ToolName,
    },
    /// An agent.
    Agent(ToolName),
}

impl CanonicalName {
    /// Returns the name of a tool of a snapshot: that of a server's tool if it is one, and else of a built-in tool.
    pub fn of(tools: &ToolSnapshot, name: &ToolName) -> Self {
        let of_server = || {
            let server = tools.server_of(name.as_str())?;
            let tool = name.as_str().strip_prefix(server)?.strip_prefix('.')?;
            Some(Self::Mcp {
                server: Arc::from(server),
                tool: tool.parse().ok()?,
            })
        };
        of_server().unwrap_or_else(|| Self::BuiltIn(name.clone()))
    }

    /// Returns the name under which the capability is a tool of a registry.
    ///
    /// # Errors
    ///
    /// Fails if the names of a server and its tool are too long together.
    pub fn to_tool_name(&self) -> Result<ToolName, InvalidToolName> {
        match self {
            Self::BuiltIn(name) | Self::Agent(name) => Ok(name.clone()),
            Self::Mcp { server, tool } => ToolName::new(format!("{server}.{tool}")),
        }
    }
}

impl fmt::Display for CanonicalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(name) => name.fmt(f),
            Self::Mcp { server, tool } => write!(f, "@{server}/{tool}"),
            Self::Agent(name) => write!(f, "#{name}"),
        }
    }
}

impl FromStr for CanonicalName {
    type Err = InvalidCanonicalName;

    fn from_str(text: &str) -> Result<Self, InvalidCanonicalName> {
        let invalid = |why: String| InvalidCanonicalName {
            text: text.to_owned(),
            why,
        };
        let name =
            |name: &str| ToolName::try_from(name).map_err(|fault| invalid(fault.to_string()));
        if let Some(agent) = text.strip_prefix('#') {
            return Ok(Self::Agent(name(agent)?));
        }
        let Some(of_server) = text.strip_prefix('@') else {
            return Ok(Self::BuiltIn(name(text)?));
        };
        let Some((server, tool)) = of_server.split_once('/') else {
            return Err(invalid("write `@server/tool`".to_owned()));
        };
        // The registry knows the alphabet of servers.
        if let Err(fault) = ToolRegistry::new()
            .with_server(server, ToolRegistry::new())
            .check()
        {
            return Err(invalid(fault.to_string()));
        }
        Ok(Self::Mcp {
            server: Arc::from(server),
            tool: name(tool)?,
        })
    }
}

/// As text.
impl Serialize for CanonicalName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CanonicalName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A text that is no [`CanonicalName`].
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` cannot be the name of a capability: {why}")]
pub struct InvalidCanonicalName {
    text: String,
    why: String,
}

debug_as_text!(InvalidCanonicalName);

impl InvalidCanonicalName {
    /// The text that was refused.
    pub fn text(&self) -> &str {
        &self.text
    }
}
