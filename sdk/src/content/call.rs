//! The calls that a model makes.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::arguments::Arguments;
use crate::id::CallId;

/// A model's call of a tool: a name, arguments, and the model's own id for it.
///
/// Name and arguments may be borrowed from the message that carried them.
///
/// ```
/// use toolwright::ToolCall;
///
/// let call = ToolCall::new("fs.read", r#"{"path":"README.md"}"#).with_id("call-1");
/// assert_eq!(call.name(), "fs.read");
/// ```
#[derive(Debug, Clone)]
pub struct ToolCall<'a> {
    id: Option<CallId>,
    name: Cow<'a, str>,
    arguments: Arguments<'a>,
    metadata: Option<Arc<Map<String, Value>>>,
    by_host: bool,
}

impl<'a> ToolCall<'a> {
    /// A call without an id. The name may be a canonical name, an alias or a wire name.
    pub fn new(name: impl Into<Cow<'a, str>>, arguments: impl Into<Arguments<'a>>) -> Self {
        Self {
            id: None,
            name: name.into(),
            arguments: arguments.into(),
            metadata: None,
            by_host: false,
        }
    }

    /// Sets the model's id of the call, which the result echoes. Default: none.
    pub fn with_id(mut self, id: impl Into<CallId>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the host's metadata of the call, for the tool, checkers and hooks; the model does not see it. Default: none.
    pub fn with_metadata(mut self, metadata: Map<String, Value>) -> Self {
        self.metadata = Some(Arc::new(metadata));
        self
    }

    /// Says that the app makes the call, not a model: it may then be of a tool that is
    /// [for the app alone](crate::ToolRegistry::with_unadvertised). It is judged like any. Default: a model makes it.
    pub fn by_host(mut self) -> Self {
        self.by_host = true;
        self
    }

    /// Returns true if the app makes the call, not a model.
    pub fn is_by_host(&self) -> bool {
        self.by_host
    }

    /// The model's id of the call.
    pub fn id(&self) -> Option<&CallId> {
        self.id.as_ref()
    }

    /// The name as the model wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Leaves a call without a name.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new("", Arguments::empty()))
    }

    pub(crate) fn take_arguments(&mut self) -> Arguments<'a> {
        std::mem::take(&mut self.arguments)
    }

    /// The arguments as the model sent them.
    pub fn arguments(&self) -> &Arguments<'a> {
        &self.arguments
    }

    /// The metadata that the host gave to the call.
    pub fn metadata(&self) -> Option<&Arc<Map<String, Value>>> {
        self.metadata.as_ref()
    }

    /// The same call, borrowing nothing.
    pub fn into_owned(self) -> ToolCall<'static> {
        ToolCall {
            id: self.id,
            name: Cow::Owned(self.name.into_owned()),
            arguments: self.arguments.into_owned(),
            metadata: self.metadata,
            by_host: self.by_host,
        }
    }
}
