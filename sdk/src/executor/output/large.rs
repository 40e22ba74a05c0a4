//! Large outputs: the model sees their beginning, and the rest is kept, so that it can be read on.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use crate::content::{Content, ToolOutput};
use crate::context::SessionScope;
use crate::event::EventKind;
use crate::executor::output::limit::{Cut, limited};
use crate::id::{InvocationId, SessionId};
use crate::registry::{ToolRegistry, ToolSnapshot};
use crate::results::{GuardedResults, NAME, ReadResult, ResultStore};
use crate::tool::Tool;
use crate::util::future::BoxFuture;
use crate::util::store_error::StoreError;

/// The most bytes of a result that the model sees at once, unless the host or the tool says otherwise.
pub(crate) const DEFAULT_LIMIT: u64 = 64 << 10;

crate::util::documented::documented_default!(
    "large results",
    if LargeOutputs::default().store.is_none() {
        "not kept"
    } else {
        "kept"
    }
);

/// The handling of large results.
#[derive(Clone)]
pub(crate) struct LargeOutputs {
    /// In bytes.
    pub(crate) limit: u64,
    pub(crate) store: Option<Arc<dyn ResultStore>>,
    /// The tool that reads on, made when the executor is built.
    reader: Option<Arc<dyn Tool>>,
}

impl Default for LargeOutputs {
    fn default() -> Self {
        Self {
            limit: DEFAULT_LIMIT,
            store: None,
            reader: None,
        }
    }
}

impl LargeOutputs {
    /// With the tool that reads on, if anything is kept.
    pub(crate) fn with_reader(mut self, store_timeout: Option<Duration>) -> Self {
        let guarded =
            |store| Arc::new(GuardedResults::new(store, store_timeout)) as Arc<dyn ResultStore>;
        self.store = self.store.map(guarded);
        let store = self.store.clone();
        self.reader =
            store.map(|store| Arc::new(ReadResult::new(store, self.limit)) as Arc<dyn Tool>);
        self
    }

    /// Adds the tool that reads on, unless it is there from before a change of the tools.
    pub(crate) fn register(&self, registry: &mut ToolRegistry) {
        let Some(reader) = &self.reader else {
            return;
        };
        let there = registry.get(NAME);
        if !there.is_some_and(|there| Arc::ptr_eq(there, reader)) {
            registry.add_own(Arc::clone(reader));
        }
    }

    /// Lets go of what is kept of a session.
    pub(crate) async fn end_session(&self, session: &SessionId) -> Option<StoreError> {
        match &self.store {
            Some(store) => store.end_session(session).await.err(),
            None => None,
        }
    }

    /// Cuts an output that is larger than its limit. The tool has a number unless the call was of none.
    #[cold]
    #[inline(never)]
    pub(crate) fn cut<'a>(
        &'a self,
        (tools, number): (&'a ToolSnapshot, Option<usize>),
        (session, call): (&'a SessionScope, InvocationId),
        output: ToolOutput,
        limit: u64,
    ) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move {
            let reader = tools.find(NAME).map(|(number, _)| number);
            // Output of the reading tool is not stored again: the model can read on from the stored result.
            let keeps = reader.is_some() && reader != number;
            let kept = match &self.store {
                Some(store) if keeps => match text(&output) {
                    Some(text) => match store.put(&session.id, call, &text).await {
                        Ok(()) => true,
                        Err(error) => {
                            not_kept(session, call, &error);
                            false
                        }
                    },
                    None => false,
                },
                _ => false,
            };
            let cut = match (kept, keeps) {
                (true, _) => Cut::Kept(call),
                (false, true) => Cut::NotKept,
                (false, false) => Cut::ForGood,
            };
            limited(output, limit, cut)
        })
    }
}

/// The model reads that there is no more; the host, why.
#[cold]
fn not_kept(session: &SessionScope, call: InvocationId, error: &StoreError) {
    session.events.emit(Some(&session.id), None, || {
        let mut message = format!("what was cut of the result of call {call} is not kept: {error}");
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        EventKind::Diagnostic {
            code: "result_not_kept".to_owned(),
            message,
        }
    });
}

/// All that is text in an output, as [`ToolResult::text`](crate::ToolResult::text) shows it.
fn text(output: &ToolOutput) -> Option<String> {
    let parts: Vec<&str> = output
        .content()
        .iter()
        .filter_map(Content::as_text)
        .collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}
