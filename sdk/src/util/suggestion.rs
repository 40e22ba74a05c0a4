//! The nearest of some names.

/// The most names that are compared: an imported schema may list any number, and each takes time. Among more names,
/// only one that differs in signs and letter case alone is near.
const COMPARED: usize = 1_000;

/// The fewest characters that a near name has in common with the wrong one, unless all are the same.
const COMMON: usize = 2;

/// Returns the name that is probably meant, if one is near: at most a third of its characters differ, and two
/// at least do not. Of a wrong name of more than 256 bytes none is near.
///
/// ```
/// use toolwright::text::nearest;
///
/// assert_eq!(nearest("fs.raed", ["fs.read", "fs.write"]), Some("fs.read"));
/// assert_eq!(nearest("web.search", ["fs.read", "fs.write"]), None);
/// ```
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // A name of an attacker may be megabytes long, and comparing takes time.
    if wrong.len() > 256 {
        return None;
    }
    let mut names = names.into_iter().peekable();
    names.peek()?;
    let wrong = folded(wrong);
    let first: Vec<&'n str> = names.by_ref().take(COMPARED).collect();
    if names.peek().is_some() {
        return first
            .into_iter()
            .chain(names)
            .find(|name| folded(name) == wrong);
    }
    first
        .into_iter()
        .map(|name| (folded(name), name))
        .filter_map(|(near, name)| {
            let distance = strsim::damerau_levenshtein(&wrong, &near);
            let longest = wrong.chars().count().max(near.chars().count());
            let is_short = longest - distance.min(longest) < COMMON;
            if distance > 0 && is_short && letters(&wrong) != letters(&near) {
                return None;
            }
            // If two names are equally far, the one with more of the letters in their order wins.
            Some((distance, -strsim::jaro_winkler(&wrong, &near), name))
        })
        .filter(|(distance, _, name)| *distance <= (name.chars().count() / 3).max(1))
        .min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))
        .map(|(_, _, name)| name)
}

/// Returns a name without what its spellings differ in: `fs.read`, `fs_read` and `fsRead` are one.
pub(crate) fn folded(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The characters of a name, by themselves: those of a name with two in the other order are the same.
fn letters(name: &str) -> Vec<char> {
    let mut letters: Vec<char> = name.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_is_near() {
        let names = ["fs.read", "fs.write", "text.count"];
        assert_eq!(nearest("fs.raed", names), Some("fs.read"));
        assert_eq!(nearest("fsRead", names), Some("fs.read"));
        assert_eq!(nearest("web.search", names), None);
        assert_eq!(nearest("lmit", ["limit", "from"]), Some("limit"));
        for (wrong, name) in [("", "a"), ("c", "a"), ("c", "ca"), ("xa", "ya")] {
            assert_eq!(nearest(wrong, [name]), None, "{wrong} {name}");
        }
        assert_eq!(nearest("A", ["a"]), Some("a"));
        assert_eq!(nearest("sf", ["fs"]), Some("fs"));
        assert_eq!(nearest("dsc", ["asc", "desc"]), Some("desc"));
        let many: Vec<String> = (0..5_000).map(|n| format!("name_{n}")).collect();
        let many = || many.iter().map(String::as_str);
        assert_eq!(nearest("name4000", many()), Some("name_4000"));
        assert_eq!(nearest("nme_4000", many()), None);
        assert_eq!(nearest("nme_400", many().take(1_000)), Some("name_400"));
    }
}
