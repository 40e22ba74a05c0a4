//! 858 real definitions with their ground-truth calls: what is refused stands in a table with its
//! reason, and what runs is what was sent but for the repairs that are listed.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toolwright::arguments::Repair;
use toolwright_tests::{Counts, read};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/bfcl")
}

/// The cases of the committed table: the first column, with the places of the second.
fn explained() -> Vec<(String, Vec<String>)> {
    let table = fs::read_to_string(folder().join("refused.md")).unwrap();
    let mut rows = Vec::new();
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let mut columns = line.split('|').skip(1);
        let case = columns.next().unwrap().trim().trim_matches('`').to_owned();
        let places = columns.next().unwrap().split(',');
        let places = places.map(|place| place.trim().trim_matches('`').to_owned());
        rows.push((case, places.collect()));
    }
    rows
}

#[tokio::test]
async fn each_refusal_is_explained_and_nothing_is_changed_in_silence() {
    let mut explained = explained();
    let mut counts = Counts::default();
    for file in ["live_simple", "multiple", "simple_python"] {
        for (number, case) in read(&folder().join(file).with_extension("jsonl")).unwrap() {
            let case = case.unwrap();
            let ran = case
                .run()
                .await
                .unwrap_or_else(|e| panic!("{file}:{number}: {e}"));
            counts.add(&ran);
            let id = ran.id.as_str().unwrap();
            if let Some(refused) = &ran.refused {
                let row = explained.iter().position(|(case, _)| case == id);
                let row = row.unwrap_or_else(|| panic!("{id} is not explained: {refused}"));
                for place in explained.remove(row).1 {
                    assert!(
                        refused.contains(&format!("`{place}`")),
                        "{id} {place}: {refused}"
                    );
                }
                assert!(refused.len() < 1024, "{id}: {refused}");
                continue;
            }
            let mut expected: Value = serde_json::from_str(ran.sent.get()).unwrap();
            for repair in &ran.repairs {
                assert!(repair.apply(&mut expected), "{id}: {repair}");
            }
            assert_eq!(ran.ran, Some(expected), "{id}");
        }
    }
    assert_eq!(explained, [], "explained, and not refused");
    assert_eq!(counts.cases, 858);
    // 0.6 %.
    assert!(counts.refused <= 5, "{counts}");
}

/// `Repair` is data: what a dump holds can be read again.
#[tokio::test]
async fn a_dump_is_enough_to_tell_what_changed() {
    for (_, case) in read(&folder().join("simple_python.jsonl")).unwrap() {
        let case = case.unwrap();
        let ran = case.run().await.unwrap();
        let line = serde_json::to_string(&ran).unwrap();
        let dumped: Value = serde_json::from_str(&line).unwrap();
        let repairs: Vec<Repair> = serde_json::from_value(dumped["repairs"].clone()).unwrap();
        let mut sent = dumped["sent"].clone();
        for repair in &repairs {
            assert!(repair.apply(&mut sent));
        }
        if dumped["refused"].is_null() {
            assert_eq!(sent, dumped["ran"], "{line}");
        }
    }
}
