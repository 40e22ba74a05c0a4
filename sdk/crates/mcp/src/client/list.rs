//! The tools of a server as it lists them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::model::{
    ClientRequest, ErrorCode, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::Value;
use toolwright::text::one_line;

use super::options::ImportOptions;
use super::spec::{ImportedTool, imported};

/// The tools of a server.
#[derive(Default)]
pub(super) struct ToolList {
    /// By the server's own names.
    pub(super) tools: BTreeMap<String, Arc<ImportedTool>>,
    pub(super) skipped: Vec<SkippedTool>,
}

/// A tool of a server that is not imported.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedTool {
    /// The server's own name of the tool, in one line; its number in the list if it has none.
    pub name: String,
    /// The reason, a clause that may follow "because".
    pub reason: String,
}

/// The most characters of a name that is shown.
const SHOWN: usize = 128;

/// The most pages of a list, so that a server that always names a next page ends somewhere.
const PAGES: usize = 1_000;

/// Asks a server for all its tools.
pub(super) async fn list(
    peer: &Peer<RoleClient>,
    server: &str,
    options: &ImportOptions,
) -> Result<ToolList, ServiceError> {
    let mut all = ToolList::default();
    let mut cursor: Option<String> = None;
    let mut count = 0;
    for _ in 0..PAGES {
        let page = page(peer, cursor.clone()).await?;
        for listed in page.tools {
            count += 1;
            all.add(listed, count, server, options);
            if all.tools.len() > options.max_tools {
                break;
            }
        }
        if all.tools.len() > options.max_tools {
            let last = all
                .tools
                .pop_last()
                .map(|(name, _)| name)
                .unwrap_or_default();
            let reason = format!("the server has more than {} tools", options.max_tools);
            all.skip(&last, &reason);
            return Ok(all);
        }
        if page.next.is_none() || page.next == cursor {
            return Ok(all);
        }
        cursor = page.next;
    }
    Ok(all)
}

/// A page of a list: each tool, or the reason why it cannot be read.
struct Page {
    tools: Vec<Result<Tool, Unread>>,
    next: Option<String>,
}

struct Unread {
    name: Option<String>,
    reason: String,
}

async fn page(peer: &Peer<RoleClient>, cursor: Option<String>) -> Result<Page, ServiceError> {
    let request = ListToolsRequest {
        params: Some(PaginatedRequestParams::default().with_cursor(cursor)),
        ..ListToolsRequest::default()
    };
    match peer
        .send_request(ClientRequest::ListToolsRequest(request))
        .await
    {
        Ok(ServerResult::ListToolsResult(page)) => Ok(Page {
            tools: page.tools.into_iter().map(Ok).collect(),
            next: page.next_cursor,
        }),
        // A definition that cannot be read does not hide the others.
        Ok(ServerResult::CustomResult(page)) => {
            let tools = page.0.get("tools").and_then(Value::as_array);
            let tools = tools.ok_or(ServiceError::UnexpectedResponse)?;
            let next = page.0.get("nextCursor").and_then(Value::as_str);
            Ok(Page {
                tools: tools.iter().map(read).collect(),
                next: next.map(str::to_owned),
            })
        }
        Ok(_) => Err(ServiceError::UnexpectedResponse),
        // A server without tools need not know the method.
        Err(ServiceError::McpError(error)) if error.code == ErrorCode::METHOD_NOT_FOUND => {
            Ok(Page {
                tools: Vec::new(),
                next: None,
            })
        }
        Err(error) => Err(error),
    }
}

fn read(tool: &Value) -> Result<Tool, Unread> {
    serde_json::from_value(tool.clone()).map_err(|error| Unread {
        name: tool.get("name").and_then(Value::as_str).map(str::to_owned),
        reason: format!("its definition cannot be read: {error}"),
    })
}

impl ToolList {
    fn add(
        &mut self,
        listed: Result<Tool, Unread>,
        number: usize,
        server: &str,
        options: &ImportOptions,
    ) {
        let unnamed = || format!("tool number {number}");
        let definition = match listed {
            Ok(definition) => definition,
            Err(Unread { name, reason }) => {
                return self.skip(&name.unwrap_or_else(unnamed), &reason);
            }
        };
        let name = definition.name.clone().into_owned();
        if self.tools.contains_key(&name) {
            return self.skip(&name, "the server lists it twice");
        }
        match imported(definition, server, options) {
            Ok(tool) => {
                self.tools.insert(name, Arc::new(tool));
            }
            Err(reason) => self.skip(&name, &reason),
        }
    }

    fn skip(&mut self, name: &str, reason: &str) {
        let name = one_line(name, SHOWN);
        let reason = one_line(reason, 1_000);
        self.skipped.push(SkippedTool { name, reason });
    }
}

/// The difference between two lists, by the server's own names.
pub(super) struct ListChange {
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
    pub(super) changed: Vec<String>,
}

impl ListChange {
    pub(super) fn between(before: &ToolList, now: &ToolList) -> Self {
        let is_new = |name: &&String| !before.tools.contains_key(*name);
        let is_gone = |name: &&String| !now.tools.contains_key(*name);
        let changed = now.tools.iter().filter(|(name, tool)| {
            let earlier = before.tools.get(*name);
            earlier.is_some_and(|earlier| earlier.fingerprint != tool.fingerprint)
        });
        Self {
            added: now.tools.keys().filter(is_new).cloned().collect(),
            removed: before.tools.keys().filter(is_gone).cloned().collect(),
            changed: changed.map(|(name, _)| name.clone()).collect(),
        }
    }
}
