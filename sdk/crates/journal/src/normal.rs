//! The normal form of an output: what is hashed, recorded and compared.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::canonical::{CanonicalJson, NotCanonical, write_text};
use toolwright::arguments::JsonText;
use toolwright::content::ContentHash;
use toolwright::content::ToolStatus;
use toolwright::{Content, ToolError, ToolOutput};

/// An output in its normal form: canonical JSON of its status, its parts and the kind, code and message
/// of its error. Metadata, commands and times are no part of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NormalOutput {
    pub(crate) text: CanonicalJson,
    pub(crate) hash: ContentHash,
}

impl NormalOutput {
    /// Brings an output into its normal form: its JSON becomes canonical. A part that has no canonical
    /// form, because a name is there twice or it nests too deep, stays as it is, and the second value is
    /// false.
    pub(crate) fn of(output: &mut ToolOutput) -> Result<(Self, bool), NotCanonical> {
        let mut is_normal = true;
        let mut text = String::from(r#"{"content":["#);
        for (number, part) in output.content_mut().iter_mut().enumerate() {
            if number > 0 {
                text.push(',');
            }
            is_normal &= write_part(part, &mut text)?;
        }
        text.push(']');
        if let Some(error) = output.as_error() {
            text.push_str(r#","error":{"code":"#);
            write_text(error.code(), &mut text)?;
            text.push_str(r#","kind":"#);
            write_text(error.kind().as_str(), &mut text)?;
            text.push_str(r#","message":"#);
            write_text(error.message(), &mut text)?;
            text.push('}');
        }
        text.push_str(r#","status":"#);
        write_text(status(output).as_str(), &mut text)?;
        text.push('}');
        let text = CanonicalJson::written(text);
        let hash = text.hash();
        Ok((Self { text, hash }, is_normal))
    }

    /// The output that a normal form is of. What the error has besides is given.
    pub(crate) fn read(
        text: &CanonicalJson,
        error: Option<ToolError>,
    ) -> Result<ToolOutput, serde_json::Error> {
        let read: Document<'_> = serde_json::from_str(text.as_str())?;
        let parts = read.content.into_iter().map(read_part);
        let mut output = parts.collect::<Result<ToolOutput, _>>()?;
        if let Some(error) = error {
            output = output.with_error(error);
        }
        if read.status == ToolStatus::Pending {
            output = output.with_pending();
        }
        Ok(output)
    }
}

/// The status of a call that gives an output.
pub(crate) fn status(output: &ToolOutput) -> ToolStatus {
    match output {
        output if output.is_error() => ToolStatus::Error,
        output if output.is_pending() => ToolStatus::Pending,
        _ => ToolStatus::Success,
    }
}

/// Writes a part, members in their order. Returns true if the part is in its normal form.
fn write_part(part: &mut Content, out: &mut String) -> Result<bool, NotCanonical> {
    match part {
        Content::Text { text, .. } => {
            out.push_str(r#"{"text":"#);
            write_text(text, out)?;
            out.push_str(r#","type":"text"}"#);
        }
        Content::Json { json, .. } => {
            let Ok(canonical) = CanonicalJson::from_text(json.as_str()) else {
                out.push_str(r#"{"text":"#);
                write_text(json.as_str(), out)?;
                out.push_str(r#","type":"json"}"#);
                return Ok(false);
            };
            out.push_str(r#"{"json":"#);
            out.push_str(canonical.as_str());
            out.push_str(r#","type":"json"}"#);
            *json = JsonText::from_text(canonical.as_str()).map_err(NotCanonical::new)?;
        }
        other => out.push_str(CanonicalJson::of(other)?.as_str()),
    }
    Ok(true)
}

#[derive(Deserialize)]
struct Document<'t> {
    #[serde(borrow)]
    content: Vec<&'t RawValue>,
    status: ToolStatus,
}

/// A part of JSON, which a tagged form would not keep as it stands.
#[derive(Deserialize)]
struct JsonPart<'t> {
    r#type: &'t str,
    text: Option<String>,
    #[serde(borrow)]
    json: Option<&'t RawValue>,
}

fn read_part(raw: &RawValue) -> Result<Content, serde_json::Error> {
    let part: JsonPart<'_> = serde_json::from_str(raw.get())?;
    if part.r#type != "json" {
        return serde_json::from_str(raw.get());
    }
    let json = part.json.map(|json| json.get().to_owned());
    let missing = || serde::de::Error::custom("a part of the output has no data");
    let json = json.or(part.text).ok_or_else(missing)?;
    JsonText::from_text(json).map(Content::from)
}
