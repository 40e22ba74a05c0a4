//! The parts of what a tool gives back.

use std::borrow::Cow;

use base64::Engine as _;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::finite::{Unwritable, written};

/// A part of a tool's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Plain text.
    #[non_exhaustive]
    Text {
        /// The text.
        text: String,
    },
    /// Structured data.
    #[non_exhaustive]
    Json {
        /// The data, kept as the text it was written as.
        json: JsonText,
    },
    /// An image.
    Image(Box<Image>),
    /// A sound.
    Audio(Box<Audio>),
    /// A pointer to something that the host or the model can fetch.
    ResourceLink(Box<ResourceLink>),
    /// A resource with its content, such as a file.
    Embedded(Box<EmbeddedResource>),
}

/// An image in a tool's output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Image {
    /// The image file's bytes in base64 (RFC 4648 §4, with padding).
    pub data: String,
    /// Its media type, such as `image/png`.
    pub media_type: String,
}

/// A sound in a tool's output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Audio {
    /// The audio file's bytes in base64 (RFC 4648 §4, with padding).
    pub data: String,
    /// Its media type, such as `audio/wav`.
    pub media_type: String,
}

/// A resource in a tool's output, with its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// The address of the resource.
    pub uri: String,
    /// Its media type, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Its content: a member `text` or `data`.
    #[serde(flatten)]
    pub body: EmbeddedBody,
}

/// The content of an [`EmbeddedResource`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EmbeddedBody {
    /// Text.
    Text(String),
    /// Bytes in base64 (RFC 4648 §4, with padding).
    Data(String),
}

/// A pointer to something that can be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResourceLink {
    /// The address of the resource.
    pub uri: String,
    /// The name to show.
    pub name: String,
    /// Its media type, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
}

impl Content {
    /// The bytes of all that the model may see of a part.
    pub(crate) fn size(&self) -> u64 {
        let length = |text: &str| u64::try_from(text.len()).unwrap_or(u64::MAX);
        match self {
            Self::Text { text } => length(text),
            Self::Json { json } => length(json.as_str()),
            Self::Image(image) => length(&image.data) + length(&image.media_type),
            Self::Audio(audio) => length(&audio.data) + length(&audio.media_type),
            Self::ResourceLink(link) => {
                let media_type = link.media_type.as_deref().unwrap_or_default();
                length(&link.uri) + length(&link.name) + length(media_type)
            }
            Self::Embedded(resource) => {
                let media_type = resource.media_type.as_deref().unwrap_or_default();
                let (EmbeddedBody::Text(body) | EmbeddedBody::Data(body)) = &resource.body;
                length(&resource.uri) + length(media_type) + length(body)
            }
        }
    }

    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// Structured data.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be written as JSON, for instance a map whose keys are no text.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        JsonText::of(value).map(|json| Self::Json { json })
    }

    /// An image, from the bytes of its file.
    pub fn image(bytes: impl AsRef<[u8]>, media_type: impl Into<String>) -> Self {
        Self::Image(Box::new(Image {
            data: base64_of(bytes),
            media_type: media_type.into(),
        }))
    }

    /// A sound, from the bytes of its file.
    pub fn audio(bytes: impl AsRef<[u8]>, media_type: impl Into<String>) -> Self {
        Self::Audio(Box::new(Audio {
            data: base64_of(bytes),
            media_type: media_type.into(),
        }))
    }

    /// A resource that is text, with its content and its media type, such as `text/plain`.
    pub fn embedded_text(
        uri: impl Into<String>,
        media_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self::embedded(uri, media_type, EmbeddedBody::Text(text.into()))
    }

    /// A resource with its bytes and its media type, such as `application/pdf`.
    pub fn embedded_data(
        uri: impl Into<String>,
        media_type: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Self {
        Self::embedded(uri, media_type, EmbeddedBody::Data(base64_of(bytes)))
    }

    fn embedded(uri: impl Into<String>, media_type: impl Into<String>, body: EmbeddedBody) -> Self {
        Self::Embedded(Box::new(EmbeddedResource {
            uri: uri.into(),
            media_type: Some(media_type.into()),
            body,
        }))
    }

    /// A pointer to something that can be fetched.
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::ResourceLink(Box::new(ResourceLink {
            uri: uri.into(),
            name: name.into(),
            media_type: None,
        }))
    }

    /// The text of a text or JSON part, or of an embedded resource that is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            Self::Json { json } => Some(json.as_str()),
            Self::Embedded(resource) => match &resource.body {
                EmbeddedBody::Text(text) => Some(text),
                EmbeddedBody::Data(_) => None,
            },
            Self::Image(_) | Self::Audio(_) | Self::ResourceLink(_) => None,
        }
    }
}

fn base64_of(bytes: impl AsRef<[u8]>) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Structured data.
impl From<JsonText> for Content {
    fn from(json: JsonText) -> Self {
        Self::Json { json }
    }
}

/// Data kept as the JSON text that it was written as, so that it is written once.
///
/// Two are equal when their data is, whatever the order of keys and the white space.
#[derive(Debug, Clone)]
pub struct JsonText(String);

impl JsonText {
    /// Writes a value.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be written as JSON, also because of a number that is not finite, which the error
    /// names with its place.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        match written(value, 128) {
            Ok(text) => Ok(Self(text)),
            Err(Unwritable::Json(error)) => Err(error),
            Err(Unwritable::NotFinite(found)) => Err(serde::ser::Error::custom(found)),
        }
    }

    /// Takes JSON text as it stands.
    ///
    /// # Errors
    ///
    /// Fails if it is not JSON.
    pub fn from_text(text: impl Into<String>) -> Result<Self, serde_json::Error> {
        let text = text.into();
        serde_json::from_str::<&RawValue>(&text)?;
        Ok(Self(text))
    }

    /// Takes text that is known to be JSON.
    pub(crate) fn written(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The data as a tree.
    ///
    /// # Errors
    ///
    /// Fails if the text nests deeper than 128 levels, which a reader of JSON refuses.
    pub fn to_value(&self) -> Result<Value, serde_json::Error> {
        serde_json::from_str(&self.0)
    }
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || matches!((self.to_value(), other.to_value()), (Ok(a), Ok(b)) if a == b)
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A line break would end the message where there is one message a line. In JSON it is
        // always white space: within a text it is written as an escape.
        let text = if self.0.contains(['\n', '\r']) {
            Cow::Owned(self.0.replace(['\n', '\r'], " "))
        } else {
            Cow::Borrowed(&*self.0)
        };
        serde_json::from_str::<&RawValue>(&text)
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::of(&value).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_round_trip() {
        for part in [
            Content::text("hello"),
            Content::json(&json!({"b": [1, 2.5], "a": null})).unwrap(),
            Content::image([0u8, 1, 255], "image/png"),
            Content::resource_link("file:///a.txt", "a"),
        ] {
            let text = serde_json::to_string(&part).unwrap();
            assert_eq!(
                serde_json::from_str::<Content>(&text).unwrap(),
                part,
                "{text}"
            );
        }
        assert_eq!(
            serde_json::to_string(&Content::json(&[1]).unwrap()).unwrap(),
            r#"{"type":"json","json":[1]}"#
        );
        assert_eq!(
            serde_json::to_string(&Content::image([0u8, 1, 255], "image/png")).unwrap(),
            r#"{"type":"image","data":"AAH/","media_type":"image/png"}"#
        );
    }

    #[test]
    fn data_of_many_lines_is_written_in_one() {
        let json = JsonText::written("{\r\n  \"a\": \"x\\ny\"\n}".to_owned());
        let line = serde_json::to_string(&json).unwrap();
        assert_eq!(line, r#"{    "a": "x\ny" }"#);
        assert_eq!(serde_json::from_str::<JsonText>(&line).unwrap(), json);
    }
}
