//! The tools of an app as one API takes them.

mod budget;
mod options;
mod report;
mod shown;

use std::fmt;
use std::sync::Arc;

use hashbrown::HashMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use toolwright::registry::ToolSnapshot;
use toolwright::{ToolCall, ToolSpec};

use crate::{Api, Fingerprints};
use budget::Choice;
pub use options::{GeminiSchema, ListOptions, Strict};
pub use report::{ListError, ListReport, NotStrict, ToolReport};
#[cfg(any(feature = "async-openai", feature = "genai", feature = "rig"))]
pub(crate) use shown::ToolDefinition;
pub(crate) use shown::{ShownForm, ShownTool};

/// The list of tools of a request: the bytes of its field `tools`, the same on every run.
///
/// A clone shares the bytes. It serialises as the array that it is, in its order.
///
/// ```
/// use toolwright::{ToolRegistry, tool};
/// use toolwright_providers::{Api, ToolList};
///
/// /// Tell the time in a city.
/// #[tool(name = "clock.now", read_only)]
/// fn now(city: String) -> String {
///     format!("noon in {city}")
/// }
///
/// let tools = ToolRegistry::new().with(Now).freeze()?;
/// let list = ToolList::new(Api::Anthropic, &tools);
/// assert_eq!(
///     list.as_str(),
///     r#"[{"name":"clock_now","description":"Tell the time in a city.","input_schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false},"strict":true}]"#,
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ToolList(Arc<Parts>);

struct Parts {
    api: Api,
    options: ListOptions,
    text: Box<RawValue>,
    tools: Vec<Arc<ShownTool>>,
    forms: Vec<ShownForm>,
    /// The numbers of the tools under the names that a call may use.
    index: HashMap<Box<str>, usize>,
    report: ListReport,
}

impl ToolList {
    /// Returns the list of a catalog by the default options, which no tool can make fail.
    ///
    /// Made once for each catalog, and then shared, unless a tool
    /// [computes its description](toolwright::ToolSpec::with_computed_description).
    pub fn new(api: Api, tools: &ToolSnapshot) -> Self {
        Self::kept(api, tools, ListOptions::new())
    }

    /// Returns the list of a catalog; see [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// Fails with [`Strict::Force`] if a tool cannot be strict. The error names each such tool, with the reason.
    pub fn with_options(
        api: Api,
        tools: &ToolSnapshot,
        options: ListOptions,
    ) -> Result<Self, ListError> {
        Self::kept(api, tools, options).forced()
    }

    fn kept(api: Api, tools: &ToolSnapshot, options: ListOptions) -> Self {
        let make = |options| {
            let shown = ShownTool::all(api, &options, tools);
            Self::assemble(api, options, shown)
        };
        if tools.specs().any(ToolSpec::has_computed_description) {
            return make(options);
        }
        let list = tools.derived((api, options.clone()), |_| make(options));
        Self::clone(&list)
    }

    /// Returns the list of those tools among these that have one of the names, canonical or as they are shown. Their
    /// text is joined from what was made for this list.
    ///
    /// A name without a tool is passed over. The limits of a request count for the selection alone: a tool that is not
    /// strict in this list because of them may be there.
    ///
    /// # Errors
    ///
    /// Fails as [`with_options`](Self::with_options) does.
    pub fn select<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<Self, ListError> {
        let numbers = names.into_iter().filter_map(|name| self.0.index.get(name));
        let mut numbers: Vec<usize> = numbers.copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let tools = numbers
            .iter()
            .filter_map(|number| self.0.tools.get(*number));
        let tools = tools.cloned().collect();
        Self::assemble(self.0.api, self.0.options.clone(), tools).forced()
    }

    fn forced(self) -> Result<Self, ListError> {
        if self.0.options.strict == Strict::Force {
            ListError::of(&self.0.report)?;
        }
        Ok(self)
    }

    fn assemble(api: Api, options: ListOptions, tools: Vec<Arc<ShownTool>>) -> Self {
        let Choice {
            tools,
            forms,
            report,
        } = budget::choose(api, tools);
        let text = shown::join(api, &options, &tools, &forms);
        let mut index = HashMap::with_capacity(tools.len() * 2);
        for (number, tool) in tools.iter().enumerate() {
            index.insert(tool.shown.as_str().into(), number);
        }
        // A name that the model was shown keeps its meaning.
        for (number, tool) in tools.iter().enumerate() {
            for other in &tool.others {
                index.entry(other.as_str().into()).or_insert(number);
            }
        }
        Self(Arc::new(Parts {
            api,
            options,
            text,
            tools,
            forms,
            index,
            report,
        }))
    }

    /// The API that takes the list.
    pub fn api(&self) -> Api {
        self.0.api
    }

    /// The bytes: a JSON array, empty if there is no tool.
    pub fn as_str(&self) -> &str {
        self.0.text.get()
    }

    /// The number of tools.
    pub fn len(&self) -> usize {
        self.0.tools.len()
    }

    /// Returns true if there is no tool.
    pub fn is_empty(&self) -> bool {
        self.0.tools.is_empty()
    }

    /// The differences between the tools and the list: lost keywords, tools that are not strict, limits that are
    /// exceeded.
    pub fn report(&self) -> &ListReport {
        &self.0.report
    }

    /// The fingerprints of the tools as this list shows them.
    pub fn fingerprints(&self) -> Fingerprints {
        let shown = self.0.tools.iter().zip(&self.0.forms);
        Fingerprints::of(shown.map(|(tool, form)| (&tool.name, tool.fragment(*form))))
    }

    /// The tools as they are shown, in the order of the list.
    #[cfg(any(feature = "async-openai", feature = "genai", feature = "rig"))]
    pub(crate) fn definitions(&self) -> impl Iterator<Item = ToolDefinition<'_>> {
        let shown = self.0.tools.iter().zip(&self.0.forms);
        shown.filter_map(|(tool, form)| tool.definition(*form))
    }

    /// Returns true if the API's server is to cache the list.
    #[cfg(feature = "genai")]
    pub(crate) fn is_cached(&self) -> bool {
        self.0.api == Api::Anthropic && self.0.options.cached
    }

    /// Returns the call of the tool that a model means, with its arguments in the tool's own form. A name that the list
    /// does not have goes on as it is.
    pub(crate) fn tool_call<'m>(&'m self, name: &'m str, arguments: &'m str) -> ToolCall<'m> {
        let Some((tool, form)) = self.find(name) else {
            return ToolCall::new(name, arguments);
        };
        let own = tool.name.as_str();
        match tool.schema(form) {
            Some(Ok(converted)) if !converted.read_back.is_empty() => {
                ToolCall::new(own, converted.read_back.apply(arguments))
            }
            _ => ToolCall::new(own, arguments),
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<(&ShownTool, ShownForm)> {
        let number = *self.0.index.get(name)?;
        Some((self.0.tools.get(number)?, *self.0.forms.get(number)?))
    }
}

impl Serialize for ToolList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.text.serialize(serializer)
    }
}

impl fmt::Debug for ToolList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.tools.iter().map(|tool| &tool.shown);
        let mut shown = f.debug_struct("ToolList");
        shown.field("api", &self.0.api);
        shown.field("tools", &names.collect::<Vec<_>>()).finish()
    }
}
