//! State: data of a session. A tool reads a snapshot of it, and changes it by commands in its output. They are applied
//! once, and only if the call succeeds.

use std::error::Error;

use toolwright::executor::SessionOptions;
use toolwright::permission::AllowAll;
use toolwright::state::StateCommand;
use toolwright::{Executor, Session, ToolCall, ToolContext, ToolOutput, ToolRegistry, tool};

/// The basket of a session. Its type is its key.
#[derive(Clone, Default, Debug)]
struct Basket(Vec<String>);

/// The most that a basket holds, as the app says.
struct Room(usize);

/// Put a thing into the basket.
#[tool(name = "basket.add")]
fn add(thing: String, ctx: &ToolContext) -> ToolOutput {
    let there = ctx.state::<Basket>().map_or(0, |basket| basket.0.len());
    let room = ctx.state::<Room>().map_or(0, |room| room.0);
    let update = thing.clone();
    let added = StateCommand::update(move |basket: &mut Basket| basket.0.push(update.clone()));
    let output = if there < room {
        ToolOutput::text(format!("{thing} is in the basket"))
    } else {
        // The command of a call that fails is dropped.
        ToolOutput::error(format!("the basket holds {room} things"))
    };
    output.with_command(added)
}

fn print_basket(session: &Session) {
    match session.state().get::<Basket>() {
        Some(basket) => println!("{} has {:?}", session.id(), basket.0),
        None => println!("{} has no basket", session.id()),
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::builder(ToolRegistry::new().with(Add))
        .permission_checker(AllowAll)
        .build()?;
    let session = executor.session_with("s-1", SessionOptions::new().state(Room(2)));
    for thing in ["milk", "tea", "cake"] {
        let call = ToolCall::new("basket.add", serde_json::json!({ "thing": thing }));
        println!("> {thing}\n{}", session.call(call).await.text());
    }
    print_basket(&session);
    // The app changes the state too.
    session.set_state(Basket::default());
    print_basket(&session);
    // Another session has a state of its own.
    print_basket(&executor.session("s-2"));
    Ok(())
}
