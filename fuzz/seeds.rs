//! Writes the first corpus of each target, from the data that the tests have: `cargo run --example seeds`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = here.join("../tests/data");
    let target = |name: &str| Seeds::new(here.join("corpus").join(name));

    let mut lines = target("shell_lines")?;
    for file in json_lines(&data.join("policy"))? {
        for row in rows(&file)? {
            lines.add(row["line"].as_str().unwrap_or_default().as_bytes())?;
        }
    }

    let mut policies = target("policies")?;
    for folder in [
        data.join("policy"),
        here.join("../examples/workbench/policies"),
    ] {
        for file in files(&folder, "toml")? {
            let text = fs::read(file)?;
            policies.add(&text)?;
            for piece in String::from_utf8_lossy(&text).split("\n\n") {
                policies.add(piece.as_bytes())?;
            }
        }
    }

    let mut arguments = target("arguments")?;
    for seed in ARGUMENTS {
        arguments.add(seed.as_bytes())?;
    }
    let mut envelopes = target("envelopes")?;
    for file in json_lines(&data.join("bfcl"))? {
        for (number, row) in rows(&file)?
            .iter()
            .enumerate()
            .filter(|(number, _)| number % 8 == 0)
        {
            let (name, given) = (&row["tool"]["name"], &row["arguments"]);
            arguments.add(given.to_string().as_bytes())?;
            let envelope = match number % 4 {
                0 => json!({ "id": "c1", "name": name, "arguments": given }),
                1 => json!({ "type": "tool_use", "id": "c1", "name": name, "input": given }),
                _ => json!({ "role": "assistant", "tool_calls":
                    [{ "id": "c1", "type": "function", "function": { "name": name, "arguments": given.to_string() } }] }),
            };
            envelopes.add(envelope.to_string().as_bytes())?;
        }
    }
    for file in files(&here.join("../examples/workbench/transcripts"), "jsonl")? {
        for line in fs::read_to_string(file)?.lines() {
            envelopes.add(line.as_bytes())?;
        }
    }

    // The first byte says which API, in the order of `Api::ALL`, and if it is a stream.
    let mut messages = target("model_messages")?;
    let wire = here.join("../sdk/crates/providers/tests/wire");
    let apis = [
        "openai-chat",
        "openai-responses",
        "anthropic",
        "gemini",
        "compatible",
    ];
    for (api, folder) in (0_u8..).zip(apis) {
        for (is_stream, ending) in [(0, "json"), (1, "sse")] {
            for file in files(&wire.join(folder), ending)? {
                let seed = [vec![api * 2 + is_stream], fs::read(file)?].concat();
                messages.add(&seed)?;
            }
        }
    }

    // These two targets make their data themselves, so a seed is only a change to it.
    for name in ["tickets", "journal_lines"] {
        let mut patches = target(name)?;
        for place in (0_u16..1_400).step_by(7) {
            let [high, low] = place.to_be_bytes();
            patches.add(&[high, low, 1, 1, b'0'])?;
            patches.add(&[high, low, 8, 0])?;
        }
    }
    Ok(())
}

const ARGUMENTS: [&str; 8] = [
    r#"{"from":"Bern","passengers":[{"name":"Ada","age":36}]}"#,
    r#"{"from":"Bern","class":"first","seats":2,"discount":0.25,"passengers":[{"name":"Ada","age":36,"notes":{"meal":["tea",1e3]}}],"delivery":{"Mail":{"address":"a@b.c","copies":2}},"card":"4111"}"#,
    r#"{"From":"Bern","seats":"3","passengers":{"name":"Ada","age":36.0},"delivery":"counter"}"#,
    r#"{"from":"Bern","passengers":"[{\"name\":\"Ada\",\"age\":\"36\"}]","discount":null}"#,
    r#"{"from":"bern","class":"third","seats":0,"passengers":[{"name":"Ada","age":400}],"more":1}"#,
    r#"{"from":"Bern","seats":12345678901234567890123,"discount":1e-400,"passengers":[]}"#,
    "null",
    "```json\n{\"from\":\"Bern\",\"passengers\":[],}\n```",
];

/// A folder of seeds, each in a file of its own.
struct Seeds {
    folder: PathBuf,
    count: usize,
}

impl Seeds {
    fn new(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, count: 0 })
    }

    fn add(&mut self, seed: &[u8]) -> io::Result<()> {
        let file = self.folder.join(format!("seed-{:04}", self.count));
        self.count += 1;
        fs::write(file, seed)
    }
}

fn json_lines(folder: &Path) -> io::Result<Vec<PathBuf>> {
    files(folder, "jsonl")
}

fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn rows(file: &Path) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let text = fs::read_to_string(file)?;
    let rows = text.lines().filter(|line| !line.trim().is_empty());
    Ok(rows.map(serde_json::from_str).collect::<Result<_, _>>()?)
}
