//! The names of the programs: as files, in the list that the binary shows, in the table for readers, and in the tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::PROGRAM;

const TESTS: [&str; 4] = [
    include_str!("authoring.rs"),
    include_str!("plugged_in.rs"),
    include_str!("sessions.rs"),
    include_str!("tickets.rs"),
];

#[test]
fn each_program_is_listed_by_the_binary_and_in_the_table_and_has_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: BTreeSet<String> = fs::read_dir(folder.join("programs"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name != "main")
        .collect();

    let output = Command::new(PROGRAM).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let shown = String::from_utf8(output.stderr).unwrap();
    let (_, names) = shown.trim().split_once(": ").unwrap();
    let listed: BTreeSet<String> = names.split(", ").map(str::to_owned).collect();
    assert_eq!(listed, files);

    let table = fs::read_to_string(folder.join("README.md")).unwrap();
    for name in files {
        assert!(
            table.contains(&format!("[`{name}`](programs/{name}.rs)")),
            "{name}"
        );
        assert!(
            table.contains(&format!("`cargo run --bin program {name}")),
            "{name}"
        );
        let quoted = format!("\"{name}\"");
        assert!(TESTS.iter().any(|test| test.contains(&quoted)), "{name}");
    }
}
