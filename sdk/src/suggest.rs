//! The nearest of some names.

/// The name that is probably meant, if one is near: at most a third of its characters differ.
pub(crate) fn nearest<'n>(
    wrong: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let folded = |name: &str| -> String {
        name.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    // An attacker's megabyte is compared with nothing.
    if wrong.len() > 256 {
        return None;
    }
    let wrong = folded(wrong);
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&wrong, &folded(name)), name))
        .filter(|(distance, name)| *distance <= (name.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
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
        assert_eq!(nearest("", ["a"]), Some("a"));
    }
}
