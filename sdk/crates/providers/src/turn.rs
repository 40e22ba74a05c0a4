//! The tools of a session at the other end of a model: a message goes in, the messages to append come out.

use std::fmt;

use serde_json::Value;
use toolwright::executor::ToolCaller;
use toolwright::id::CallId;
use toolwright::{ToolCall, ToolOutcome, ToolResult};

use crate::wire::{self, Answered};
use crate::{
    Api, AssistantMessage, ListError, ListOptions, Message, MessageError, MessageStream,
    ProviderCall, Reply, ToolList,
};

/// The tools of a session, a turn or any other [`ToolCaller`] as a model API takes them, and the way of calls and results
/// between the two.
///
/// The functions of the modules make one: [`openai::chat`](crate::openai::chat),
/// [`anthropic::messages`](crate::anthropic::messages) and the others. The tools are those that the session has at that
/// moment; it costs little to make one for each turn.
pub struct ModelTools<'c> {
    caller: &'c dyn ToolCaller,
    list: ToolList,
}

impl<'c> ModelTools<'c> {
    /// Returns the tools of a caller for an API, by the default [options](ListOptions).
    pub fn new(api: Api, caller: &'c dyn ToolCaller) -> Self {
        let list = ToolList::new(api, &caller.tools());
        Self { caller, list }
    }

    /// Shows the tools by these options.
    ///
    /// # Errors
    ///
    /// Fails with [`Strict::Force`](crate::Strict::Force) if a tool cannot be strict.
    pub fn with_options(mut self, options: ListOptions) -> Result<Self, ListError> {
        self.list = ToolList::with_options(self.api(), &self.caller.tools(), options)?;
        Ok(self)
    }

    /// Shows the tools of these names alone; see [`ToolList::select`]. A call of another tool still runs: what a session
    /// may call is set by [its own options](toolwright::executor::SessionOptions::tools).
    ///
    /// # Errors
    ///
    /// Fails as [`with_options`](Self::with_options) does.
    pub fn select<'n>(
        mut self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Self, ListError> {
        self.list = self.list.select(names)?;
        Ok(self)
    }

    /// The API.
    pub fn api(&self) -> Api {
        self.list.api()
    }

    /// The list of tools, which is the field `tools` of a request.
    pub fn list(&self) -> &ToolList {
        &self.list
    }

    /// Returns the body of a request: the settings, such as `{"model": ".."}`, the tools, and the messages, both byte for
    /// byte, so that a server's cache finds the same beginning each time.
    ///
    /// The fields of tools and messages are the API's own (`messages`, `input` or `contents`). Without tools it has no field
    /// for them.
    ///
    /// # Errors
    ///
    /// Fails if the settings cannot be written as a JSON object, or have one of these fields.
    pub fn request(
        &self,
        settings: &Value,
        messages: &[Message],
    ) -> Result<String, wire::RequestError> {
        wire::request(self.api(), settings, self.list.as_str(), messages)
    }

    /// Returns a message of the user.
    pub fn user(&self, text: &str) -> Message {
        wire::user_message(self.api(), text)
    }

    /// Returns a reader of a streamed answer, whose end goes to [`answer`](Self::answer).
    pub fn stream(&self) -> MessageStream {
        MessageStream::new(self.api())
    }

    /// Reads what the model answered, a response's body or the message in it, runs its calls side by side as
    /// [`Turn::call_all`](toolwright::Turn::call_all) does, and returns the messages to append.
    ///
    /// A call that cannot be read, because it has no name or its arguments are cut off, runs nothing and is answered with
    /// the reason.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a message of the API, or an error that the API reports. Nothing has run then.
    pub async fn answer(&self, message: &str) -> Result<Reply, MessageError> {
        let message = AssistantMessage::read(self.api(), message)?;
        let outcomes = self.run(message.calls()).await;
        let results = wire::write_results(self.api(), &answers(message.calls(), &outcomes));
        let mut reply = Reply::to(&message, outcomes);
        reply.messages = message.into_messages();
        reply.messages.extend(results);
        Ok(reply)
    }

    /// Runs those calls that can be run.
    pub(crate) async fn run(&self, calls: &[ProviderCall<'_>]) -> Vec<ToolOutcome> {
        let to_run = calls.iter().filter(|call| call.refusal().is_none());
        let to_run = to_run.map(|call| {
            let to_run = self.list.tool_call(call.name(), call.arguments());
            to_run.with_id(call.id())
        });
        let to_run: Vec<ToolCall<'_>> = to_run.collect();
        match to_run.len() {
            0 => Vec::new(),
            _ => self.caller.call_all(to_run).await,
        }
    }

    /// Returns a message that tells the model the result of a call that was suspended, once it has ended: the call's own
    /// place in the messages has the note that it waits.
    pub fn late_result(&self, result: &ToolResult) -> Message {
        let shown = self.list.find(result.tool());
        let name = shown.map_or(result.tool(), |(tool, _)| &tool.shown);
        let id = result.call_id().map(CallId::as_str);
        wire::late_result(self.api(), result, name, id)
    }
}

/// Puts each call together with its answer. `outcomes` are those of the calls that could be run.
pub(crate) fn answers<'r>(
    calls: &'r [ProviderCall<'r>],
    outcomes: &'r [ToolOutcome],
) -> Vec<Answered<'r>> {
    let mut ended = outcomes.iter().map(ToolOutcome::result);
    let answers = calls.iter().map(|call| match call.refusal() {
        Some(why) => Answered::refused(call, why),
        None => Answered::of(call, ended.next()),
    });
    answers.collect()
}

impl fmt::Debug for ModelTools<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ModelTools");
        shown.field("list", &self.list).finish_non_exhaustive()
    }
}
