//! The names of the programs: in the list that the binary shows, as files, and in the table for readers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::PROGRAM;

#[test]
fn each_program_is_listed_by_the_binary_and_in_the_table() {
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
    }
}
