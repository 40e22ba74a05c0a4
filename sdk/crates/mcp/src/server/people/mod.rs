//! The questions to the people behind a client: requests of tickets as requests of the protocol, and their answers.
//!
//! Texts of tools and models stand in the messages of forms. Each is one line behind a label of this crate's, with what
//! moves the cursor or turns the direction of writing written out, so that no text can pass for a part of the form.

mod approval;
mod question;
mod sign_in;
mod tool;

use std::collections::BTreeMap;

use rmcp::model::{
    ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, FormElicitationCapability, InputRequest, InputRequests, InputResponses,
    UrlElicitationCapability,
};
use serde::Deserialize as _;
use serde_json::Value;
use toolwright::question::{Question, SignIn};
use toolwright::text::one_line;
use toolwright::ticket::{Answer, Answers, GrantScope, PendingRequest, Ticket, WaitKind};

pub(super) use tool::CAPABILITIES;
pub use tool::{ask_client, ask_client_all, client_capabilities};

/// A request to a client, and the way its answer is read.
pub(super) struct Item {
    pub(super) key: String,
    pub(super) input: InputRequest,
    /// The number of the request in the ticket.
    request: usize,
    form: Form,
}

/// The form of an answer.
enum Form {
    /// The options that "always" may choose.
    Approval(Vec<GrantScope>),
    Question(Box<Question>),
    SignIn,
    /// A tool asks the client itself, and reads the answer as it comes.
    Tool,
}

/// The most characters of a text in a message.
const SHOWN: usize = 10_000;

/// A text as one line of a message. What is left out is told, for nobody should allow what was not shown.
fn shown(text: &str) -> String {
    let whole = one_line(text, usize::MAX);
    let Some((end, _)) = whole.char_indices().nth(SHOWN) else {
        return whole;
    };
    let (shown, rest) = whole.split_at(end);
    let left = rest.chars().count();
    format!("{shown} … ({left} more characters are not shown: say no if you have to see them)")
}

/// The answers of a client, as far as they can be read.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) answers: Vec<(usize, Answer)>,
    /// Somebody wants the whole call to end.
    pub(super) is_cancelled: bool,
    /// The requests without a fitting answer, each with what is wrong with it; empty where there is none.
    pub(super) problems: BTreeMap<String, String>,
}

impl Reading {
    pub(super) fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns true if somebody says no.
    pub(super) fn is_refused(&self) -> bool {
        self.answers.iter().any(|(_, answer)| answer.is_refusal())
    }

    pub(super) fn into_answers(self) -> Answers {
        let all = self.answers.into_iter();
        all.fold(Answers::none(), |answers, (request, answer)| {
            answers.with(request, answer)
        })
    }
}

/// The requests to a client for what is left to answer of a ticket; or the reason why it cannot be asked. Options for
/// more than one call are offered where a session lasts for more than one.
pub(super) fn items(ticket: &Ticket, offers_trust: bool) -> Result<Vec<Item>, String> {
    let requests = ticket.requests();
    let is_single = requests.len() == 1;
    let mut items = Vec::with_capacity(requests.len());
    for (number, request) in requests.iter().enumerate() {
        let key = |word: &str| {
            if is_single {
                word.to_owned()
            } else {
                format!("{word}_{}", number + 1)
            }
        };
        match ticket.kind() {
            WaitKind::Approval => {
                let (params, options) = approval::form(ticket, request, offers_trust);
                items.push(elicit(
                    key("approval"),
                    number,
                    params,
                    Form::Approval(options),
                ));
            }
            WaitKind::Question => {
                let question = Question::of(request).ok_or_else(|| unaskable(request))?;
                let params = question::form(ticket, &question).ok_or_else(|| secret(request))?;
                items.push(elicit(
                    key("question"),
                    number,
                    params,
                    Form::Question(question.into()),
                ));
            }
            WaitKind::SignIn => {
                let sign_in = SignIn::of(request).ok_or_else(|| unaskable(request))?;
                let params = sign_in::form(ticket, number, request, &sign_in);
                items.push(elicit(key("sign_in"), number, params, Form::SignIn));
            }
            _ => {
                let asked = tool::requests(request).ok_or_else(|| unaskable(request))?;
                items.extend(asked.into_iter().map(|(key, input)| Item {
                    key,
                    input,
                    request: number,
                    form: Form::Tool,
                }));
            }
        }
    }
    Ok(items)
}

fn elicit(key: String, request: usize, params: ElicitRequestParams, form: Form) -> Item {
    Item {
        key,
        input: InputRequest::Elicitation(ElicitRequest::new(params)),
        request,
        form,
    }
}

fn unaskable(request: &PendingRequest) -> String {
    format!(
        "the call waits for something that an MCP client cannot give: {}",
        request.summary()
    )
}

fn secret(request: &PendingRequest) -> String {
    format!(
        "the tool asks for a secret ({}), and secrets are not asked for by forms of MCP, which clients may show and log",
        request.summary()
    )
}

impl Item {
    /// Returns true if a tool asks the client itself.
    pub(super) fn is_of_tool(&self) -> bool {
        matches!(self.form, Form::Tool)
    }

    /// The request once more, with what was wrong with the last answer.
    pub(super) fn again(&self, problem: &str) -> InputRequest {
        let mut input = self.input.clone();
        if let InputRequest::Elicitation(request) = &mut input
            && !self.is_of_tool()
            && !problem.is_empty()
            && let ElicitRequestParams::FormElicitationParams { message, .. } = &mut request.params
        {
            *message = format!("The answer did not fit: {problem}.\n{message}");
        }
        input
    }
}

/// The requests for a result, with what was wrong with the answers before.
pub(super) fn requests(items: &[Item], problems: &BTreeMap<String, String>) -> InputRequests {
    let request = |item: &Item| {
        let problem = problems.get(&item.key).map_or("", String::as_str);
        (item.key.clone(), item.again(problem))
    };
    items.iter().map(request).collect()
}

/// Reads the answers of a client.
pub(super) fn read(items: &[Item], responses: &InputResponses) -> Reading {
    let mut reading = Reading::default();
    let mut of_tools: BTreeMap<usize, serde_json::Map<String, Value>> = BTreeMap::new();
    for item in items {
        let Some(response) = responses.get(&item.key) else {
            reading.problems.insert(item.key.clone(), String::new());
            continue;
        };
        if item.is_of_tool() {
            if tool::is_fit(&item.input, response) {
                let all = of_tools.entry(item.request).or_default();
                all.insert(item.key.clone(), response.clone());
            } else {
                reading.problems.insert(item.key.clone(), String::new());
            }
            continue;
        }
        match answer(item, response) {
            Ok(Some(answer)) => reading.answers.push((item.request, answer)),
            Ok(None) => reading.is_cancelled = true,
            Err(problem) => {
                reading.problems.insert(item.key.clone(), problem);
            }
        }
    }
    for (request, all) in of_tools {
        let is_left =
            |item: &Item| item.request == request && reading.problems.contains_key(&item.key);
        if !items.iter().any(is_left) {
            reading
                .answers
                .push((request, Answer::value(Value::Object(all))));
        }
    }
    reading
}

/// The answer of a person; `None` if the person cancels. The error is for the person.
fn answer(item: &Item, response: &Value) -> Result<Option<Answer>, String> {
    let result = ElicitResult::deserialize(response)
        .map_err(|_| "it is no result of an elicitation".to_owned())?;
    match result.action {
        ElicitationAction::Decline => return Ok(Some(Answer::no())),
        ElicitationAction::Cancel => return Ok(None),
        ElicitationAction::Accept => {}
        _ => return Err("it neither accepts, declines nor cancels".to_owned()),
    }
    let content = result.content.unwrap_or_default();
    match &item.form {
        Form::Approval(options) => approval::read(&content, options).map(Some),
        Form::Question(question) => question::read(&content, question).map(Some),
        Form::SignIn | Form::Tool => Ok(Some(Answer::yes())),
    }
}

/// The capabilities that the requests need and the client does not have; `None` if it has all.
pub(super) fn lacking(
    items: &[Item],
    has: Option<&ClientCapabilities>,
) -> Option<ClientCapabilities> {
    let none = ClientCapabilities::default();
    let has = has.unwrap_or(&none);
    let mut lacking = ClientCapabilities::default();
    for item in items {
        match &item.input {
            InputRequest::Elicitation(request) => {
                let elicitation = has.elicitation.as_ref();
                let (is_there, needed) = match &request.params {
                    ElicitRequestParams::UrlElicitationParams { .. } => (
                        elicitation.is_some_and(|modes| modes.url.is_some()),
                        ElicitationCapability::new().with_url(UrlElicitationCapability::new()),
                    ),
                    // A client that names no mode has forms
                    // (<https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation>, read 2026-11-24).
                    _ => (
                        elicitation
                            .is_some_and(|modes| modes.form.is_some() || modes.url.is_none()),
                        ElicitationCapability::new().with_form(FormElicitationCapability::new()),
                    ),
                };
                if !is_there {
                    lacking.elicitation = Some(needed);
                }
            }
            InputRequest::CreateMessage(_) if has.sampling.is_none() => {
                lacking.sampling.get_or_insert_default();
            }
            InputRequest::ListRoots(_) if has.roots.is_none() => {
                lacking.roots.get_or_insert_default();
            }
            _ => {}
        }
    }
    let is_lacking =
        lacking.elicitation.is_some() || lacking.sampling.is_some() || lacking.roots.is_some();
    is_lacking.then_some(lacking)
}

/// The names of capabilities, for a text.
pub(super) fn names(capabilities: &ClientCapabilities) -> String {
    let modes = capabilities.elicitation.as_ref();
    let elicitation = modes.map(|modes| match modes.url {
        Some(_) => "elicitation.url",
        None => "elicitation",
    });
    let sampling = capabilities.sampling.as_ref().map(|_| "sampling");
    let roots = capabilities.roots.as_ref().map(|_| "roots");
    let names: Vec<&str> = [elicitation, sampling, roots]
        .into_iter()
        .flatten()
        .collect();
    names.join("`, `")
}
