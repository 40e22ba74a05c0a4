//! The section of hooks that are programs.

use std::ops::Range;
use std::path::Path;

use toml::de::DeTable;
use toolwright::ExecutorBuilder;
#[cfg(unix)]
use toolwright_command_hooks::CommandHook;

use crate::reader::Reader;
#[cfg(unix)]
use crate::reader::{Members, Value, duration, joined, members, selector, strings, tables};

#[cfg(unix)]
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
#[cfg(unix)]
const KEYS_AFTER: [&str; 2] = ["every-result", "keep-result"];

/// The hooks of a file, in its order. An executor gets a copy of each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hooks {
    #[cfg(unix)]
    before: Vec<CommandHook>,
    #[cfg(unix)]
    after: Vec<CommandHook>,
}

/// Reads the section `hooks`. Relative paths start at the root.
#[cfg(not(unix))]
pub(crate) fn read(reader: &mut Reader, at: &Range<usize>, _: &DeTable<'_>, _: &Path) -> Hooks {
    reader.mistake(
        at,
        "hooks that are programs are for Unix; remove the section here",
    );
    Hooks::default()
}

/// Reads the section `hooks`. Relative paths start at the root.
#[cfg(unix)]
pub(crate) fn read(
    reader: &mut Reader,
    _: &Range<usize>,
    table: &DeTable<'_>,
    root: &Path,
) -> Hooks {
    let mut hooks = Hooks::default();
    for (stage, place, list) in members(reader, "hooks", table, &["before", "after"], &[]) {
        let mut known = KEYS.to_vec();
        let of_stage = if stage == "after" {
            known.extend(KEYS_AFTER);
            &mut hooks.after
        } else {
            &mut hooks.before
        };
        for (place, item, table) in tables(reader, stage, &place, list) {
            let members = members(reader, &place, table, &known, &[]);
            of_stage.extend(hook(reader, (place, item), members, root));
        }
    }
    hooks
}

#[cfg(unix)]
fn hook(
    reader: &mut Reader,
    (place, whole): (String, &Value<'_>),
    members: Members<'_, '_>,
    root: &Path,
) -> Option<CommandHook> {
    let given = members.iter().find(|(name, ..)| *name == "program");
    let program = given.and_then(|(name, key, value)| reader.at(key.clone()).text(name, value));
    if given.is_none() {
        let message =
            "a hook needs a `program`, the one that is run, such as `program = \"./check\"`";
        reader.at(place).mistake(&whole.span(), message);
    }
    let path = Path::new(program.unwrap_or_default());
    // A path starts at the root; a name alone is looked for in `PATH`.
    let mut hook = if path.components().count() > 1 {
        CommandHook::new(root.join(path))
    } else {
        CommandHook::new(path)
    };
    for (name, key, value) in members {
        reader.at(key);
        hook = match name {
            "arguments" => with(hook, strings(reader, name, value), CommandHook::args),
            "name" => with(hook, reader.text(name, value), CommandHook::named),
            "tools" => with(hook, selector(reader, name, value), CommandHook::tools),
            "timeout" => with(hook, duration(reader, name, value), CommandHook::timeout),
            "cache" => with(hook, duration(reader, name, value), CommandHook::cache),
            "directory" => with(hook, reader.text(name, value), |hook, path| {
                hook.directory(root.join(path))
            }),
            "environment" => variables(reader, name, value, hook),
            "inherit-environment" if reader.flag(name, value) == Some(false) => hook.env_clear(),
            "every-result" if reader.flag(name, value) == Some(true) => hook.every_result(),
            "keep-result" if reader.flag(name, value) == Some(true) => hook.keep_result(),
            _ => hook,
        };
    }
    program.is_some().then_some(hook)
}

/// Sets a value that was read, if it is right.
#[cfg(unix)]
fn with<T>(
    hook: CommandHook,
    value: Option<T>,
    set: impl FnOnce(CommandHook, T) -> CommandHook,
) -> CommandHook {
    match value {
        Some(value) => set(hook, value),
        None => hook,
    }
}

#[cfg(unix)]
fn variables(
    reader: &mut Reader,
    key: &str,
    value: &Value<'_>,
    mut hook: CommandHook,
) -> CommandHook {
    let place = reader.place.clone();
    for (name, value) in reader.table(&place, key, value).into_iter().flatten() {
        let name: &str = name.get_ref();
        if let Some(text) = value.get_ref().as_str() {
            hook = hook.env(name, text);
        } else {
            let reader = reader.at(joined(&place, name));
            reader.wrong_type(name, value, "a text in quotes");
        }
    }
    hook
}

impl Hooks {
    #[cfg(not(unix))]
    pub(crate) fn apply(&self, builder: ExecutorBuilder) -> ExecutorBuilder {
        builder
    }

    /// Adds the hooks to those of the builder.
    #[cfg(unix)]
    pub(crate) fn apply(&self, builder: ExecutorBuilder) -> ExecutorBuilder {
        let before = self.before.iter().cloned();
        let builder = before.fold(builder, ExecutorBuilder::before);
        let after = self.after.iter().cloned();
        after.fold(builder, ExecutorBuilder::after)
    }
}
