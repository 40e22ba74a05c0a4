//! The normal form of an output: what is hashed, recorded and compared.

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::content::JsonText;
use toolwright::content::{ContentHash, ToolStatus};
use toolwright::{Content, ToolError, ToolOutput};

use crate::canonical::{CanonicalJson, NotCanonical, push_canonical, push_text};

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
        let mut text = String::with_capacity(Self::room(output));
        text.push_str(r#"{"content":["#);
        for (number, part) in output.content_mut().iter_mut().enumerate() {
            if number > 0 {
                text.push(',');
            }
            is_normal &= write_part(part, &mut text)?;
        }
        text.push(']');
        if let Some(error) = output.as_error() {
            text.push_str(r#","error":{"code":"#);
            push_text(error.code(), &mut text);
            text.push_str(r#","kind":"#);
            push_text(error.kind().as_str(), &mut text);
            text.push_str(r#","message":"#);
            push_text(error.message(), &mut text);
            text.push('}');
        }
        text.push_str(r#","status":"#);
        push_text(status(output).as_str(), &mut text);
        text.push('}');
        let text = CanonicalJson::written(text);
        let hash = text.hash();
        Ok((Self { text, hash }, is_normal))
    }

    /// Returns about as many bytes as the normal form of an output takes: those of the texts, of what stands around
    /// them, and what few texts need more for escapes.
    pub(crate) fn room(output: &ToolOutput) -> usize {
        let parts: usize = output.content().iter().map(room).sum();
        parts + 96
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

/// Returns about as many bytes as a part takes.
fn room(part: &Content) -> usize {
    let text = match part {
        Content::Text { text, .. } => text.len(),
        Content::Json { json, .. } => json.as_str().len(),
        Content::Image(image) => image.data.len(),
        Content::Audio(audio) => audio.data.len(),
        _ => 0,
    };
    text + 32
}

/// Writes a part, members in their order. Returns true if the part is in its normal form.
fn write_part(part: &mut Content, out: &mut String) -> Result<bool, NotCanonical> {
    match part {
        Content::Text { text, .. } => {
            out.push_str(r#"{"text":"#);
            push_text(text, out);
            out.push_str(r#","type":"text"}"#);
        }
        Content::Json { json, .. } => {
            let length = out.len();
            out.push_str(r#"{"json":"#);
            let begin = out.len();
            if push_canonical(json.as_str(), out).is_err() {
                out.truncate(length);
                out.push_str(r#"{"text":"#);
                push_text(json.as_str(), out);
                out.push_str(r#","type":"json"}"#);
                return Ok(false);
            }
            // Most tools write their output without spaces, and in the order of names.
            if out[begin..] != *json.as_str() {
                *json = JsonText::from_text(&out[begin..]).map_err(NotCanonical::new)?;
            }
            out.push_str(r#","type":"json"}"#);
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Outputs, and the text that journals have of each.
    fn outputs() -> Vec<(ToolOutput, &'static str)> {
        let link =
            json!({"type": "resource_link", "uri": "file:///a", "name": "a", "media_type": "x/y"});
        let failed = ToolError::failed("no \"a\"").with_code("none");
        let untidy = JsonText::from_text(r#"{"b": 1.0, "a": [ ]}"#).unwrap();
        let twice = JsonText::from_text(r#"{"a": 1, "a": 2}"#).unwrap();
        vec![
            (
                ToolOutput::text("é\n").with(Content::from(untidy)),
                r#"{"content":[{"text":"é\n","type":"text"},{"json":{"a":[],"b":1},"type":"json"}],"status":"success"}"#,
            ),
            (
                ToolOutput::from(Content::image([0_u8, 1, 255], "image/png"))
                    .with(Content::resource_link("file:///b", "b"))
                    .with(serde_json::from_value(link).unwrap()),
                r#"{"content":[{"data":"AAH/","media_type":"image/png","type":"image"},{"name":"b","type":"resource_link","uri":"file:///b"},{"media_type":"x/y","name":"a","type":"resource_link","uri":"file:///a"}],"status":"success"}"#,
            ),
            (
                ToolOutput::from(failed),
                r#"{"content":[{"text":"no \"a\"","type":"text"}],"error":{"code":"none","kind":"failed","message":"no \"a\""},"status":"error"}"#,
            ),
            (
                ToolOutput::pending("soon"),
                r#"{"content":[{"text":"soon","type":"text"}],"status":"pending"}"#,
            ),
            (
                ToolOutput::from(Content::from(twice)),
                r#"{"content":[{"text":"{\"a\": 1, \"a\": 2}","type":"json"}],"status":"success"}"#,
            ),
            (ToolOutput::empty(), r#"{"content":[],"status":"success"}"#),
        ]
    }

    #[test]
    fn the_text_of_each_kind_of_output_stays_as_it_is_and_leads_back() {
        for (mut output, text) in outputs() {
            let (normal, is_normal) = NormalOutput::of(&mut output).unwrap();
            assert_eq!(normal.text.as_str(), text);
            assert_eq!(normal.hash, ContentHash::of(text));
            assert_eq!(is_normal, !text.contains("1, "), "{text}");
            let error = output.as_error().cloned();
            let read = NormalOutput::read(&normal.text, error).unwrap();
            assert_eq!(read, output, "{text}");
        }
    }
}
