//! Sizes as people write them: `64KiB`, `1MiB`, `500kB`.

/// Name, bytes.
const UNITS: [(&str, u64); 7] = [
    ("B", 1),
    ("kB", 1_000),
    ("KiB", 1 << 10),
    ("MB", 1_000_000),
    ("MiB", 1 << 20),
    ("GB", 1_000_000_000),
    ("GiB", 1 << 30),
];
const RULE: &str = "a size is a whole number with a unit: `B`, `KiB`, `MiB`, `GiB`, or `kB`, `MB`, `GB`, as in `64KiB`";

/// The bytes of `text`, or what is wrong with it.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let packed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if packed != text && bytes(&packed).is_ok() {
        return Err(format!("`{text}` has a space in it; write `{packed}`"));
    }
    if digits.is_empty() {
        return Err(format!("`{text}` is not a size\n{RULE}"));
    }
    if unit.is_empty() {
        return Err(format!("`{digits}` has no unit\n{RULE}"));
    }
    if unit.starts_with(['.', ',']) {
        return Err(format!(
            "`{text}` is not whole: write it in a smaller unit, as in `1536KiB`\n{RULE}"
        ));
    }
    let Some((_, size)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        let near = UNITS.iter().find(|(name, _)| {
            name.eq_ignore_ascii_case(unit) || name.trim_end_matches('B') == unit
        });
        let hint = near.map_or_else(String::new, |(name, _)| {
            format!(": did you mean `{digits}{name}`?")
        });
        return Err(format!("`{unit}` is not a unit{hint}\n{RULE}"));
    };
    let total = digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(*size))
        .ok_or_else(|| format!("`{text}` is more than can be counted in bytes"))?;
    if total == 0 {
        return Err(format!("`{text}` is no room at all: give it at least `1B`"));
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn units() {
        for (text, expected) in [
            ("1B", 1),
            ("64KiB", 65_536),
            ("64kB", 64_000),
            ("1MiB", 1_048_576),
            ("2GB", 2_000_000_000),
            ("1GiB", 1_073_741_824),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn refused_with_a_reason() {
        for (text, reason) in [
            ("", "is not a size"),
            ("64", "`64` has no unit"),
            ("KiB", "is not a size"),
            ("64 KiB", "write `64KiB`"),
            ("1.5MiB", "is not whole"),
            ("64kb", "did you mean `64kB`?"),
            ("64K", "`K` is not a unit"),
            ("64Ki", "did you mean `64KiB`?"),
            ("64mib", "did you mean `64MiB`?"),
            ("0KiB", "no room at all"),
            ("99999999999999999999GiB", "more than can be counted"),
            ("-1B", "is not a size"),
            ("٣B", "is not a size"),
        ] {
            let problem = bytes(text).unwrap_err();
            assert!(problem.contains(reason), "{text}: {problem}");
        }
    }
}
