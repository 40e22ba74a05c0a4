//! The plain rule for refusals: each covers every name of what it speaks of, and of what it may speak of, a
//! person decides.

use std::borrow::Cow;
use std::path::Path;

use super::path::is_settled;
use super::target::Target;
use super::{Coverage, GrantQuery};
use crate::permission::command::{COMMAND_RUN, quoted_word};
use crate::permission::file::{FILE_READ, FILE_WRITE, entry_of, real_path};
use crate::permission::host::{Host, NETWORK_CONNECT};
use crate::permission::{FileAccess, PermissionRequest};
use crate::ticket::GrantScope;

/// Returns how surely a refusal covers a request.
pub(super) fn refuses(covers: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
    let request = query.request();
    match covers {
        GrantScope::Tool { tool } => Coverage::of(tool == query.tool()),
        GrantScope::Arguments { tool, digest } if tool == query.tool() => match query.arguments() {
            Some(arguments) => Coverage::of(arguments == *digest),
            None => Coverage::Maybe,
        },
        GrantScope::Request {
            kind,
            target,
            details,
        } if kind == COMMAND_RUN => match query.is(kind, target) {
            true if request.details() == details => Coverage::Yes,
            // The same command in another directory may have the same effect.
            true => Coverage::Maybe,
            false => Coverage::No,
        },
        GrantScope::Request { kind, target, .. } | GrantScope::Target { kind, target } => {
            match kind.as_str() {
                FILE_READ | FILE_WRITE => refuses_tree(kind, target, request),
                NETWORK_CONNECT => match Target::parse(target) {
                    Some(refused) => refuses_host(&refused.host, refused.port, request),
                    None => refuses_host(target, None, request),
                },
                _ => Coverage::of(query.is(kind, target)),
            }
        }
        GrantScope::Kind { kind } => Coverage::of(request.kind() == kind),
        GrantScope::Tree { kind, directory } => refuses_tree(kind, directory, request),
        GrantScope::Command { words, .. } if query.is_command() => refuses_command(words, request),
        GrantScope::Arguments { .. } | GrantScope::Command { .. } => Coverage::No,
        GrantScope::Host { host, port } => refuses_host(host, *port, request),
    }
}

/// Returns true if whoever refuses one request for files may have refused the other with it.
pub(crate) fn may_touch(request: &PermissionRequest, refused: &PermissionRequest) -> bool {
    let Some(place) = FileAccess::place_of(refused) else {
        return false;
    };
    let names = [Some(place.real), place.named, place.entry];
    let mut names = names.into_iter().flatten().filter_map(Path::to_str);
    names.any(|name| refuses_files(refused.kind(), name, request) != Coverage::No)
}

fn refuses_tree(kind: &str, directory: &str, request: &PermissionRequest) -> Coverage {
    if request.kind() == COMMAND_RUN {
        // Any command may use the directory.
        return Coverage::Maybe;
    }
    refuses_files(kind, directory, request)
}

fn refuses_files(kind: &str, directory: &str, request: &PermissionRequest) -> Coverage {
    if request.kind() != kind {
        return Coverage::No;
    }
    let directory = Path::new(directory);
    let (Some(place), true) = (FileAccess::place_of(request), is_settled(directory)) else {
        return Coverage::Maybe;
    };
    let names = [Some(place.real), place.named, place.entry];
    let asked = || names.into_iter().flatten();
    let by_name = |refused: &Path| {
        let refused = folded(refused);
        let found = asked().map(|name| lies_in(name, &refused, place.tree));
        found.max().unwrap_or(Coverage::Maybe)
    };
    let found = by_name(directory);
    if found == Coverage::Yes {
        return found;
    }
    // The directory may have become a link since, or lie behind one.
    let others = [real_path(directory).map(Some), entry_of(directory)];
    let others = others.into_iter().map(|other| match other {
        Ok(Some(other)) if other == directory => Coverage::No,
        Ok(Some(other)) => by_name(&other),
        Ok(None) => Coverage::No,
        Err(_) => Coverage::Maybe,
    });
    others.fold(found, Coverage::max)
}

/// Returns how surely a path of a request lies in a refused directory; `tree` if all below the path is meant.
fn lies_in(name: &Path, refused: &[String], tree: bool) -> Coverage {
    if !is_settled(name) {
        return Coverage::Maybe;
    }
    let name = folded(name);
    if name.len() < refused.len() && !tree {
        return Coverage::No;
    }
    let mut found = if name.len() < refused.len() {
        Coverage::Maybe
    } else {
        Coverage::Yes
    };
    for (one, other) in name.iter().zip(refused) {
        found = found.min(same_name(one, other));
    }
    found
}

/// Returns how surely a file system may hold two folded names for one. Which ways there are to write an accent is not
/// known here.
fn same_name(one: &str, other: &str) -> Coverage {
    if one == other {
        Coverage::Yes
    } else if one.is_ascii() || other.is_ascii() {
        Coverage::No
    } else {
        Coverage::Maybe
    }
}

/// The parts of a path, alike for names that some file systems hold for one: letters of either case, and
/// characters that cannot be seen.
fn folded(path: &Path) -> Vec<String> {
    let fold = |c: char| match c {
        '\u{200c}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{206a}'..='\u{206f}'
        | '\u{feff}' => String::new(),
        // The characters whose canonical form is one of ASCII that is no letter.
        '\u{37e}' => ";".to_owned(),
        '\u{1fef}' => "`".to_owned(),
        // Upper case first: `ſ` is `S` is `s`.
        c => c.to_uppercase().flat_map(char::to_lowercase).collect(),
    };
    let part = |part: Cow<'_, str>| {
        let folded: String = part.chars().map(fold).collect();
        if cfg!(windows) {
            folded.trim_end_matches(['.', ' ']).to_owned()
        } else {
            folded
        }
    };
    path.components()
        .map(|component| part(component.as_os_str().to_string_lossy()))
        .collect()
}

/// Programs that run none of their words.
const RUN_NO_OTHERS: [&str; 7] = ["basename", "df", "dirname", "du", "ls", "realpath", "stat"];

/// The most bytes of words that are taken for what they say: of longer ones, as of refused words with signs of the
/// shell in them, a parser may understand nothing.
const SHORT: usize = 256;

fn refuses_command(refused: &[String], request: &PermissionRequest) -> Coverage {
    // Nothing is known of a line of the shell here.
    let Some(words) = argv(request) else {
        return Coverage::Maybe;
    };
    let (Some((program, rest)), Some((first, arguments))) =
        (refused.split_first(), words.split_first())
    else {
        return Coverage::Maybe;
    };
    let base = |program: &str| {
        let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
        name.to_lowercase()
    };
    if base(first) == base(program) && arguments.iter().zip(rest).all(|(a, b)| a == b) {
        Coverage::of(arguments.len() >= rest.len()).max(Coverage::Maybe)
    } else if base(first) != base(program)
        && RUN_NO_OTHERS.contains(first)
        && refused.iter().all(|word| quoted_word(word) == *word)
        && words.iter().map(|word| word.len()).sum::<usize>() <= SHORT
    {
        Coverage::No
    } else {
        // The same words may stand in another order or spelling, or be run by this program.
        Coverage::Maybe
    }
}

/// The words of a command that runs without a shell.
fn argv(request: &PermissionRequest) -> Option<Vec<&str>> {
    let words = request.details().get("argv")?.as_array()?;
    words.iter().map(|word| word.as_str()).collect()
}

fn refuses_host(host: &str, port: Option<u16>, request: &PermissionRequest) -> Coverage {
    if request.kind() != NETWORK_CONNECT {
        return Coverage::No;
    }
    let (Some(target), Ok(refused)) = (Target::of(request), Host::parse(host)) else {
        return Coverage::Maybe;
    };
    let Ok(asked) = Host::parse(&target.host) else {
        return Coverage::Maybe;
    };
    let host = if asked == refused {
        Coverage::Yes
    } else if !target.is_canonical || asked.may_lead_where(&refused) {
        Coverage::Maybe
    } else {
        Coverage::No
    };
    let port = match (port, target.port) {
        (None, _) => Coverage::Yes,
        (Some(port), Some(asked)) if port == asked => Coverage::Yes,
        (Some(_), Some(_)) if target.is_canonical => Coverage::No,
        (Some(_), _) => Coverage::Maybe,
    };
    host.min(port)
}
