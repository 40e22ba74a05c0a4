//! A journal records each call in a file. Each line carries a hash over all lines before it, so that `verify` finds the
//! first line that somebody has changed.

use std::error::Error;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use toolwright::permission::AllowAll;
use toolwright::{Executor, ExecutorBuilder, ToolCall, ToolRegistry, tool};
use toolwright_journal::{FileLog, Journal, verify};

/// The bottles in the cellar.
struct Cellar(AtomicU32);

/// Take bottles out of the cellar.
#[tool(name = "cellar.take")]
fn take(bottles: u32, cellar: &Cellar) -> Result<u32, String> {
    let taken = |left: u32| left.checked_sub(bottles);
    match cellar
        .0
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, taken)
    {
        Ok(before) => Ok(before - bottles),
        Err(left) => Err(format!("only {left} are left")),
    }
}

/// Tell how many glasses some bottles fill.
#[tool(name = "cellar.glasses", pure)]
fn glasses(bottles: u32) -> u32 {
    bottles * 6
}

fn executor(bottles: u32) -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(Take).with(Glasses))
        .resource(Cellar(AtomicU32::new(bottles)))
        .permission_checker(AllowAll)
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("run.jsonl");
    {
        let (journal, _) = Journal::open(FileLog::open(&file)?)?;
        let session = executor(10)
            .call_recorder(journal)
            .build()?
            .session("evening");
        for (name, arguments) in [
            ("cellar.glasses", r#"{"bottles": 8}"#),
            ("cellar.take", r#"{"bottles": 8}"#),
            ("cellar.take", r#"{"bottles": 8}"#),
        ] {
            let outcome = session.call(ToolCall::new(name, arguments)).await;
            println!("> {name} {arguments}\n{}", outcome.text());
        }
    }
    println!(
        "verified: {} records",
        verify(&FileLog::read_only(&file)?)?.records
    );

    let changed = fs::read_to_string(&file)?.replace("only 2 are left", "only 9 are left");
    fs::write(&file, changed)?;
    match verify(&FileLog::read_only(&file)?) {
        Ok(_) => println!("nobody saw the change"),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
