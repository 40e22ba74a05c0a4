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
    name: Cow<'a, str>,
    arguments: Arguments<'a>,
    details: Details,
}

/// The rest of a call. Most calls have an id at most, and each future of a call has room for this: it takes two words.
#[derive(Debug, Clone)]
enum Details {
    /// The id alone.
    Id(CallId),
    /// Nothing, or all that a call may have.
    Boxed(Option<Box<BoxedDetails>>),
}

#[derive(Debug, Clone, Default)]
struct BoxedDetails {
    id: Option<CallId>,
    metadata: Option<Arc<Map<String, Value>>>,
    is_by_host: bool,
}

impl Details {
    const NONE: Self = Self::Boxed(None);

    fn boxed(&self) -> Option<&BoxedDetails> {
        match self {
            Self::Id(_) => None,
            Self::Boxed(boxed) => boxed.as_deref(),
        }
    }

    fn into_boxed(self) -> Box<BoxedDetails> {
        match self {
            Self::Id(id) => Box::new(BoxedDetails {
                id: Some(id),
                ..BoxedDetails::default()
            }),
            Self::Boxed(boxed) => boxed.unwrap_or_default(),
        }
    }
}

impl<'a> ToolCall<'a> {
    /// A call without an id. The name may be a canonical name, an alias or a wire name.
    pub fn new(name: impl Into<Cow<'a, str>>, arguments: impl Into<Arguments<'a>>) -> Self {
        Self {
            name: name.into(),
            arguments: arguments.into(),
            details: Details::NONE,
        }
    }

    /// Sets the model's id of the call, which the result echoes. Default: none.
    pub fn with_id(mut self, id: impl Into<CallId>) -> Self {
        let id = id.into();
        self.details = match self.details {
            Details::Boxed(Some(mut boxed)) => {
                boxed.id = Some(id);
                Details::Boxed(Some(boxed))
            }
            Details::Id(_) | Details::Boxed(None) => Details::Id(id),
        };
        self
    }

    /// Sets the host's metadata of the call, for the tool, checkers and hooks; the model does not see it. Default: none.
    pub fn with_metadata(mut self, metadata: Map<String, Value>) -> Self {
        let mut boxed = self.details.into_boxed();
        boxed.metadata = Some(Arc::new(metadata));
        self.details = Details::Boxed(Some(boxed));
        self
    }

    /// Says that the app makes the call, not a model: it may then be of a tool that is
    /// [for the app alone](crate::ToolRegistry::with_unadvertised). It is judged like any. Default: a model makes it.
    pub fn by_host(mut self) -> Self {
        let mut boxed = self.details.into_boxed();
        boxed.is_by_host = true;
        self.details = Details::Boxed(Some(boxed));
        self
    }

    /// Returns true if the app makes the call, not a model.
    pub fn is_by_host(&self) -> bool {
        self.details.boxed().is_some_and(|boxed| boxed.is_by_host)
    }

    /// The model's id of the call.
    pub fn id(&self) -> Option<&CallId> {
        match &self.details {
            Details::Id(id) => Some(id),
            Details::Boxed(boxed) => boxed.as_ref()?.id.as_ref(),
        }
    }

    /// The name as the model wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Leaves a call without a name.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new("", Arguments::empty()))
    }

    /// The same call, without a name.
    pub(crate) fn without_name(self) -> Self {
        Self {
            name: Cow::Borrowed(""),
            ..self
        }
    }

    /// The same call, with other arguments.
    #[inline]
    pub(crate) fn with_arguments(self, arguments: impl Into<Arguments<'a>>) -> Self {
        Self {
            arguments: arguments.into(),
            ..self
        }
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
        self.details.boxed()?.metadata.as_ref()
    }

    /// The same call, borrowing nothing.
    pub fn into_owned(self) -> ToolCall<'static> {
        ToolCall {
            name: Cow::Owned(self.name.into_owned()),
            arguments: self.arguments.into_owned(),
            details: self.details,
        }
    }
}
