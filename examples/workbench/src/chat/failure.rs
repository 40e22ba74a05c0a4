//! The reasons why a chat cannot begin, or a message has no answer.

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;

use toolwright_providers::{MessageError, RequestError, StreamError};

use super::args::ChatApi;

#[derive(Debug, thiserror::Error)]
pub(crate) enum ChatError {
    #[error(
        "there is no model: name one by `--model NAME`, with `--base-url URL` if it is on a server of yours"
    )]
    NoModel,
    #[error("there is no key for the API `{}`: set {}", .0.name(), .0.variables().join(" or "))]
    NoKey(ChatApi),
    #[error("the key in {} has characters that no key has", .0.variables().join(" or "))]
    BadKey(ChatApi),
    #[error(
        "`--env {0}` would show the key of the model's API to the shell lines of the model: leave it out"
    )]
    KeyForShell(String),
    // It does not show the URL, which may have a password.
    #[error(
        "`--base-url` {0}: give `http(s)://HOST[:PORT][/PATH]`; a key for the server belongs in {variables}, with \
         `--api openai` where it speaks that API",
        variables = ChatApi::Openai.variables().join(" or ")
    )]
    BadUrl(&'static str),
    #[error("there is no message: give it on the command line or by standard input")]
    NoMessage,
    #[error("the HTTP client cannot start")]
    Client(#[source] reqwest::Error),
    #[error("the request cannot be written")]
    Request(#[from] RequestError),
    #[error("{host} cannot be reached: look at the network, and at `--base-url`")]
    Network {
        host: String,
        #[source]
        error: reqwest::Error,
    },
    #[error("{host} refuses the key (401): look at {}. It says: {said}", key(*.api))]
    Unauthorized {
        host: String,
        api: ChatApi,
        said: String,
    },
    #[error("{host} has no model `{model}`, or the key may not use it (404). It says: {said}")]
    UnknownModel {
        host: String,
        model: String,
        said: String,
    },
    #[error("{host} takes no more requests for now (429); try again later. It says: {said}")]
    RateLimited { host: String, said: String },
    #[error("{host} has a problem of its own ({status}); try again later. It says: {said}")]
    Server {
        host: String,
        status: u16,
        said: String,
    },
    #[error("{host} refuses the request ({status}). It says: {said}")]
    Refused {
        host: String,
        status: u16,
        said: String,
    },
    #[error("the answer of {host} broke off, and nothing of it was run; send the message again")]
    CutOff {
        host: String,
        #[source]
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("{host} gave no answer of the API `{}`; look at `--base-url` and `--api`", .api.name())]
    Unreadable {
        host: String,
        api: ChatApi,
        #[source]
        error: StreamError,
    },
    #[error("{host} broke off its answer. It says: {said}")]
    MidStream { host: String, said: String },
    #[error("the answer cannot be used")]
    Message(#[from] MessageError),
    #[error(
        "the model has made {0} requests for one message and still calls tools: `--max-turns N` allows more"
    )]
    MaxTurns(NonZeroU32),
    #[error("interrupted")]
    Interrupted,
    #[error("the transcript {} cannot be used", path.display())]
    Transcript {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("line {line} of the transcript {} is not what `chat` writes", path.display())]
    NotTranscript { path: PathBuf, line: usize },
    #[error("the transcript {} is of the API `{of}`, and its entries have that API's form", path.display())]
    OtherApi { path: PathBuf, of: &'static str },
    #[error("the output cannot be written")]
    Output(#[source] io::Error),
}

fn key(api: ChatApi) -> String {
    match api.variables() {
        [] => "the server's settings".to_owned(),
        names => names.join(" or "),
    }
}
