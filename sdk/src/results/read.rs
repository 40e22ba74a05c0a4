//! The tool by which a model reads on in a result that was cut.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::ResultStore;
use crate::arguments::{Arguments, InvalidArguments};
use crate::content::{ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::id::{InvocationId, ToolName};
use crate::spec::{Effect, ToolSpec};
use crate::tool::{Invocation, Started, Tool};

/// The tool's name.
pub(crate) const NAME: &str = "result.read";

/// The most bytes of a character.
const CHARACTER: u64 = 4;
/// The most bytes of the last line of an answer.
const LAST_LINE: u64 = 128;

/// Reads what was kept.
pub(crate) struct ReadResult {
    spec: ToolSpec,
    store: Arc<dyn ResultStore>,
    /// The most bytes of one answer.
    most: u64,
}

impl ReadResult {
    /// A tool whose answers fit a limit in bytes.
    pub(crate) fn new(store: Arc<dyn ResultStore>, limit: u64) -> Self {
        let most = limit.saturating_sub(LAST_LINE).max(CHARACTER);
        let description = "Read on in the result of an earlier call that was cut: its last line \
                           has the id and the offset to read on from.";
        let schema = json!({
            "type": "object",
            "properties": {
                "id": {
                    "type": "string",
                    "description": "The id that stands at the end of the cut result.",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "default": 0,
                    "description": "Where to begin, in bytes from the start of the result.",
                },
                "length": {
                    "type": "integer",
                    "minimum": 1,
                    "default": most,
                    "description": format!(
                        "How many bytes to read: at most {most}, which is the default."
                    ),
                },
            },
            "required": ["id"],
            "additionalProperties": false,
        });
        let spec = ToolSpec::new(ToolName::of_ours(NAME), description)
            .with_title("Read on")
            .with_input_schema(schema)
            .with_effect(Effect::ReadOnly);
        Self { spec, store, most }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadResultArguments {
    id: String,
    #[serde(default)]
    offset: u64,
    length: Option<u64>,
}

struct ReadResultCall {
    wanted: ReadResultArguments,
    store: Arc<dyn ResultStore>,
    most: u64,
}

impl Tool for ReadResult {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        Ok(Box::new(ReadResultCall {
            wanted: arguments.parse()?,
            store: Arc::clone(&self.store),
            most: self.most,
        }))
    }
}

impl Invocation for ReadResultCall {
    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        Started::pending(self.read(ctx))
    }
}

impl ReadResultCall {
    async fn read(self: Box<Self>, ctx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let ReadResultArguments { id, offset, length } = &self.wanted;
        let Ok(call) = id.parse::<InvocationId>() else {
            return Err(not_kept(id));
        };
        let offset = *offset;
        let length = length.unwrap_or(self.most).clamp(CHARACTER, self.most);
        // Enough around it to tell where characters begin and end.
        let from = offset.saturating_sub(CHARACTER - 1);
        let read = self
            .store
            .read(
                ctx.session_id(),
                call,
                from,
                offset - from + length + CHARACTER,
            )
            .await
            .map_err(|error| {
                ToolError::unavailable("what was kept of the result cannot be read now")
                    .with_code("results_unavailable")
                    .with_source(error)
            })?;
        let Some(part) = read else {
            return Err(not_kept(id));
        };
        if offset >= part.total && part.total > 0 {
            let total = part.total;
            return Err(ToolError::failed(format!(
                "the result has {total} bytes, so that nothing begins at offset {offset}"
            ))
            .with_code("offset_beyond_end"));
        }
        Ok(ToolOutput::text(shown(
            &part.bytes,
            from,
            offset,
            length,
            part.total,
        )))
    }
}

fn not_kept(id: &str) -> ToolError {
    let id: String = id.chars().take(64).collect();
    ToolError::not_found(format!(
        "no result of the id `{id}` is kept in this session: it is the id in the last line of a cut \
         result, and results are let go of when there are newer ones; make the call again if you need it"
    ))
    .with_code("result_not_kept")
}

/// The characters that begin in a part of a text, and the place where it goes on; `bytes` begin at `from`.
fn shown(bytes: &[u8], from: u64, offset: u64, length: u64, total: u64) -> String {
    let is_start = |at: &usize| bytes.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let place = |of: u64| usize::try_from(of - from).map_or(bytes.len(), |of| of.min(bytes.len()));
    // An offset in the middle of a character is one of that character.
    let start = (0..=place(offset)).rev().find(is_start).unwrap_or_default();
    let end = place(offset.saturating_add(length));
    let end = (start..=end).rev().find(is_start).unwrap_or(start);
    let text = String::from_utf8_lossy(&bytes[start..end]);
    let at = |place: usize| from + u64::try_from(place).unwrap_or(u64::MAX);
    let (begin, next) = (at(start), at(end));
    if next >= total {
        format!("{text}\n[bytes {begin} to {next} of {total}: this is the end]")
    } else {
        format!("{text}\n[bytes {begin} to {next} of {total}: read on from offset {next}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four characters of one to four bytes: 10 bytes.
    const MIXED: &str = "a\u{e9}\u{20ac}\u{1f980}";

    /// As `invoke` reads it.
    fn read(offset: u64, length: u64) -> String {
        let from = offset.saturating_sub(CHARACTER - 1);
        let until = (offset + length + CHARACTER).min(10);
        let range = usize::try_from(from).unwrap()..usize::try_from(until).unwrap();
        let text = shown(&MIXED.as_bytes()[range], from, offset, length, 10);
        assert!(!text.contains('\u{fffd}'), "{offset} {length}: {text}");
        text
    }

    #[test]
    fn whatever_the_offset_and_length_characters_are_whole() {
        for offset in 0..10 {
            for length in CHARACTER..12 {
                let text = read(offset, length);
                let (kept, last) = text.rsplit_once('\n').unwrap();
                assert!(
                    !kept.is_empty() && MIXED.contains(kept),
                    "{offset} {length}: {text}"
                );
                assert!(last.starts_with("[bytes "));
            }
        }
        assert_eq!(
            read(0, 4),
            "a\u{e9}\n[bytes 0 to 3 of 10: read on from offset 3]"
        );
        assert_eq!(
            read(3, 4),
            "\u{20ac}\n[bytes 3 to 6 of 10: read on from offset 6]"
        );
        assert_eq!(
            read(8, 4),
            "\u{1f980}\n[bytes 6 to 10 of 10: this is the end]"
        );
    }

    #[test]
    fn reading_on_gives_the_whole_text_once() {
        for length in CHARACTER..12 {
            let (mut all, mut offset) = (String::new(), 0);
            while offset < 10 {
                let text = read(offset, length);
                let (kept, _) = text.rsplit_once('\n').unwrap();
                all.push_str(kept);
                offset += u64::try_from(kept.len()).unwrap();
            }
            assert_eq!(all, MIXED, "{length}");
        }
    }
}
