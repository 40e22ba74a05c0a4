//! Calls that wait for their client.

use std::collections::BTreeMap;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResponse, ClientResult, InputRequest, InputRequiredResult, InputResponses,
    ServerRequest,
};
use rmcp::service::{PeerRequestOptions, ServiceError};
use serde_json::Value;
use toolwright::ToolOutcome;
use toolwright::ticket::{Answers, Ticket};

use super::call::CallRequest;
use super::people::{self, Item, Reading};
use super::result::failure;
use super::state;

/// The most rounds of questions of one request.
const ROUNDS: usize = 64;

/// The most forms that a person gets for one question, if no answer fits.
const ATTEMPTS: usize = 3;

/// The end of a round.
enum Round {
    /// The response to the request.
    Ended(CallToolResponse),
    /// The client answered.
    Answered(Answers),
}

/// Brings a call that waits to a response.
pub(super) async fn settle(
    request: &CallRequest<'_>,
    mut responses: InputResponses,
    mut outcome: ToolOutcome,
) -> Result<CallToolResponse, ErrorData> {
    for _ in 0..ROUNDS {
        let ToolOutcome::Suspended(suspension) = &outcome else {
            let tools = request.open.session().tools();
            return Ok(request.response(&outcome, &tools).into());
        };
        let ticket = suspension.ticket();
        let answers = match round(request, &mut responses, ticket).await? {
            Round::Ended(response) => return Ok(response),
            Round::Answered(answers) => answers,
        };
        outcome = match request.resume(ticket, answers).await {
            Ok(outcome) => outcome,
            Err(error) => return Ok(failure(error.to_string()).into()),
        };
    }
    cancel(request, &outcome).await;
    Ok(failure("the call asked too often, and was cancelled").into())
}

/// Goes on with the call of a state that came back with answers.
pub(super) async fn again(
    request: &CallRequest<'_>,
    ticket: Ticket,
) -> Result<CallToolResponse, ErrorData> {
    state::verify(request, &ticket).await?;
    request.open.take_over();
    let items = match people::items(&ticket, request.open.lasts()) {
        Ok(items) => items,
        Err(why) => return Ok(give_up(request, &ticket, why).await),
    };
    match answered(request, &ticket, people::read(&items, &request.responses)).await {
        Ok(Round::Ended(response)) => Ok(response),
        Ok(Round::Answered(answers)) => match request.resume(&ticket, answers).await {
            // The responses were those of this round.
            Ok(outcome) => settle(request, InputResponses::new(), outcome).await,
            Err(error) => {
                request.open.leave();
                Err(state::refused(&error))
            }
        },
        Err(problems) => ask_again(request, &ticket, &items, &problems),
    }
}

/// Asks the client for what a ticket waits for.
async fn round(
    request: &CallRequest<'_>,
    responses: &mut InputResponses,
    ticket: &Ticket,
) -> Result<Round, ErrorData> {
    let items = match people::items(ticket, request.open.lasts()) {
        Ok(items) => items,
        Err(why) => return Ok(Round::Ended(give_up(request, ticket, why).await)),
    };
    if let Some(lacking) = people::lacking(&items, request.capabilities().as_ref()) {
        let why = format!(
            "`{}` was ended: the client has to answer ({}), and it cannot, since it does not have the capability `{}`",
            ticket.call().tool(),
            ticket.summary(),
            people::names(&lacking)
        );
        let ended = give_up(request, ticket, why).await;
        return if request.is_stateless {
            Err(ErrorData::missing_required_client_capability(lacking))
        } else {
            Ok(Round::Ended(ended))
        };
    }
    if !request.is_stateless {
        return Ok(ask_peer(request, ticket, &items).await);
    }
    // Requests of tools to their client may be answered at once. Approvals and questions of ours take the ticket.
    if items.iter().all(Item::is_of_tool) {
        let reading = people::read(&items, responses);
        if reading.is_whole() {
            responses.retain(|key, _| items.iter().all(|item| item.key != *key));
            return Ok(Round::Answered(reading.into_answers()));
        }
    }
    ask_again(request, ticket, &items, &BTreeMap::new()).map(Round::Ended)
}

/// The result that asks a client of the stateless era.
fn ask_again(
    request: &CallRequest<'_>,
    ticket: &Ticket,
    items: &[Item],
    problems: &BTreeMap<String, String>,
) -> Result<CallToolResponse, ErrorData> {
    let state = state::write(ticket)?;
    request.open.leave_for(ticket);
    let requests = people::requests(items, problems);
    Ok(InputRequiredResult::new(Some(requests), Some(state)).into())
}

/// The answers that were read; or what is wrong with them.
async fn answered(
    request: &CallRequest<'_>,
    ticket: &Ticket,
    reading: Reading,
) -> Result<Round, BTreeMap<String, String>> {
    if reading.is_cancelled {
        let why = "the user cancelled the request, and the call did not run".to_owned();
        return Ok(Round::Ended(give_up(request, ticket, why).await));
    }
    // A single no is enough, whatever else is left.
    if reading.is_whole() || reading.is_refused() {
        Ok(Round::Answered(reading.into_answers()))
    } else {
        Err(reading.problems)
    }
}

/// Asks a client of the stateful era, one request after another.
async fn ask_peer(request: &CallRequest<'_>, ticket: &Ticket, items: &[Item]) -> Round {
    let mut responses = InputResponses::new();
    for (number, item) in items.iter().enumerate() {
        let so_far = items.get(..=number).unwrap_or_default();
        let mut problem = String::new();
        for attempt in 1.. {
            let response = match send(request, item.again(&problem)).await {
                Ok(response) => response,
                Err(error) => {
                    let why = format!("the client did not answer what it was asked: {error}");
                    return Round::Ended(give_up(request, ticket, why).await);
                }
            };
            responses.insert(item.key.clone(), response);
            match answered(request, ticket, people::read(so_far, &responses)).await {
                Ok(Round::Ended(response)) => return Round::Ended(response),
                Ok(Round::Answered(answers)) if number + 1 == items.len() => {
                    return Round::Answered(answers);
                }
                Ok(Round::Answered(answers)) => {
                    if people::read(so_far, &responses).is_refused() {
                        return Round::Answered(answers);
                    }
                    break;
                }
                Err(mut problems) => {
                    problem = problems.remove(&item.key).unwrap_or_default();
                    if attempt >= ATTEMPTS {
                        let why = format!("the client's answer did not fit: {problem}");
                        return Round::Ended(give_up(request, ticket, why).await);
                    }
                }
            }
        }
    }
    Round::Answered(Answers::none())
}

/// Sends a request to a client of the stateful era. When the call is cancelled before the answer, the client is told, so
/// that nobody fills in a form for nothing.
async fn send(request: &CallRequest<'_>, input: InputRequest) -> Result<Value, ServiceError> {
    let sent = match input {
        InputRequest::Elicitation(request) => ServerRequest::ElicitRequest(request),
        InputRequest::CreateMessage(request) => ServerRequest::CreateMessageRequest(request),
        InputRequest::ListRoots(request) => ServerRequest::ListRootsRequest(request),
        _ => return Err(ServiceError::UnexpectedResponse),
    };
    let peer = &request.context.peer;
    let options = PeerRequestOptions::no_options();
    let mut asked = peer.send_cancellable_request(sent, options).await?;
    let answered = tokio::select! {
        answered = &mut asked.rx => answered,
        () = request.context.ct.cancelled() => {
            let reason = Some("the call was cancelled".to_owned());
            asked.cancel(reason.clone()).await?;
            return Err(ServiceError::Cancelled { reason });
        }
    };
    let result: ClientResult = answered.map_err(|_| ServiceError::TransportClosed)??;
    serde_json::to_value(result).map_err(|_| ServiceError::UnexpectedResponse)
}

/// Ends a call that cannot be answered.
async fn give_up(request: &CallRequest<'_>, ticket: &Ticket, why: String) -> CallToolResponse {
    let broker = request.connection.server.executor.tickets();
    if let Err(error) = broker.cancel(ticket.id()).await {
        tracing::debug!(%error, "the ticket of a call that nobody can answer was not open");
    }
    failure(why).into()
}

async fn cancel(request: &CallRequest<'_>, outcome: &ToolOutcome) {
    if let Some(suspension) = outcome.suspension() {
        give_up(request, suspension.ticket(), String::new()).await;
    }
}
