//! Servers on the command line.

use std::path::Path;
use std::str::FromStr;

/// A server as the command line names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerLine {
    pub(super) name: String,
    pub(super) target: Target,
}

/// The place of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Program {
        program: String,
        arguments: Vec<String>,
    },
    Address(String),
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum NotALine {
    #[error("it has a quotation mark that is not closed, or ends with a backslash")]
    Quotes,
    #[error(
        "it names no program: give `COMMAND ARGUMENTS..`, `NAME=COMMAND ARGUMENTS..` or `NAME=URL`"
    )]
    Empty,
    #[error("no name can be made of it: give one of letters, digits, `_` and `-`, as `NAME=..`")]
    Nameless,
}

/// Programs that run others: the server is named for its package, the first word behind these that is no option.
const RUNNERS: [&[&str]; 8] = [
    &["npx"],
    &["bunx"],
    &["uvx"],
    &["npm", "exec"],
    &["pnpm", "dlx"],
    &["pipx", "run"],
    &["uv", "tool", "run"],
    &["yarn", "dlx"],
];

impl FromStr for ServerLine {
    type Err = NotALine;

    fn from_str(text: &str) -> Result<Self, NotALine> {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let (name, rest) = match text.trim().split_once('=') {
            Some((name, rest)) if !name.is_empty() && name.chars().all(is_of_name) => {
                (Some(name.to_owned()), rest)
            }
            _ => (None, text),
        };
        let mut words = shlex::split(rest).ok_or(NotALine::Quotes)?.into_iter();
        let program = words.next().filter(|word| !word.is_empty());
        let program = program.ok_or(NotALine::Empty)?;
        let arguments: Vec<String> = words.collect();
        let is_address = program.starts_with("http://") || program.starts_with("https://");
        let target = if is_address && arguments.is_empty() {
            Target::Address(program)
        } else {
            Target::Program { program, arguments }
        };
        let name = name.or_else(|| target.name()).ok_or(NotALine::Nameless)?;
        Ok(Self { name, target })
    }
}

impl Target {
    /// The name of a server without one of its own.
    fn name(&self) -> Option<String> {
        let name = match self {
            Self::Address(address) => {
                let url = reqwest::Url::parse(address).ok()?;
                url.host_str()?.to_owned()
            }
            Self::Program { program, arguments } => {
                let program = Path::new(program).file_stem()?.to_str()?;
                package(program, arguments).unwrap_or_else(|| program.to_owned())
            }
        };
        plain(&name)
    }
}

/// Returns a name of letters, digits, `_` and `-`, as names of servers are, for one of a package, a host or another client.
pub(super) fn plain(name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name: String = name
        .chars()
        .map(|c| if is_plain(c) { c } else { '-' })
        .collect();
    let name = name.trim_matches('-');
    (!name.is_empty()).then(|| name.to_owned())
}

/// The name of the package that a runner runs, without scope, version and the words that most packages of servers have.
fn package(program: &str, arguments: &[String]) -> Option<String> {
    let is_run = |runner: &&&[&str]| {
        let Some((first, rest)) = runner.split_first() else {
            return false;
        };
        *first == program
            && arguments.len() >= rest.len()
            && arguments
                .iter()
                .zip(rest.iter())
                .all(|(word, of_runner)| word == of_runner)
    };
    let runner = RUNNERS.iter().find(is_run)?;
    let mut rest = arguments.iter().skip(runner.len() - 1);
    let package = rest.find(|word| !word.starts_with('-'))?;
    let name = package.rsplit('/').next().unwrap_or(package);
    let name = name.split(['@', '=']).next().unwrap_or(name);
    let name = name.strip_prefix("mcp-").unwrap_or(name);
    let name = name.strip_prefix("server-").unwrap_or(name);
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_for_its_package_its_program_or_its_host() {
        for (line, name) in [
            (
                "npx -y @modelcontextprotocol/server-everything",
                "everything",
            ),
            (
                "npx -y @modelcontextprotocol/server-everything@2026.7.4 stdio",
                "everything",
            ),
            ("uvx mcp-server-git==2026.6.4 --repository .", "git"),
            ("uv tool run mcp-server-time", "time"),
            ("/usr/local/bin/workbench serve --root '/a b'", "workbench"),
            ("'C:/Program Files/tool.exe'", "tool"),
            ("my-files=npx -y x", "my-files"),
            ("https://docs.example.com/mcp?a=b", "docs-example-com"),
            ("docs=https://docs.example.com/mcp", "docs"),
            ("program --flag=x", "program"),
        ] {
            let line: ServerLine = line.parse().unwrap();
            assert_eq!(line.name, name);
        }
        for line in ["", "  ", "a 'b", "x=", "''", "'漢'"] {
            assert!(line.parse::<ServerLine>().is_err(), "{line:?}");
        }
    }

    #[test]
    fn words_are_those_of_a_shell() {
        let line: ServerLine = r#"a=run 'b c' "d\"e" f\ g"#.parse().unwrap();
        let arguments = ["b c", "d\"e", "f g"].map(str::to_owned).to_vec();
        let program = "run".to_owned();
        assert_eq!(line.target, Target::Program { program, arguments });
    }
}
