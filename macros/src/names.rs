//! Rules for names: of tools, of arguments and of the struct that stands for a tool.

use proc_macro2::Ident;

const TOOL_LIMIT: usize = 128;
const ARGUMENT_LIMIT: usize = 64;
/// After how many characters a list goes on in the next line.
const LINE: usize = 80;

/// The most similar of `known`, if any is similar enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).max(1);
    known
        .map(|name| (strsim::damerau_levenshtein(word, name), name))
        .filter(|(distance, name)| *distance <= allowed || strsim::jaro(word, name) > 0.85)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The hint with the nearest name, to be put behind the statement that a name does not exist.
pub(crate) fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(": did you mean `{name}`?"))
}

/// In lines that fit next to code.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut list = String::new();
    let mut width = 0;
    for name in names {
        let separator = match width {
            0 => "",
            LINE.. => ",\n",
            _ => ", ",
        };
        list.push_str(separator);
        let before = if separator == ",\n" { 0 } else { width };
        width = before + name.len() + 4;
        list.push('`');
        list.push_str(name);
        list.push('`');
    }
    list
}

/// Describes the mistake in `name` as the name of a tool, and what to write instead.
pub(crate) fn tool_name_problem(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("a tool's name is not empty; write one such as `fs.read`".to_owned());
    }
    let problem = if let Some((place, character)) = stray(name, |c| is_word(c) || c == '.') {
        format!("`{character}` (character {place}) cannot be in the name of a tool")
    } else if name.split('.').any(str::is_empty) {
        format!("`{name}` has an empty segment")
    } else if name.len() > TOOL_LIMIT {
        format!(
            "a tool's name has at most {TOOL_LIMIT} characters, and this one has {}",
            name.len()
        )
    } else {
        return None;
    };
    Some(with_suggestion(
        &problem,
        &corrected_tool_name(name),
        "a name is made of `A-Z`, `a-z`, `0-9`, `_` and `-`, with dots between its segments",
    ))
}

fn corrected_tool_name(name: &str) -> String {
    let segments: Vec<String> = name
        .split('.')
        .map(corrected_word)
        .filter(|word| !word.is_empty())
        .collect();
    let mut corrected = segments.join(".");
    corrected.truncate(TOOL_LIMIT);
    corrected.trim_end_matches('.').to_owned()
}

/// Describes the mistake in `name` as the name of an argument, and what to write instead.
pub(crate) fn argument_name_problem(name: &str) -> Option<String> {
    let Some(first) = name.chars().next() else {
        return Some("an argument's name is not empty; write one such as `path`".to_owned());
    };
    let problem = if let Some((place, character)) = stray(name, is_word) {
        format!("`{character}` (character {place}) cannot be in the name of an argument")
    } else if first == '-' || first.is_ascii_digit() {
        "an argument's name begins with a letter or `_`".to_owned()
    } else if name.len() > ARGUMENT_LIMIT {
        format!(
            "an argument's name has at most {ARGUMENT_LIMIT} characters, and this one has {}",
            name.len()
        )
    } else {
        return None;
    };
    let mut corrected = corrected_word(name);
    if corrected.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        corrected.insert(0, '_');
    }
    corrected.truncate(ARGUMENT_LIMIT);
    Some(with_suggestion(
        &problem,
        &corrected,
        "a name is made of `A-Z`, `a-z`, `0-9`, `_` and `-`",
    ))
}

/// `ReadFile` for `read_file`; nothing where no type can be called that.
pub(crate) fn struct_name(function: &str) -> Option<String> {
    let name: String = function.split('_').flat_map(capitalised).collect();
    // Nearly every name is such, and to have it parsed takes longer than most checks. One keyword begins so.
    let is_plain = name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && name != "Self";
    (is_plain || syn::parse_str::<Ident>(&name).is_ok()).then_some(name)
}

/// `read_file` for `ReadFile`, `http_get` for `HTTPGet`.
pub(crate) fn function_name(structure: &str) -> String {
    let letters: Vec<char> = structure.chars().collect();
    let mut name = String::new();
    for (place, letter) in letters.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|place| letters.get(place));
        let after = letters.get(place + 1);
        let begins = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if begins {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

fn capitalised(word: &str) -> impl Iterator<Item = char> {
    let mut letters = word.chars();
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// The first character that is not allowed, and its place counted from 1.
fn stray(name: &str, allowed: impl Fn(char) -> bool) -> Option<(usize, char)> {
    name.chars()
        .enumerate()
        .find(|(_, c)| !allowed(*c))
        .map(|(place, c)| (place + 1, c))
}

fn corrected_word(word: &str) -> String {
    let replaced: String = word
        .chars()
        .map(|c| if is_word(c) { c } else { '_' })
        .collect();
    if replaced == word {
        replaced
    } else {
        replaced.trim_matches('_').to_owned()
    }
}

fn with_suggestion(problem: &str, suggestion: &str, rule: &str) -> String {
    if suggestion.is_empty() {
        format!("{problem}\n{rule}")
    } else {
        format!("{problem}: write `{suggestion}`\n{rule}")
    }
}

#[cfg(test)]
mod tests {
    use super::{function_name, struct_name};

    #[test]
    fn names_of_functions_and_structs() {
        for (structure, function) in [
            ("ReadFile", "read_file"),
            ("HTTPGet", "http_get"),
            ("Get2Files", "get2_files"),
            ("Now", "now"),
            ("IO", "io"),
            ("A", "a"),
            ("Already_snake", "already_snake"),
        ] {
            assert_eq!(function_name(structure), function);
        }
        for (function, structure) in [
            ("read_file", Some("ReadFile")),
            ("_get_2", Some("Get2")),
            ("über", Some("Über")),
            ("self_", None),
            ("_2_get", None),
            ("_", None),
        ] {
            assert_eq!(struct_name(function).as_deref(), structure, "{function}");
        }
    }
}
