//! The text of a pattern, taken apart.

use std::path::{Component, Path, PathBuf};

use super::super::matching::PatternError;
use super::glob::Glob;
use super::{PathPattern, Spelling};
use toolwright::permission::real_path;
use toolwright::text::one_line;

/// The characters that stand for themselves only after a `\`.
const SPECIAL: &str = r"*?[]{}\,!";

/// The longest pattern, in bytes: longer than any path that Linux takes, which is the most generous.
pub(crate) const MAX_LENGTH: usize = 4096;

/// The most braces within each other. The library that reads globs goes down a level for each, and
/// a stack has an end.
const MAX_NESTED: usize = 16;

/// Returns the pattern of a path as it stands.
pub(crate) fn escaped(path: &str) -> String {
    let path = if cfg!(windows) {
        path.trim_start_matches(r"\\?\").replace('\\', "/")
    } else {
        path.to_owned()
    };
    let escape = |c: char| SPECIAL.contains(c).then_some('\\').into_iter().chain([c]);
    path.chars().flat_map(escape).collect()
}

pub(super) fn parse(text: &str, root: &Path) -> Result<PathPattern, PatternError> {
    if text.is_empty() {
        return Err(PatternError::new(
            "a path is empty; for everything below the root write `.`",
        ));
    }
    if text.len() > MAX_LENGTH {
        let begin: String = text.chars().take(40).collect();
        return Err(PatternError::new(format!(
            "the path that begins with `{}` has {} bytes, and a pattern has at most {MAX_LENGTH}; write several shorter ones",
            begin.escape_debug(),
            text.len()
        )));
    }
    if text.contains('\0') {
        let shown = text.escape_debug();
        return Err(PatternError::new(format!(
            "the path `{shown}` has a NUL character in it, which no path has"
        )));
    }
    means_a_path(text)?;
    let (base, rest) = base_of(text, root)?;
    let mut parts = split(rest);
    // A match includes everything below it.
    while parts.last() == Some(&"**") {
        parts.pop();
    }
    let mut directory = base.clone();
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.peek() {
        let Some(name) = literal(part, text)? else {
            break;
        };
        directory.push(name);
        parts.next();
    }
    let glob = parts
        .map(|part| glob_part(part, text))
        .collect::<Result<Vec<_>, _>>()?;
    let (real, others) = spellings(&directory, text)?;
    let mut taken_as_name = Vec::new();
    if rest.contains(['[', '{']) && !rest.contains('\\') {
        let (real, others) = spellings(&base.join(rest), text)?;
        taken_as_name.push(real);
        taken_as_name.extend(others);
    }
    Ok(PathPattern {
        text: text.to_owned(),
        real,
        others,
        glob: compile(&glob, text)?,
        literal: taken_as_name,
    })
}

/// Returns where the pattern starts, and what it says from there.
fn base_of<'t>(text: &'t str, root: &Path) -> Result<(PathBuf, &'t str), PatternError> {
    if let Some(rest) = text.strip_prefix('~') {
        let after = rest.strip_prefix('/');
        if !rest.is_empty() && after.is_none() {
            return Err(PatternError::new(format!(
                "`{text}` starts with `~`, which is the home directory only as `~` or `~/..`; for a file of that name write `./{text}`"
            )));
        }
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let home = home.ok_or_else(|| {
            PatternError::new(format!(
                "`{text}` starts at the home directory, which is not known here; write the whole path"
            ))
        })?;
        return Ok((home, after.unwrap_or_default()));
    }
    if !root.is_absolute() {
        return Err(PatternError::new(format!(
            "`{text}` cannot be placed: the root of the policy, `{}`, is not an absolute path",
            root.display()
        )));
    }
    // On Windows an absolute path starts with a drive, which is no part of what may be a glob.
    let mut head = PathBuf::new();
    for part in Path::new(text).components() {
        match part {
            Component::Prefix(_) | Component::RootDir => head.push(part),
            _ => break,
        }
    }
    let rest = text.get(head.as_os_str().len()..).unwrap_or_default();
    Ok((root.join(head), rest))
}

/// A pattern as it is quoted in an error, whose advice must not be cut off by it.
fn shown(text: &str) -> String {
    one_line(text, 200)
}

/// The parts between slashes, but for those within braces.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '[' => drop(skip_class(&mut chars)),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '/' if depth == 0 => {
                let end = text.len() - chars.as_str().len();
                parts.push(&text[start..end - 1]);
                start = end;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.is_empty() && *part != ".");
    parts
}

/// The name that a part is, if it is not a glob.
fn literal(part: &str, text: &str) -> Result<Option<String>, PatternError> {
    let mut name = String::with_capacity(part.len());
    let mut chars = part.chars();
    while let Some(c) = chars.next() {
        match c {
            '*' | '?' | '[' | '{' => return Ok(None),
            '\\' => match chars.next() {
                Some(c) if SPECIAL.contains(c) => name.push(c),
                _ => {
                    return Err(PatternError::new(format!(
                        "in `{text}` a `\\` stands before a character that stands for itself anyway; parts of a path are separated by `/`, and a `\\` in a name is written `\\\\`",
                        text = shown(text)
                    )));
                }
            },
            c => name.push(c),
        }
    }
    Ok(Some(name))
}

/// A part that is a glob or follows one.
fn glob_part(part: &str, text: &str) -> Result<String, PatternError> {
    if part == ".." {
        return Err(PatternError::new(format!(
            "in `{text}` a `..` follows a glob, and so leads to no one place; write the path without it",
            text = shown(text)
        )));
    }
    if part != "**" && part.contains("**") {
        return Err(PatternError::new(format!(
            "in `{text}` the `**` of `{part}` is not alone between slashes, and so would not go through directories; write `**/` before a name, or one `*` for characters of a name",
            text = shown(text),
            part = shown(part)
        )));
    }
    let mut nested: usize = 0;
    let mut chars = part.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '{' => nested += 1,
            '}' => nested = nested.saturating_sub(1),
            '[' if !skip_class(&mut chars).is_ascii() => {
                return Err(PatternError::new(format!(
                    "in `{text}` the class of `{part}` has a character beyond ASCII, for which there are no classes; write `{{ä,ö}}` for one of these",
                    text = shown(text),
                    part = shown(part)
                )));
            }
            _ => {}
        }
        if nested > MAX_NESTED {
            return Err(PatternError::new(format!(
                "in `{text}` more than {MAX_NESTED} braces stand within each other; write several patterns",
                text = shown(text)
            )));
        }
    }
    Ok(part.to_owned())
}

/// Goes to the end of a class, whose `[` was read; gives what is in it. A `]` that comes first is of
/// the class.
pub(super) fn skip_class<'t>(chars: &mut std::str::Chars<'t>) -> &'t str {
    let class = chars.as_str();
    let negated = class.starts_with(['!', '^']);
    let first = usize::from(negated);
    let end = class
        .char_indices()
        .position(|(at, c)| c == ']' && at > first)
        .unwrap_or(usize::MAX);
    let before = chars.clone().take(end).map(char::len_utf8).sum();
    chars.by_ref().take(end.saturating_add(1)).for_each(drop);
    class.get(..before).unwrap_or(class)
}

fn compile(parts: &[String], text: &str) -> Result<Option<Glob>, PatternError> {
    if parts.is_empty() {
        return Ok(None);
    }
    Glob::new(parts).map(Some).map_err(|error| {
        let is_faulty = |part: &&String| Glob::new(std::slice::from_ref(*part)).is_err();
        let part = parts.iter().find(is_faulty);
        PatternError::new(format!(
            "`{}` in `{text}` is not a glob: {}; a character that is meant as itself is written after a `\\`",
            shown(part.map_or(text, String::as_str)),
            error.kind(),
            text = shown(text)
        ))
    })
}

/// Returns where a directory of a pattern really is, and what else it goes by.
fn spellings(
    path: &Path,
    text: &str,
) -> Result<(Spelling<'static>, Vec<Spelling<'static>>), PatternError> {
    let cleaned = clean(path).ok_or_else(|| {
        PatternError::new(format!("`{text}` leads above `/`; write it with less `..`"))
    })?;
    let real = real_as_far_as_known(path);
    let entry = entry_of(path);
    let spelling = |path: &Path| {
        Spelling::new(path)
            .map(Spelling::into_owned)
            .ok_or_else(|| {
                PatternError::new(format!(
                    "`{text}` leads to a path that is not UTF-8, of which no rule can speak"
                ))
            })
    };
    let first = spelling(&real)?;
    let mut others = Vec::new();
    for name in [Some(cleaned), entry].into_iter().flatten() {
        let other = spelling(&name)?;
        if other != first && !others.contains(&other) {
            others.push(other);
        }
    }
    Ok((first, others))
}

/// A path without `.` and `..`, by its text alone. `None` where `..` leads above its beginning.
fn clean(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::with_capacity(path.as_os_str().len());
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if clean.pop() => {}
            Component::ParentDir => return None,
            part => clean.push(part),
        }
    }
    Some(clean)
}

/// The path where a name itself lies: its directory resolved, the name not.
fn entry_of(path: &Path) -> Option<PathBuf> {
    Some(real_path(path.parent()?).ok()?.join(path.file_name()?))
}

/// Returns where a path leads, as far as this process may look: nothing that it runs sees more of it.
fn real_as_far_as_known(path: &Path) -> PathBuf {
    let mut known = path;
    loop {
        if let Ok(real) = real_path(known) {
            let unknown = path.strip_prefix(known).unwrap_or(Path::new(""));
            let whole = real.join(unknown);
            return clean(&whole).unwrap_or(whole);
        }
        match known.parent() {
            Some(parent) => known = parent,
            None => return path.to_owned(),
        }
    }
}

/// Refuses what is a path to the letter, and surely meant as something else: a rule that forbids it
/// would forbid nothing.
fn means_a_path(text: &str) -> Result<(), PatternError> {
    let shown = text.escape_debug();
    let what = if text.trim() != text {
        "begins or ends with a blank; leave it out, or write `[ ]` if a name has it".to_owned()
    } else if text.chars().any(char::is_control) {
        "has a control character in it; write `?` in its place if a name has it".to_owned()
    } else if text.starts_with('!') {
        "begins with `!`, which excludes nothing here: make a rule of its own for what is excluded, \
         or write `?` in its place if a name begins so"
            .to_owned()
    } else if text.starts_with("${") || text.starts_with("$HOME") || text.starts_with("$PWD") {
        "begins with a variable, and none are filled in: write `~/` for the home directory, and \
         nothing for the root"
            .to_owned()
    } else if text.contains("://") {
        "is a URL: write the path in it, and put hosts under `hosts`".to_owned()
    } else {
        return Ok(());
    };
    Err(PatternError::new(format!("the path `{shown}` {what}")))
}
