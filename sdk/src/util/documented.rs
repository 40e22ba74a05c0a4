//! The defaults of the page `docs/defaults.md`, each held to the code that has it.

/// Declares the value of a row of the page, beside the code that has it: `documented_default!("row",
/// seconds(DEFAULT_TIMEOUT))`. It costs nothing but in the crate's own tests.
macro_rules! documented_default {
    ($row:literal, $value:expr) => {
        #[cfg(all(test, feature = "discover"))]
        inventory::submit! {
            $crate::util::documented::Documented {
                row: $row,
                value: || {
                    #[allow(unused_imports, reason = "each row takes one of them")]
                    use $crate::util::documented::{bytes, time, with};
                    $value.to_string()
                },
            }
        }
    };
}
pub(crate) use documented_default;

/// A row of the page and its value in the code.
#[cfg(all(test, feature = "discover"))]
pub(crate) struct Documented {
    pub(crate) row: &'static str,
    pub(crate) value: fn() -> String,
}

#[cfg(all(test, feature = "discover"))]
inventory::collect!(Documented);

/// A size as the page has it: `64 KiB`.
#[cfg(test)]
pub(crate) fn bytes(bytes: impl TryInto<u64>) -> String {
    let bytes = bytes.try_into().unwrap_or(u64::MAX);
    match bytes {
        all if all % (1 << 20) == 0 => format!("{} MiB", all >> 20),
        all if all % (1 << 10) == 0 => format!("{} KiB", all >> 10),
        all => format!("{all} bytes"),
    }
}

/// A time as the page has it: `24 h`, `60 s`, `100 ms`.
#[cfg(test)]
pub(crate) fn time(time: impl Into<Option<std::time::Duration>>) -> String {
    let Some(time) = time.into() else {
        return "none".to_owned();
    };
    match (time.as_secs(), time.subsec_millis()) {
        (seconds, 0) if seconds % 3600 == 0 => format!("{} h", seconds / 3600),
        (seconds, 0) => format!("{seconds} s"),
        _ => format!("{} ms", time.as_millis()),
    }
}

/// A number with its unit: `8 levels`.
#[cfg(test)]
pub(crate) fn with(number: impl std::fmt::Display, unit: &str) -> String {
    format!("{number} {unit}")
}

#[cfg(all(test, feature = "discover"))]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// The rows of the page: their value, and the feature that they take.
    fn rows() -> BTreeMap<&'static str, (&'static str, &'static str)> {
        let mut rows = BTreeMap::new();
        for line in include_str!("../../docs/defaults.md").lines() {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, row, value, feature, _, behaviour, why, _] = cells[..] else {
                assert!(!line.starts_with('|'), "{line}");
                continue;
            };
            if row == "default" || row.starts_with("---") {
                continue;
            }
            assert!(!behaviour.is_empty() && !why.is_empty(), "{line}");
            let unticked = |cell: &'static str| cell.trim_matches('`');
            let first = rows.insert(row, (unticked(value), unticked(feature)));
            assert_eq!(first, None, "{row} is there twice");
        }
        rows
    }

    fn is_on(feature: &str) -> bool {
        match feature {
            "json-schema" => cfg!(feature = "json-schema"),
            "tracing" => cfg!(feature = "tracing"),
            // A companion crate checks its own rows.
            crate_name if crate_name.starts_with("toolwright-") => false,
            // A row without a feature is always compared with the code, and so is one with a misspelled feature.
            _ => true,
        }
    }

    #[test]
    fn the_page_of_defaults_says_what_the_code_does() {
        let rows = rows();
        let mut held = BTreeSet::new();
        let mut wrong = Vec::new();
        for Documented { row, value } in inventory::iter::<Documented> {
            let value = value();
            match rows.get(row) {
                Some((written, _)) if *written == value => {}
                Some((written, _)) => wrong.push(format!("{row}: {value}, not {written}")),
                None => wrong.push(format!("{row}: {value}, which the page lacks")),
            }
            if !held.insert(*row) {
                wrong.push(format!("{row}: declared twice"));
            }
        }
        for (row, (_, feature)) in rows {
            if !held.contains(row) && is_on(feature) {
                wrong.push(format!(
                    "{row}: no `documented_default!` holds it to the code"
                ));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
