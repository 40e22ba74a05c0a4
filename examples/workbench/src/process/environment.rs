//! The variables that a line sees: few, so that no secret of the host is among them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::str::FromStr;

/// The variables that are passed on if workbench has them. They say who and where the user is, and
/// where programs and their toolchains are. Tokens and keys have other names.
const PASSED: &[&str] = &[
    "CARGO_HOME",
    "GOPATH",
    "HOME",
    "JAVA_HOME",
    "LOGNAME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
];

/// The variables that are set, because there is no terminal and nobody at one.
const SET: &[(&str, &str)] = &[
    // No colours, no moving about: they say nothing to a model. git opens no editor either.
    ("TERM", "dumb"),
    // Bash must read bytes, ranges and classes of characters as the judge of the line did. In some
    // encodings a backslash is a part of a character, and does not quote what follows it.
    ("LC_ALL", LOCALE),
    // A pager shows a page and waits for a key.
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    // git says at once that it has no password, instead of looking for a way to ask for it.
    ("GIT_TERMINAL_PROMPT", "0"),
    // `CI` is not among these: it makes programs do other things, not only ask less.
];

/// A locale of UTF-8 that the system brings along.
const LOCALE: &str = if cfg!(target_os = "macos") {
    "en_US.UTF-8"
} else {
    "C.UTF-8"
};

/// The name of a variable that is passed too.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Variable(String);

impl TryFrom<String> for Variable {
    type Error = NotPassed;

    fn try_from(name: String) -> Result<Self, NotPassed> {
        name.parse()
    }
}

impl From<Variable> for String {
    fn from(variable: Variable) -> Self {
        variable.0
    }
}

impl Variable {
    /// The name.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }
}

/// The reasons why a variable is not passed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotPassed {
    #[error("a name of a variable has letters, digits and `_`, and no digit first")]
    NoName,
    #[error("it changes what bash makes of a line, so that the line is not what was judged")]
    OfBash,
}

impl FromStr for Variable {
    type Err = NotPassed;

    fn from_str(name: &str) -> Result<Self, NotPassed> {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty()
            || !name.chars().all(word)
            || name.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(NotPassed::NoName);
        }
        // GNU Bash manual, "Bash Variables" and "Bourne Shell Variables", with those of the locale;
        // `LD_` and `DYLD_` are of the loaders of Linux and macOS.
        let exact = [
            "ENV",
            "SHELLOPTS",
            "POSIXLY_CORRECT",
            "IFS",
            "CDPATH",
            "GLOBIGNORE",
            "PS4",
            "LANG",
            "LANGUAGE",
            "LOCPATH",
        ];
        let prefixes = ["BASH", "LC_", "LD_", "DYLD_"];
        if exact.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix)) {
            return Err(NotPassed::OfBash);
        }
        Ok(Self(name.to_owned()))
    }
}

/// Keeps what workbench itself has in its environment, such as keys of APIs, from lines: on Linux every process of a user
/// can read the environment and the memory of the others, unless they are not to be dumped. Root can read them all the
/// same, where it has its capabilities.
#[cfg(target_os = "linux")]
pub(super) fn hide() -> std::io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// The variables of all lines.
#[derive(Debug)]
pub(super) struct Environment(Vec<(OsString, OsString)>);

impl Environment {
    /// The usual variables, and those that are named, with the values that workbench has.
    pub(super) fn inherited(more: &[Variable]) -> Self {
        Self::of(|name| env::var_os(name), more)
    }

    fn of(value: impl Fn(&str) -> Option<OsString>, more: &[Variable]) -> Self {
        let path = value("PATH").map(|path| ("PATH".into(), absolute(&path)));
        let set = SET.iter().map(|&(name, value)| (name.into(), value.into()));
        let more = more.iter().map(|Variable(name)| name.as_str());
        let passed = PASSED.iter().copied().chain(more);
        // A name later on replaces the one before; of `PATH` only what is cleaned is passed.
        let passed = passed
            .filter(|&name| name != "PATH")
            .filter_map(|name| Some((name.into(), value(name)?)));
        Self(path.into_iter().chain(set).chain(passed).collect())
    }

    pub(super) fn apply(&self, command: &mut Command) {
        let variables = self.0.iter().map(|(name, value)| (name, value));
        command.env_clear().envs(variables);
    }
}

/// A search path without what is relative: there a file of the workspace would pass for a program.
fn absolute(path: &OsStr) -> OsString {
    let whole = env::split_paths(path).filter(|entry| Path::is_absolute(entry));
    // Nothing that was split holds a separator.
    env::join_paths(whole).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(host: &[(&str, &str)], more: &[&str]) -> Vec<(String, String)> {
        let value = |name: &str| {
            let found = host.iter().find(|(of, _)| *of == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let more: Vec<Variable> = more.iter().map(|name| name.parse().unwrap()).collect();
        let text = |text: OsString| text.into_string().unwrap();
        let variables = Environment::of(value, &more).0.into_iter();
        variables
            .map(|(name, value)| (text(name), text(value)))
            .collect()
    }

    #[test]
    fn secrets_stay_unless_they_are_named() {
        let host = [
            ("HOME", "/home/a"),
            ("API_TOKEN", "secret"),
            ("TERM", "xterm"),
        ];
        let found = environment(&host, &[]);
        assert!(found.contains(&("HOME".into(), "/home/a".into())));
        assert!(found.contains(&("TERM".into(), "dumb".into())));
        assert!(!found.iter().any(|(_, value)| value == "secret"));
        let found = environment(&host, &["API_TOKEN", "NOT_THERE"]);
        assert!(found.contains(&("API_TOKEN".into(), "secret".into())));
        assert!(!found.iter().any(|(name, _)| name == "NOT_THERE"));
    }

    #[test]
    fn programs_are_not_looked_for_in_the_workspace() {
        let host = [("PATH", ".:/bin::bin:/usr/bin:../x")];
        for more in [&[][..], &["PATH"]] {
            let found = environment(&host, more);
            let paths: Vec<_> = found.iter().filter(|(name, _)| name == "PATH").collect();
            assert_eq!(paths, [&("PATH".to_owned(), "/bin:/usr/bin".to_owned())]);
        }
    }

    #[test]
    fn the_locale_is_workbenchs_own() {
        let host = [
            ("LC_ALL", "zh_CN.GBK"),
            ("LC_CTYPE", "ja_JP.SJIS"),
            ("LANG", "zh_CN.GBK"),
            ("LANGUAGE", "de"),
        ];
        let found = environment(&host, &[]);
        let locale: Vec<_> = found
            .iter()
            .filter(|(name, _)| name.starts_with("LC_") || name.starts_with("LANG"))
            .collect();
        assert_eq!(locale, [&("LC_ALL".to_owned(), LOCALE.to_owned())]);
    }

    #[test]
    fn what_changes_the_line_is_not_passed() {
        for name in [
            "BASH_ENV",
            "ENV",
            "SHELLOPTS",
            "BASHOPTS",
            "LD_PRELOAD",
            "IFS",
            "LANG",
            "LC_ALL",
            "LC_CTYPE",
            "LOCPATH",
        ] {
            assert_eq!(name.parse::<Variable>(), Err(NotPassed::OfBash), "{name}");
        }
        for name in ["", "A=1", "1A", "BASH_FUNC_ls%%", "A B"] {
            assert_eq!(name.parse::<Variable>(), Err(NotPassed::NoName), "{name}");
        }
    }
}
