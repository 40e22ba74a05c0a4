//! The defaults of this crate on the page `sdk/docs/defaults.md`, each held to the code that has it.

use std::collections::BTreeMap;

use crate::DefaultDecision;

#[test]
fn the_page_of_defaults_says_what_the_code_does() {
    let mut words = crate::load::DEFAULTS.iter();
    let word = words.find(|(_, decision)| *decision == DefaultDecision::default());
    assert_eq!(crate::toml_reader::MAX_SIZE % (1 << 20), 0);
    assert_eq!(crate::path::text::MAX_LENGTH % (1 << 10), 0);
    let held = BTreeMap::from([
        ("default of a policy", word.unwrap().0.to_owned()),
        (
            "entries looked at below directories",
            crate::below::ENTRIES.to_string(),
        ),
        (
            "file of a policy",
            format!("{} MiB", crate::toml_reader::MAX_SIZE >> 20),
        ),
        (
            "path in a policy",
            format!("{} KiB", crate::path::text::MAX_LENGTH >> 10),
        ),
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
