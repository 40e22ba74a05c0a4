//! Servers in a file, as desktop and editor clients have them.
//!
//! Claude Desktop, Claude Code and Cursor have them under `mcpServers`, VS Code under `servers`, Zed under `context_servers`. A
//! file is read member by member: an error of serde would show a value, which may be secret.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::command::{Target, plain};
use super::variables::filled;
use super::{McpError, McpOptions};

/// A server to connect to.
pub(super) struct ServerEntry {
    pub(super) name: String,
    pub(super) target: Target,
    /// The variables of the program's environment.
    pub(super) environment: BTreeMap<String, String>,
    pub(super) directory: Option<PathBuf>,
    /// The headers of each request.
    pub(super) headers: HeaderMap,
}

/// Without values of variables and headers, and without arguments.
impl fmt::Debug for ServerEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerEntry")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl ServerEntry {
    fn new(name: String, target: Target) -> Self {
        Self {
            name,
            target,
            environment: BTreeMap::new(),
            directory: None,
            headers: HeaderMap::new(),
        }
    }
}

/// Returns the servers of the command line and of its files, each name once.
pub(super) fn servers(options: &McpOptions) -> Result<Vec<ServerEntry>, McpError> {
    let lines = options.lines.iter().cloned();
    let mut servers: Vec<ServerEntry> = lines
        .map(|line| ServerEntry::new(line.name, line.target))
        .collect();
    for path in &options.files {
        servers.extend(of_file(path)?);
    }
    let mut names = BTreeSet::new();
    for server in &servers {
        if !names.insert(&server.name) {
            return Err(McpError::Twice(server.name.clone()));
        }
    }
    Ok(servers)
}

fn of_file(path: &Path) -> Result<Vec<ServerEntry>, McpError> {
    let text = fs::read(path).map_err(|error| McpError::File {
        path: path.to_owned(),
        error,
    })?;
    let form = |fault: String| McpError::Form {
        path: path.to_owned(),
        fault,
    };
    let json: Value = serde_json::from_slice(&text).map_err(|error| {
        // Not the error itself, whose text may have a piece of the file.
        form(format!("line {}, column {}", error.line(), error.column()))
    })?;
    let keys = ["mcpServers", "servers", "context_servers"];
    let servers = keys.iter().find_map(|key| json.get(key)?.as_object());
    let servers = servers.ok_or_else(|| form("it has no object `mcpServers`".to_owned()))?;
    let variable = |name: &str| std::env::var(name).ok();
    let mut entries = Vec::new();
    for (name, entry) in servers {
        let entry = Entry {
            members: entry.as_object(),
            variable: &variable,
        };
        let read = entry.read(name).map_err(|why| McpError::Entry {
            path: path.to_owned(),
            server: name.clone(),
            why,
        })?;
        entries.extend(read);
    }
    Ok(entries)
}

/// An entry of a file. Its errors are clauses behind the name of the server.
struct Entry<'v, F> {
    members: Option<&'v Map<String, Value>>,
    variable: &'v F,
}

impl<F: Fn(&str) -> Option<String>> Entry<'_, F> {
    /// Reads the entry; `None` if it is switched off.
    fn read(&self, name: &str) -> Result<Option<ServerEntry>, String> {
        let Some(members) = self.members else {
            return Err("is not an object with `command` or `url`".to_owned());
        };
        let is = |key: &str, value: bool| members.get(key).and_then(Value::as_bool) == Some(value);
        if is("disabled", true) || is("enabled", false) {
            return Ok(None);
        }
        let name = plain(name).ok_or("has no letter or digit in its name")?;
        let (command, url) = (self.text("command")?, self.text("url")?);
        let kind = members
            .get("type")
            .map(|kind| kind.as_str().unwrap_or_default());
        let over_http = match kind {
            None => command.is_none() && url.is_some(),
            Some("stdio") => false,
            Some("http" | "streamable-http" | "streamableHttp") => true,
            Some("sse") => return Err("has the type `sse`, the old transport over HTTP, which is not spoken here: see if the server has `http`".to_owned()),
            Some(_) => return Err("has a `type` that is neither `stdio` nor `http`".to_owned()),
        };
        let target = match (over_http, command, url) {
            (true, None, Some(url)) => Target::Address(url),
            (false, Some(program), None) if !program.is_empty() => Target::Program {
                program,
                arguments: self.arguments()?,
            },
            (true, ..) => {
                return Err("needs `url`, and no `command`, to be reached over HTTP".to_owned());
            }
            (false, ..) => return Err("needs `command`, and no `url`, to be started".to_owned()),
        };
        if members.contains_key("envFile") {
            return Err(
                "has `envFile`, which is not read here: name the variables in `env`".to_owned(),
            );
        }
        let mut entry = ServerEntry::new(name, target);
        entry.environment = self.texts("env")?;
        entry.directory = self.text("cwd")?.map(PathBuf::from);
        for (name, value) in self.texts("headers")? {
            let header = HeaderName::try_from(&name);
            let header =
                header.map_err(|_| format!("has a header {name:?}, which is no name of one"))?;
            let mut value = HeaderValue::try_from(value)
                .map_err(|_| format!("has characters in the header `{name}` that none may have"))?;
            value.set_sensitive(true);
            entry.headers.insert(header, value);
        }
        Ok(Some(entry))
    }

    fn member(&self, key: &str) -> Option<&Value> {
        self.members?.get(key).filter(|value| !value.is_null())
    }

    fn filled(&self, key: &str, text: &str) -> Result<String, String> {
        filled(text, self.variable).map_err(|why| format!("{why}, in `{key}`"))
    }

    fn text(&self, key: &str) -> Result<Option<String>, String> {
        let Some(value) = self.member(key) else {
            return Ok(None);
        };
        let text = value
            .as_str()
            .ok_or_else(|| format!("has a `{key}` that is no text"))?;
        self.filled(key, text).map(Some)
    }

    fn arguments(&self) -> Result<Vec<String>, String> {
        let wrong = || "has `args` that are no list of texts".to_owned();
        let Some(value) = self.member("args") else {
            return Ok(Vec::new());
        };
        let all = value.as_array().ok_or_else(wrong)?.iter();
        all.map(|value| self.filled("args", value.as_str().ok_or_else(wrong)?))
            .collect()
    }

    fn texts(&self, key: &str) -> Result<BTreeMap<String, String>, String> {
        let wrong = || format!("has `{key}` that is no object of texts");
        let Some(value) = self.member(key) else {
            return Ok(BTreeMap::new());
        };
        let mut texts = BTreeMap::new();
        for (name, value) in value.as_object().ok_or_else(wrong)? {
            let text = value.as_str().ok_or_else(wrong)?;
            texts.insert(name.clone(), self.filled(key, text)?);
        }
        Ok(texts)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(entry: &Value) -> Result<Option<ServerEntry>, String> {
        let variable = |name: &str| (name == "KEY").then(|| "sk-secret".to_owned());
        let members = entry.as_object();
        Entry {
            members,
            variable: &variable,
        }
        .read("My server")
    }

    #[test]
    fn entries_of_all_clients_are_read() {
        let program = json!({"type": "stdio", "command": "npx", "args": ["-y", "${KEY}"], "cwd": "/x",
            "env": {"A": "b", "K": "${env:KEY}"}, "alwaysAllow": []});
        let entry = read(&program).unwrap().unwrap();
        assert_eq!(entry.name, "My-server");
        assert_eq!(entry.environment["K"], "sk-secret");
        assert_eq!(entry.directory, Some("/x".into()));
        assert!(!format!("{entry:?}").contains("sk-"));
        let Target::Program { program, arguments } = entry.target else {
            panic!("it is a program");
        };
        assert_eq!(
            (program.as_str(), arguments[1].as_str()),
            ("npx", "sk-secret")
        );
        for kind in [json!(null), json!("http"), json!("streamable-http")] {
            let mut entry = json!({"type": kind, "url": "https://a/mcp", "headers": {"Authorization": "Bearer ${KEY}"}});
            if kind.is_null() {
                entry.as_object_mut().unwrap().remove("type");
            }
            let entry = read(&entry).unwrap().unwrap();
            assert_eq!(entry.target, Target::Address("https://a/mcp".to_owned()));
            assert!(entry.headers["authorization"].is_sensitive());
        }
        for off in [
            json!({"disabled": true}),
            json!({"command": "x", "enabled": false}),
        ] {
            assert!(read(&off).unwrap().is_none());
        }
    }

    #[test]
    fn what_is_wrong_with_an_entry_is_told_without_its_secrets() {
        for (entry, named) in [
            (json!("sk-secret"), "object"),
            (json!({}), "`command`"),
            (json!({"command": ""}), "`command`"),
            (json!({"command": ["sk-secret"]}), "`command`"),
            (json!({"command": "x", "url": "y"}), "`command`"),
            (json!({"type": "http", "command": "x"}), "`url`"),
            (json!({"type": "sse", "url": "x"}), "`sse`"),
            (json!({"type": "sk-secret", "url": "x"}), "`stdio`"),
            (json!({"command": "x", "args": "sk-secret"}), "`args`"),
            (json!({"command": "x", "args": [1]}), "`args`"),
            (json!({"command": "x", "env": {"A": 1}}), "`env`"),
            (json!({"command": "x", "env": {"A": "${B}"}}), "variable B"),
            (json!({"command": "x", "envFile": ".env"}), "`envFile`"),
            (json!({"url": "x", "headers": {"a b": "sk-secret"}}), "a b"),
            (json!({"url": "x", "headers": {"a": "sk-secret\n"}}), "`a`"),
        ] {
            let why = read(&entry).unwrap_err();
            assert!(
                why.contains(named) && !why.contains("sk-"),
                "{entry}: {why}"
            );
        }
    }
}
