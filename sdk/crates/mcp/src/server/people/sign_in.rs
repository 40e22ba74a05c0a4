//! The request to sign in: an address, never a form.

use rmcp::model::ElicitRequestParams;
use toolwright::question::SignIn;
use toolwright::ticket::{PendingRequest, Ticket};

use super::approval::tool;
use super::shown;

pub(super) fn form(
    ticket: &Ticket,
    number: usize,
    request: &PendingRequest,
    sign_in: &SignIn,
) -> ElicitRequestParams {
    let mut lines = vec![
        format!("The tool {} needs you to sign in.", tool(ticket)),
        format!("With: {}", shown(sign_in.provider())),
    ];
    if let Some(why) = request.why() {
        lines.push(format!("Why: {}", shown(why)));
    }
    if let Some(data) = sign_in.data() {
        lines.push(format!("For the page: {}", shown(&data.to_string())));
    }
    ElicitRequestParams::UrlElicitationParams {
        meta: None,
        message: lines.join("\n"),
        url: sign_in.url().to_owned(),
        elicitation_id: format!("{}-{number}", ticket.id()),
    }
}
