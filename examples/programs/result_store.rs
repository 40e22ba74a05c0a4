//! A result store keeps large results, here in a folder. The model sees the beginning, and reads on with the tool
//! `result.read`.

use std::error::Error;

use serde_json::json;
use toolwright::executor::Limits;
use toolwright::results::FolderResults;
use toolwright::{Executor, ToolCall, ToolRegistry, tool};

/// List all numbers up to a number, one a line.
#[tool(name = "numbers.list", pure)]
fn numbers(to: u32) -> String {
    let lines: Vec<String> = (1..=to).map(|number| format!("number {number}")).collect();
    lines.join("\n")
}

/// Returns the offset to read on from, which the last line of a cut result has.
fn next_offset(result: &str) -> Option<u64> {
    let (_, offset) = result.lines().last()?.rsplit_once("offset")?;
    offset
        .trim_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .ok()
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let executor = Executor::builder(ToolRegistry::new().with(Numbers))
        .limits(Limits::new().max_output_bytes(400))
        .result_store(FolderResults::new(folder.path()))
        .build()?;
    let session = executor.session("s-1");
    let call = ToolCall::new("numbers.list", r#"{"to": 100}"#);
    let outcome = session.call(call).await;
    let id = outcome.result().invocation_id();
    let mut result = outcome.into_text();
    // A model makes these calls without help.
    while let Some(offset) = next_offset(&result) {
        println!("{}", result.lines().last().unwrap_or_default());
        let arguments = json!({ "id": id, "offset": offset });
        println!("> result.read {arguments}");
        let call = ToolCall::new("result.read", arguments);
        result = session.call(call).await.into_text();
    }
    println!("{result}");

    // Results belong to their session, and its end removes them.
    let call = ToolCall::new("result.read", json!({ "id": id }));
    let other = executor.session("s-2").call(call).await;
    println!("> result.read in another session\n{}", other.text());
    session.end().await?;
    println!(
        "{} results are left",
        std::fs::read_dir(folder.path())?.count()
    );
    Ok(())
}
