//! Durations as people write them: `500ms`, `10s`, `1m30s`.

/// Name, milliseconds.
const UNITS: [(&str, u64); 5] = [
    ("ms", 1),
    ("s", 1_000),
    ("m", 60_000),
    ("min", 60_000),
    ("h", 3_600_000),
];
const RULE: &str =
    "a duration is whole numbers with the units `h`, `m`, `s` and `ms`, such as `10s` or `1m30s`";

/// The milliseconds of `text`, or what is wrong with it.
pub(crate) fn milliseconds(text: &str) -> Result<u64, String> {
    let mut rest = text;
    let mut total: u64 = 0;
    let mut previous = u64::MAX;
    if rest.is_empty() {
        return Err(RULE.to_owned());
    }
    while !rest.is_empty() {
        let (digits, after) = split(rest, |c| c.is_ascii_digit());
        let (unit, after) = split(after, |c| c.is_ascii_alphabetic());
        let Some((_, size)) = UNITS.iter().find(|(name, _)| *name == unit) else {
            return Err(unit_problem(text, digits, unit, after));
        };
        if digits.is_empty() {
            return Err(format!("`{unit}` has no number in front of it\n{RULE}"));
        }
        if *size >= previous {
            return Err(format!(
                "the units go from large to small, each once, as in `1m30s`\n{RULE}"
            ));
        }
        previous = *size;
        let part = digits
            .parse::<u64>()
            .ok()
            .and_then(|number| number.checked_mul(*size));
        total = part
            .and_then(|part| total.checked_add(part))
            .ok_or_else(|| format!("`{text}` is longer than can be counted in milliseconds"))?;
        rest = after;
    }
    if total == 0 {
        return Err(format!(
            "`{text}` is no time at all: the tool could never run; give it at least `1ms`"
        ));
    }
    Ok(total)
}

fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|c| !belongs(c)).unwrap_or(text.len());
    text.split_at(end)
}

fn unit_problem(text: &str, digits: &str, unit: &str, after: &str) -> String {
    let packed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if packed != text && milliseconds(&packed).is_ok() {
        return format!("`{text}` has a space in it; write `{packed}`");
    }
    if unit.is_empty() && after.starts_with(['.', ',']) {
        return format!(
            "`{text}` is not whole: write it in a smaller unit, as in `1500ms`\n{RULE}"
        );
    }
    if !unit.is_empty() {
        return format!("`{unit}` is not a unit\n{RULE}");
    }
    if !digits.is_empty() && after.is_empty() {
        return format!("`{digits}` has no unit\n{RULE}");
    }
    format!("`{text}` is not a duration\n{RULE}")
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn units_and_sums() {
        for (text, expected) in [
            ("500ms", 500),
            ("10s", 10_000),
            ("2m", 120_000),
            ("2min", 120_000),
            ("1h", 3_600_000),
            ("1m30s", 90_000),
            ("1h1m1s1ms", 3_661_001),
            ("0s1ms", 1),
        ] {
            assert_eq!(milliseconds(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn refused_with_a_reason() {
        for (text, reason) in [
            ("", "a duration is whole numbers"),
            ("10", "`10` has no unit"),
            ("s", "`s` has no number"),
            ("10 s", "write `10s`"),
            ("1.5s", "is not whole"),
            ("-1s", "is not a duration"),
            ("10sec", "`sec` is not a unit"),
            ("30s1m", "from large to small"),
            ("1s1s", "each once"),
            ("0s", "no time at all"),
            ("99999999999999999999s", "longer than can be counted"),
            ("18446744073709551615s", "longer than can be counted"),
            ("١s", "is not a duration"),
        ] {
            let problem = milliseconds(text).unwrap_err();
            assert!(problem.contains(reason), "{text}: {problem}");
        }
    }
}
