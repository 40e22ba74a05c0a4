//! The defaults of this crate on the page `sdk/docs/defaults.md`, each held to the code that has it.

use std::collections::BTreeMap;

/// A size as the page has it.
fn kib(bytes: usize) -> String {
    assert_eq!(bytes % 1024, 0);
    format!("{} KiB", bytes / 1024)
}

#[test]
fn the_page_of_defaults_says_what_the_code_does() {
    let held = BTreeMap::from([
        ("commands of a shell line", crate::simple::PARTS.to_string()),
        (
            "files that patterns of a shell line name",
            crate::glob::MATCHES.to_string(),
        ),
        (
            "names of files in a shell line",
            kib(crate::files::MOST_NAMES),
        ),
        (
            "nesting of a shell line",
            format!("{} levels", crate::screen::LEVELS),
        ),
        ("shell line", kib(crate::screen::LONGEST)),
    ]);
    let mut told = BTreeMap::new();
    for line in include_str!("../../../../docs/defaults.md").lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [_, row, value, of, ..] = cells[..]
            && of.trim_matches('`') == env!("CARGO_PKG_NAME")
        {
            told.insert(row, value.trim_matches('`').to_owned());
        }
    }
    assert_eq!(told, held);
}
