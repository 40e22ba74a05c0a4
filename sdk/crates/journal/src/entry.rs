//! Records as they are written: straight from their fields into the text of a line.

use std::fmt::Write;

use serde::Serialize;
use toolwright::id::InvocationId;

use crate::canonical::push_text;
use crate::digits::push_number;
use crate::record::{RecordedInput, RecordedOutput, Request, Response, SuspendedCall};

/// A record that is to be written. Its text is that of the [`RecordKind`](crate::RecordKind) of the same name.
#[derive(Clone, Copy)]
pub(crate) enum Entry<'a> {
    Opened { format: u32 },
    Requested(&'a Request),
    Suspended(&'a SuspendedCall),
    Resumed(InvocationId, &'a RecordedInput),
    Responded(&'a Response),
}

impl Entry<'_> {
    pub(crate) fn write(&self, out: &mut String) -> Result<(), serde_json::Error> {
        match self {
            Self::Opened { format } => push(out, format_args!(r#"{{"opened":{{"format":{format}"#)),
            Self::Requested(request) => write_request(request, out),
            Self::Suspended(suspended) => {
                let SuspendedCall {
                    invocation, ticket, ..
                } = suspended;
                push(
                    out,
                    format_args!(
                        r#"{{"suspended":{{"invocation":"{invocation}","ticket":"{ticket}","wait":"#
                    ),
                );
                push_json(&suspended.wait, out)?;
            }
            Self::Resumed(invocation, input) => {
                push(
                    out,
                    format_args!(r#"{{"resumed":{{"invocation":"{invocation}","input":"#),
                );
                write_input(input, out);
            }
            Self::Responded(response) => write_response(response, out)?,
        }
        out.push_str("}}");
        Ok(())
    }
}

fn write_request(request: &Request, out: &mut String) {
    out.push_str(r#"{"requested":{"invocation":""#);
    request.invocation.push_to(out);
    if let Some(parent) = request.parent {
        push(out, format_args!(r#"","parent":"{parent}"#));
    }
    out.push_str(r#"","session":"#);
    push_text(request.session.as_str(), out);
    out.push_str(r#","turn":"#);
    push_number(request.turn.number(), out);
    if let Some(call) = &request.call_id {
        out.push_str(r#","call_id":"#);
        push_text(call.as_str(), out);
    }
    out.push_str(r#","tool":"#);
    push_text(&request.tool, out);
    if let Some(version) = &request.version {
        out.push_str(r#","version":"#);
        push_text(version, out);
    }
    out.push_str(r#","effect":""#);
    out.push_str(request.effect.as_str());
    out.push_str(r#"","determinism":""#);
    out.push_str(request.determinism.as_str());
    out.push_str(r#"","input":"#);
    write_input(&request.input, out);
    if let Some(ticket) = request.resumes {
        push(out, format_args!(r#","resumes":"{ticket}""#));
    }
}

fn write_input(input: &RecordedInput, out: &mut String) {
    out.push_str(r#"{"arguments":"#);
    out.push_str(input.arguments.as_str());
    out.push_str(r#","request_hash":""#);
    input.request_hash.push_to(out);
    out.push('"');
    push_flag(input.sealed, "sealed", out);
    push_flag(input.changed, "changed", out);
    if let Some(seed) = input.seed {
        push(out, format_args!(r#","seed":"{seed}""#));
    }
    out.push('}');
}

fn write_response(response: &Response, out: &mut String) -> Result<(), serde_json::Error> {
    out.push_str(r#"{"responded":{"invocation":""#);
    response.invocation.push_to(out);
    out.push_str(r#"","request_hash":""#);
    response.request_hash.push_to(out);
    out.push_str(r#"","response_hash":""#);
    response.response_hash.push_to(out);
    out.push_str(r#"","status":""#);
    out.push_str(response.status.as_str());
    out.push_str(r#"","source":""#);
    out.push_str(response.source.as_str());
    out.push_str(r#"","output":"#);
    match &response.output {
        RecordedOutput::Inline(text) => {
            out.push_str(r#"{"inline":"#);
            out.push_str(text.as_str());
        }
        RecordedOutput::Stored { bytes } => {
            push(out, format_args!(r#"{{"stored":{{"bytes":{bytes}}}"#));
        }
    }
    out.push('}');
    if let Some(error) = &response.error {
        out.push_str(r#","error":"#);
        push_json(error, out)?;
    }
    if let Some(metadata) = &response.metadata {
        out.push_str(r#","metadata":"#);
        push_json(metadata, out)?;
    }
    if !response.remarks.is_empty() {
        out.push_str(r#","remarks":"#);
        push_json(&response.remarks, out)?;
    }
    push_flag(response.changed, "changed", out);
    push_flag(response.attended, "attended", out);
    if !response.clock.is_empty() {
        out.push_str(r#","clock":"#);
        push_json(&response.clock, out)?;
    }
    push_flag(response.unrepeatable, "unrepeatable", out);
    Ok(())
}

/// Writes a member that is there only if it is true.
fn push_flag(is_set: bool, name: &str, out: &mut String) {
    if is_set {
        push(out, format_args!(r#","{name}":true"#));
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A `String` takes all that is written to it.
    let _ = out.write_fmt(text);
}

/// Writes a part that few records have.
fn push_json<T: Serialize + ?Sized>(part: &T, out: &mut String) -> Result<(), serde_json::Error> {
    out.push_str(&serde_json::to_string(part)?);
    Ok(())
}

#[cfg(test)]
mod tests;
