//! Replay: a run once more from its journal. Tools without effects run again and must give the same; all other calls are
//! answered from the record, so that no letter is sent twice. The report shows each difference.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use toolwright::permission::AllowAll;
use toolwright::{Executor, ExecutorBuilder, ToolCall, ToolRegistry, tool};
use toolwright_journal::{Journal, MemoryLog, Replay};

/// The price of a stamp, in cents.
struct Stamp(u32);

/// The number of letters that were sent.
#[derive(Clone, Default)]
struct Sent(Arc<AtomicU32>);

/// Tell what the stamps of some letters cost, in cents.
#[tool(name = "letter.cost", pure)]
fn cost(letters: u32, stamp: &Stamp) -> u32 {
    letters * stamp.0
}

/// Send a letter.
#[tool(name = "letter.send")]
fn send(to: String, sent: &Sent) -> String {
    let number = sent.0.fetch_add(1, Ordering::SeqCst) + 1;
    format!("letter {number} went to {to}")
}

fn executor(stamp: u32, sent: &Sent) -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(Cost).with(Send))
        .resource(Stamp(stamp))
        .resource(sent.clone())
        .permission_checker(AllowAll)
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let sent = Sent::default();
    let log = MemoryLog::new();
    let (journal, _) = Journal::open(log.clone())?;
    let session = executor(95, &sent)
        .call_recorder(journal)
        .build()?
        .session("post");
    for (name, arguments) in [
        ("letter.cost", r#"{"letters": 2}"#),
        ("letter.send", r#"{"to": "Ada"}"#),
    ] {
        let outcome = session.call(ToolCall::new(name, arguments)).await;
        println!("> {name} {arguments}\n{}", outcome.text());
    }

    let replay = Replay::of(&log)?;
    for stamp in [95, 110] {
        let report = replay.run(&executor(stamp, &sent).build()?).await;
        println!(
            "\na replay with stamps at {stamp} cents is faithful: {}",
            report.is_faithful()
        );
        println!("{report}");
    }
    println!("\nletters sent: {}", sent.0.load(Ordering::SeqCst));
    Ok(())
}
