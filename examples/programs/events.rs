//! Events tell a log or a progress bar what an executor does. Here they come through a channel.

use std::error::Error;

use toolwright::event::{EventChannel, EventKind};
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolContext, ToolRegistry, tool};

/// Copy some files.
#[tool(name = "files.copy")]
async fn copy(#[arg(range = 1..=100)] count: u32, ctx: &ToolContext) -> String {
    for number in 1..=count {
        ctx.progress(
            f64::from(number) / f64::from(count),
            format_args!("file {number}"),
        );
        tokio::task::yield_now().await;
    }
    format!("{count} files were copied")
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    // A slow receiver loses the oldest events beyond 64; no tool waits for a receiver.
    let channel = EventChannel::new(64);
    let mut events = channel.subscribe();
    let executor = Executor::builder(ToolRegistry::new().with(Copy))
        .permission_checker(AllowAll)
        .events(channel)
        .build()?;
    let log = tokio::spawn(async move {
        while let Some(received) = events.recv().await {
            let event = received.event();
            let tool = event.call().map_or("-", |call| call.tool());
            match event.kind() {
                EventKind::Progress {
                    message, fraction, ..
                } => {
                    println!(
                        "{tool}: {message}, {:.0} %",
                        100.0 * fraction.unwrap_or_default()
                    );
                }
                EventKind::Finished { status, error, .. } => {
                    let error = error.map_or("no error".to_owned(), |error| error.to_string());
                    println!("{tool}: finished with {status:?}, {error}");
                }
                other => println!("{tool}: {}", other.as_str()),
            }
        }
    });
    executor.call("files.copy", r#"{"count": 2}"#).await;
    executor.call("files.copy", r#"{"count": 0}"#).await;
    // The channel ends with the executor.
    drop(executor);
    log.await?;
    Ok(())
}
