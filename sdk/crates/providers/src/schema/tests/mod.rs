//! Schemas of the type zoo and of published tools, in every form.

mod broken;
mod by_hand;
mod golden;
mod instances;
mod meaning;
mod rules;
mod zoo;

use std::fs;
use std::path::{Path, PathBuf};

use super::Dialect;
use crate::api::Api;
use crate::json::Json;

/// The narrow forms, which the vendors' converters judge.
const NARROW: [(&str, Dialect); 3] = [
    ("openai", Dialect::OpenAiStrict),
    ("anthropic", Dialect::AnthropicStrict),
    ("gemini", Dialect::GeminiSubset),
];

/// The general forms.
const GENERAL: [(&str, Dialect); 4] = [
    ("openai-general", Dialect::General(Api::OpenAiChat)),
    ("anthropic-general", Dialect::General(Api::Anthropic)),
    ("gemini-general", Dialect::General(Api::Gemini)),
    ("compatible-general", Dialect::General(Api::Compatible)),
];

fn all_forms() -> impl Iterator<Item = (&'static str, Dialect)> {
    NARROW.into_iter().chain(GENERAL)
}

/// The zoo and the 77 published definitions, each with its name.
fn subjects() -> Vec<(String, Json)> {
    let mut subjects = zoo::zoo();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/data/mcp-tools");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let server = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let tools: Json = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for tool in tools.as_array().unwrap() {
            let name = tool.get("name").and_then(Json::as_str).unwrap();
            subjects.push((
                format!("mcp/{server}/{name}"),
                tool.get("inputSchema").unwrap().clone(),
            ));
        }
    }
    subjects
}

#[test]
fn the_published_definitions_are_all_there() {
    assert_eq!(
        subjects()
            .iter()
            .filter(|(name, _)| name.starts_with("mcp/"))
            .count(),
        77
    );
}
