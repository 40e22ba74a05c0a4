//! The list of tools: its pages, and word of its changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rmcp::ErrorData;
use rmcp::model::{Icon, JsonObject, ListToolsResult, MetaObject, Tool, ToolAnnotations};
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use serde::Deserialize as _;
use serde_json::Value;
use toolwright::ToolSpec;
use toolwright::registry::ToolSnapshot;
use toolwright::spec::Effect;

use super::session::OpenSession;

/// The key of the list among what is derived of a snapshot.
#[derive(PartialEq, Eq)]
struct Listing;

/// The tools of a snapshot by their names, which is their order too.
type Tools = BTreeMap<String, Tool>;

/// The tools of a snapshot. Made once for each, unless a description is worked out anew each time.
fn tools(snapshot: &ToolSnapshot) -> Arc<Tools> {
    let list = |snapshot: &ToolSnapshot| -> Tools {
        let specs = snapshot.specs();
        specs
            .map(|spec| (spec.name().to_string(), tool(spec)))
            .collect()
    };
    if snapshot.specs().any(ToolSpec::has_computed_description) {
        return Arc::new(list(snapshot));
    }
    snapshot.derived(Listing, list)
}

/// The tool of a name: its input schema alone, by which a transport compares headers with arguments, so that a call copies no more.
pub(super) fn get(snapshot: &ToolSnapshot, name: &str) -> Option<Tool> {
    let tools = tools(snapshot);
    let schema = &tools.get(name)?.input_schema;
    Some(Tool::new_with_raw(
        name.to_owned(),
        None,
        Arc::clone(schema),
    ))
}

/// The page after a cursor.
pub(super) fn page(
    snapshot: &ToolSnapshot,
    cursor: Option<&str>,
    size: usize,
) -> Result<ListToolsResult, ErrorData> {
    use std::ops::Bound::{Excluded, Unbounded};

    let tools = tools(snapshot);
    let after = cursor.map(name_of).transpose()?;
    let start = after.as_deref().map_or(Unbounded, Excluded);
    let mut rest = tools.range::<str, _>((start, Unbounded));
    let page: Vec<Tool> = rest
        .by_ref()
        .take(size)
        .map(|(_, tool)| tool.clone())
        .collect();
    let last = page
        .last()
        .map(|tool| URL_SAFE_NO_PAD.encode(tool.name.as_bytes()));
    let mut result = ListToolsResult::with_all_items(page);
    if rest.next().is_some() {
        result.next_cursor = last;
    }
    Ok(result)
}

/// The name that a cursor stands after. A name and no number, so that the next page is right when tools have come or
/// gone meanwhile.
fn name_of(cursor: &str) -> Result<String, ErrorData> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .filter(|name| !name.is_empty())
        .ok_or_else(|| {
            ErrorData::invalid_params(
                "the cursor is none that this server gave: begin without one",
                None,
            )
        })
}

/// A spec as MCP writes it.
fn tool(spec: &ToolSpec) -> Tool {
    let description = spec.description().into_owned();
    let mut tool = Tool::new(
        spec.name().to_string(),
        description,
        Arc::new(object(spec.input_schema())),
    );
    tool.title = spec.title().map(str::to_owned);
    tool.output_schema = spec.output_schema().map(|schema| Arc::new(object(schema)));
    tool.annotations = Some(annotations(spec));
    let metadata = spec.metadata();
    tool.icons = metadata
        .get("icons")
        .and_then(|icons| Vec::<Icon>::deserialize(icons).ok());
    tool.meta = metadata
        .get("_meta")
        .and_then(Value::as_object)
        .map(|meta| MetaObject(meta.clone()));
    tool
}

/// A schema as an object. `true`, which fits everything, is the empty one.
fn object(schema: &Value) -> JsonObject {
    match schema {
        Value::Object(members) => members.clone(),
        Value::Bool(false) => {
            JsonObject::from_iter([("not".to_owned(), Value::Object(JsonObject::new()))])
        }
        _ => JsonObject::new(),
    }
}

/// The hints. A promise of the effect goes before a hint of its own.
fn annotations(spec: &ToolSpec) -> ToolAnnotations {
    let own = spec.annotations();
    let effect = spec.effect();
    ToolAnnotations::from_raw(
        spec.title().map(str::to_owned),
        Some(effect.is_read_only() || own.is_read_only()),
        own.destructive().or(effect.is_read_only().then_some(false)),
        Some(effect.is_repeatable() || own.is_idempotent()),
        own.open_world()
            .or((effect == Effect::Pure).then_some(false)),
    )
}

/// Tells a client of the stateful era of each change, for as long as its session is there.
pub(super) fn tell_of_changes(session: &OpenSession, peer: Peer<RoleServer>) {
    let mut watch = session.session().watch_tools();
    let task = tokio::spawn(async move {
        loop {
            watch.changed().await;
            if peer.notify_tool_list_changed().await.is_err() {
                return;
            }
        }
    });
    session.watched_by(task.abort_handle());
}

/// Tells a client of the stateless era of each change, for as long as it listens.
pub(super) async fn listen(session: &OpenSession, context: &SubscriptionContext) {
    if context.accepted().tools_list_changed != Some(true) {
        return context.cancelled().await;
    }
    let mut watch = session.session().watch_tools();
    loop {
        tokio::select! {
            () = context.cancelled() => return,
            _ = watch.changed() => {
                if context.sink().notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        }
    }
}
