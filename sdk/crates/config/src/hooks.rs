//! The section of hooks that are programs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use toolwright::ExecutorBuilder;
use toolwright::registry::Selector;

use crate::reader::{Reader, Value, joined};

const STAGES: [&str; 2] = ["before", "after"];

const KEYS: [&str; 9] = [
    "program",
    "arguments",
    "name",
    "tools",
    "timeout",
    "cache",
    "directory",
    "environment",
    "inherit-environment",
];

const KEYS_AFTER: [&str; 2] = ["every-result", "keep-result"];

/// The hooks of a file, in its order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hooks {
    before: Vec<Hook>,
    after: Vec<Hook>,
}

/// The settings of a hook: an executor gets a hook of its own.
#[derive(Clone)]
struct Hook {
    program: PathBuf,
    arguments: Vec<String>,
    name: Option<String>,
    tools: Option<Selector>,
    timeout: Option<Duration>,
    cache: Option<Duration>,
    directory: Option<PathBuf>,
    environment: Vec<(String, String)>,
    inherits: bool,
    every_result: bool,
    keep_result: bool,
}

/// Without arguments and variables, which may hold what is not for a log.
impl std::fmt::Debug for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hook")
            .field("program", &self.program)
            .field("name", &self.name)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}

/// Reads the section `hooks`. Relative paths start at the root.
pub(crate) fn read(reader: &mut Reader, value: &Value<'_>, root: &Path) -> Hooks {
    let mut hooks = Hooks::default();
    if !cfg!(unix) {
        let message = "hooks that are programs are for Unix; remove the section here";
        reader.mistake(&value.span(), "hooks", message);
        return hooks;
    }
    let Some(table) = reader.table("hooks", value) else {
        return hooks;
    };
    for (stage, place, list) in reader.members("hooks", table, &STAGES) {
        let mut known = KEYS.to_vec();
        let of_stage = if stage == "after" {
            known.extend(KEYS_AFTER);
            &mut hooks.after
        } else {
            &mut hooks.before
        };
        for (place, item, table) in reader.tables(&place, list) {
            let members = reader.members(&place, table, &known);
            of_stage.extend(hook(reader, (&place, item), members, root));
        }
    }
    hooks
}

fn hook(
    reader: &mut Reader,
    (place, whole): (&str, &Value<'_>),
    members: Vec<(&str, String, &Value<'_>)>,
    root: &Path,
) -> Option<Hook> {
    let mut program = None;
    let mut hook = Hook {
        program: PathBuf::new(),
        arguments: Vec::new(),
        name: None,
        tools: None,
        timeout: None,
        cache: None,
        directory: None,
        environment: Vec::new(),
        inherits: true,
        every_result: false,
        keep_result: false,
    };
    let has_program = members.iter().any(|(name, ..)| *name == "program");
    for (name, key, value) in members {
        match name {
            "program" => program = reader.text(&key, value),
            "arguments" => hook.arguments = reader.texts(&key, value).unwrap_or_default(),
            "name" => hook.name = reader.text(&key, value),
            "tools" => hook.tools = reader.selector(&key, value),
            "timeout" => hook.timeout = reader.duration(&key, value),
            "cache" => hook.cache = reader.duration(&key, value),
            "directory" => {
                hook.directory = reader.text(&key, value).map(|path| root.join(path));
            }
            "environment" => hook.environment = variables(reader, &key, value),
            "inherit-environment" => hook.inherits = reader.flag(&key, value).unwrap_or(true),
            "every-result" => hook.every_result = reader.flag(&key, value).unwrap_or_default(),
            "keep-result" => hook.keep_result = reader.flag(&key, value).unwrap_or_default(),
            _ => {}
        }
    }
    if !has_program {
        let message =
            "a hook needs a `program`, the one that is run, such as `program = \"./check\"`";
        reader.mistake(&whole.span(), place, message);
    }
    let program = program?;
    // A path starts at the root; a name alone is looked for in `PATH`.
    hook.program = if Path::new(&program).components().count() > 1 {
        root.join(program)
    } else {
        PathBuf::from(program)
    };
    Some(hook)
}

fn variables(reader: &mut Reader, key: &str, value: &Value<'_>) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    for (name, value) in reader.table(key, value).into_iter().flatten() {
        let name: &str = name.get_ref();
        match value.get_ref().as_str() {
            Some(text) => variables.push((name.to_owned(), text.to_owned())),
            None => reader.wrong_type(&joined(key, name), value, "a text in quotes"),
        }
    }
    variables
}

impl Hooks {
    #[cfg(not(unix))]
    pub(crate) fn apply(&self, builder: ExecutorBuilder) -> ExecutorBuilder {
        builder
    }

    /// Adds the hooks to those of the builder.
    #[cfg(unix)]
    pub(crate) fn apply(&self, mut builder: ExecutorBuilder) -> ExecutorBuilder {
        for hook in &self.before {
            builder = builder.before(hook.build());
        }
        for hook in &self.after {
            builder = builder.after(hook.build());
        }
        builder
    }
}

#[cfg(unix)]
impl Hook {
    fn build(&self) -> toolwright_command_hooks::CommandHook {
        let mut hook =
            toolwright_command_hooks::CommandHook::new(&self.program).args(&self.arguments);
        if !self.inherits {
            hook = hook.env_clear();
        }
        for (name, value) in &self.environment {
            hook = hook.env(name, value);
        }
        if let Some(name) = &self.name {
            hook = hook.named(name);
        }
        if let Some(tools) = &self.tools {
            hook = hook.tools(tools.clone());
        }
        if let Some(timeout) = self.timeout {
            hook = hook.timeout(timeout);
        }
        if let Some(lifetime) = self.cache {
            hook = hook.cache(lifetime);
        }
        if let Some(directory) = &self.directory {
            hook = hook.directory(directory);
        }
        if self.every_result {
            hook = hook.every_result();
        }
        if self.keep_result {
            hook = hook.keep_result();
        }
        hook
    }
}
