//! The forms, held against `tests/vendors/schemas.golden.json`, where `tests/vendors/schemas.py` wrote the verdicts of the vendors'
//! own converters beside each.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::{Dialect, convert};
use super::{all_forms, subjects};
use crate::json::{Json, Object};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vendors/schemas.golden.json")
}

/// Every subject in a form: the schema with the losses, or the reason why there is none.
fn forms() -> Vec<(String, Object)> {
    let mut forms = Vec::new();
    for (form, dialect) in all_forms() {
        for (name, schema) in subjects() {
            // The general form of a published definition is the definition.
            if matches!(dialect, Dialect::General(_)) && name.starts_with("mcp/") {
                continue;
            }
            let mut entry = Object::new();
            match convert(&schema, dialect) {
                Ok(converted) => {
                    entry.insert("schema", converted.schema);
                    let losses = converted
                        .losses
                        .iter()
                        .map(|loss| Json::from(loss.to_string()));
                    entry.insert("losses", losses.collect::<Vec<_>>());
                }
                Err(problem) => entry.insert("refused", problem.to_string()),
            }
            forms.push((format!("{form} {name}"), entry));
        }
    }
    forms
}

/// Writes the forms without verdicts; `tests/vendors/schemas.py` adds them.
#[test]
#[ignore = "writes the file that the others read"]
fn write_the_forms() {
    let lines: Vec<String> = forms()
        .into_iter()
        .map(|(name, entry)| {
            format!(
                "{}:{}",
                Json::from(name).to_text(),
                Json::Object(entry).to_text()
            )
        })
        .collect();
    fs::write(file(), format!("{{\n{}\n}}\n", lines.join(",\n"))).unwrap();
}

#[test]
fn s0_45_s2_39_s2_41_each_form_is_the_one_that_the_vendors_judged() {
    let golden: Json = serde_json::from_slice(&fs::read(file()).unwrap()).unwrap();
    let golden = golden.as_object().unwrap();
    let forms = forms();
    assert_eq!(golden.len(), forms.len());
    for (name, entry) in forms {
        let mut judged = golden.get(&name).and_then(Json::as_object).unwrap().clone();
        let verdicts = judged.remove("verdicts");
        assert_eq!(
            Json::Object(entry).to_text(),
            Json::Object(judged.clone()).to_text(),
            "{name}"
        );
        if judged.contains("refused") {
            continue;
        }
        let verdicts = verdicts.unwrap_or_else(|| panic!("{name} was not judged"));
        let verdicts = verdicts.as_object().unwrap();
        assert!(!verdicts.is_empty(), "{name}");
        for (vendor, verdict) in verdicts.iter() {
            assert_eq!(verdict.as_str(), Some("unchanged"), "{name}, {vendor}");
        }
    }
}
