//! The normal form of an output: what is hashed, recorded and compared.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::canonical::write_text;
use super::{CanonicalJson, NotCanonical};
use crate::hash::ContentHash;
use crate::message::{Content, Image, JsonText, ResourceLink, ToolError, ToolOutput, ToolStatus};

/// An output in its normal form: canonical JSON of its status, its parts and the kind, code and message
/// of its error. Metadata, commands and times are no part of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NormalOutput {
    pub(crate) text: CanonicalJson,
    pub(crate) hash: ContentHash,
}

impl NormalOutput {
    /// Brings an output into its normal form: its JSON becomes canonical. A part that has no canonical
    /// form, because a name is there twice or it nests too deep, stays as it is, and the output is told
    /// not to be normal.
    pub(crate) fn of(output: &mut ToolOutput) -> Result<Self, NotCanonical> {
        let mut is_normal = true;
        let mut text = String::from(r#"{"content":["#);
        for (number, part) in output.parts.as_mut_slice().iter_mut().enumerate() {
            if number > 0 {
                text.push(',');
            }
            is_normal &= write_part(part, &mut text)?;
        }
        text.push(']');
        if let Some(error) = &output.error {
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
        output.aside.get_or_insert_default().response = Some((hash, is_normal));
        Ok(Self { text, hash })
    }

    /// The output that a normal form is of. What the error has besides is given.
    pub(crate) fn read(
        text: &CanonicalJson,
        error: Option<ToolError>,
    ) -> Result<ToolOutput, serde_json::Error> {
        let read: Document<'_> = serde_json::from_str(text.as_str())?;
        let parts = read.content.into_iter().map(Content::try_from);
        let mut output = parts.collect::<Result<ToolOutput, _>>()?;
        output.error = error;
        if read.status == ToolStatus::Pending {
            output.aside.get_or_insert_default().is_pending = true;
        }
        Ok(output)
    }
}

/// How a call ends that gives an output.
pub(crate) fn status(output: &ToolOutput) -> ToolStatus {
    match output {
        output if output.is_error() => ToolStatus::Error,
        output if output.is_pending() => ToolStatus::Pending,
        _ => ToolStatus::Success,
    }
}

/// Members in their order. Tells whether the part is in its normal form.
fn write_part(part: &mut Content, out: &mut String) -> Result<bool, NotCanonical> {
    match part {
        Content::Text { text } => {
            out.push_str(r#"{"text":"#);
            write_text(text, out)?;
            out.push_str(r#","type":"text"}"#);
        }
        Content::Json { json } => {
            let Ok(canonical) = CanonicalJson::from_text(json.as_str()) else {
                out.push_str(r#"{"text":"#);
                write_text(json.as_str(), out)?;
                out.push_str(r#","type":"json"}"#);
                return Ok(false);
            };
            out.push_str(r#"{"json":"#);
            out.push_str(canonical.as_str());
            out.push_str(r#","type":"json"}"#);
            *json = JsonText::written(canonical.as_str().to_owned());
        }
        Content::Image(image) => {
            out.push_str(r#"{"data":"#);
            write_text(&image.data, out)?;
            out.push_str(r#","media_type":"#);
            write_text(&image.media_type, out)?;
            out.push_str(r#","type":"image"}"#);
        }
        Content::ResourceLink(link) => {
            out.push('{');
            if let Some(media_type) = &link.media_type {
                out.push_str(r#""media_type":"#);
                write_text(media_type, out)?;
                out.push(',');
            }
            out.push_str(r#""name":"#);
            write_text(&link.name, out)?;
            out.push_str(r#","type":"resource_link","uri":"#);
            write_text(&link.uri, out)?;
            out.push('}');
        }
    }
    Ok(true)
}

#[derive(Deserialize)]
struct Document<'t> {
    #[serde(borrow)]
    content: Vec<Part<'t>>,
    status: ToolStatus,
}

/// A part with the members of any kind: a tagged form would not keep JSON as it stands.
#[derive(Deserialize)]
struct Part<'t> {
    r#type: String,
    text: Option<String>,
    #[serde(borrow)]
    json: Option<&'t RawValue>,
    data: Option<String>,
    media_type: Option<String>,
    name: Option<String>,
    uri: Option<String>,
}

impl TryFrom<Part<'_>> for Content {
    type Error = serde_json::Error;

    fn try_from(part: Part<'_>) -> Result<Self, Self::Error> {
        let missing = || serde::de::Error::custom("a part of the output lacks something");
        Ok(match part.r#type.as_str() {
            "text" => Self::text(part.text.ok_or_else(missing)?),
            "json" => {
                let raw = part.json.map(|json| json.get().to_owned());
                let json = JsonText::written(raw.or(part.text).ok_or_else(missing)?);
                Self::Json { json }
            }
            "image" => Self::Image(Box::new(Image {
                data: part.data.ok_or_else(missing)?,
                media_type: part.media_type.ok_or_else(missing)?,
            })),
            "resource_link" => Self::ResourceLink(Box::new(ResourceLink {
                uri: part.uri.ok_or_else(missing)?,
                name: part.name.ok_or_else(missing)?,
                media_type: part.media_type,
            })),
            _ => return Err(missing()),
        })
    }
}
