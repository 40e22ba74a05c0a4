//! The server by hand: each argument is a reply, `text:TEXT` or `call:NAME:JSON`, and `think` before either adds thoughts. It
//! prints its address, and ends with its standard input.

use std::io::{self, Read as _, Write as _};

use model_server::{ModelServer, Reply};

fn main() -> io::Result<()> {
    let server = ModelServer::start(
        std::env::args()
            .skip(1)
            .filter_map(|argument| reply(&argument)),
    );
    writeln!(io::stdout(), "{}", server.url())?;
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

fn reply(argument: &str) -> Option<Reply> {
    if let Some(rest) = argument.strip_prefix("think:") {
        let thoughts = Reply::thinking("I think about it.");
        return Some(add(thoughts, rest));
    }
    match argument.split_once(':')? {
        ("text", text) => Some(Reply::text(text)),
        ("call", call) => {
            let (name, arguments) = call.split_once(':')?;
            Some(Reply::call(name, &serde_json::from_str(arguments).ok()?))
        }
        _ => None,
    }
}

fn add(reply: Reply, argument: &str) -> Reply {
    match argument.split_once(':') {
        Some(("call", call)) => {
            let (name, arguments) = call.split_once(':').unwrap_or((call, "{}"));
            reply.and_call_text(name, arguments)
        }
        Some(("text", text)) => reply.and_text(text),
        _ => reply,
    }
}
