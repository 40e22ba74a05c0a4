//! A tool as one API takes it, in each of the forms that it may have there.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use toolwright::registry::ToolSnapshot;
use toolwright::{ToolName, ToolSpec};

use super::{GeminiSchema, ListOptions, Strict};
use crate::Api;
use crate::json::Json;
use crate::names::shown_names;
use crate::schema::{Converted, Dialect, Unrepresentable, convert};

/// The form in which a tool is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShownForm {
    /// The one of the API's strict mode, or the narrower one of two.
    Narrow,
    /// The tool's own schema, as far as the API takes it.
    General,
}

/// A schema in a form, or the reason why it has none.
pub(crate) type Schema = Result<Converted, Unrepresentable>;

/// A tool of a list.
pub(crate) struct ShownTool {
    pub(crate) name: ToolName,
    /// The name by which the model knows it.
    pub(crate) shown: String,
    /// The other names that a call may use.
    pub(crate) others: Vec<String>,
    api: Api,
    description: String,
    examples: Vec<Value>,
    deferred: bool,
    narrow: Option<FormOfTool>,
    general: FormOfTool,
}

/// A form of a tool; its text is made when it is first asked for.
struct FormOfTool {
    schema: Arc<LazySchema>,
    text: OnceLock<String>,
}

/// A schema in a form, made when it is first asked for: most tools are shown in one of their two forms alone.
struct LazySchema {
    source: String,
    dialect: Dialect,
    made: OnceLock<Schema>,
}

impl LazySchema {
    fn get(&self) -> &Schema {
        self.made.get_or_init(|| {
            // The text of a spec is JSON.
            let schema: Json = serde_json::from_str(&self.source).unwrap_or_default();
            convert(&schema, self.dialect)
        })
    }
}

impl FormOfTool {
    fn new(spec: &ToolSpec, dialect: Dialect) -> Self {
        let make = |text: &str| LazySchema {
            source: text.to_owned(),
            dialect,
            made: OnceLock::new(),
        };
        Self {
            schema: spec.derived_from_input_schema(dialect, make),
            text: OnceLock::new(),
        }
    }
}

impl ShownTool {
    /// The advertised tools of a catalog, sorted by name.
    pub(crate) fn all(api: Api, options: &ListOptions, tools: &ToolSnapshot) -> Vec<Arc<Self>> {
        let wire = |spec: &ToolSpec| {
            let name = spec.name().as_str();
            tools.wire_name(name).unwrap_or(name).to_owned()
        };
        let wires: Vec<String> = tools.specs().map(wire).collect();
        let wires: Vec<&str> = wires.iter().map(String::as_str).collect();
        let shown = shown_names(api, &wires);
        let specs = tools.specs().zip(wires.iter().zip(shown));
        let tool = |(spec, (wire, shown)): (&ToolSpec, (&&str, Cow<'_, str>))| {
            let mut others = vec![spec.name().to_string(), (*wire).to_owned()];
            others.extend(spec.aliases().iter().map(ToolName::to_string));
            let narrow = narrow_dialect(api, options);
            let examples = if api == Api::Anthropic && options.examples {
                spec.examples().to_vec()
            } else {
                Vec::new()
            };
            Arc::new(Self {
                name: spec.name().clone(),
                shown: shown.into_owned(),
                others,
                api,
                description: description(spec),
                examples,
                deferred: api == Api::Anthropic && options.deferred.contains(spec.name()),
                narrow: narrow.map(|dialect| FormOfTool::new(spec, dialect)),
                general: FormOfTool::new(spec, Dialect::General(api)),
            })
        };
        specs.map(tool).collect()
    }

    /// The schema of a form; `None` if the options ask for no narrow form.
    pub(crate) fn schema(&self, form: ShownForm) -> Option<&Schema> {
        Some(self.form(form)?.schema.get())
    }

    fn form(&self, form: ShownForm) -> Option<&FormOfTool> {
        match form {
            ShownForm::Narrow => self.narrow.as_ref(),
            ShownForm::General => Some(&self.general),
        }
    }

    /// The text of the tool in a form that it has; otherwise empty.
    pub(crate) fn fragment(&self, form: ShownForm) -> &str {
        let Some(of_tool) = self.form(form) else {
            return "";
        };
        of_tool.text.get_or_init(|| match of_tool.schema.get() {
            Ok(converted) => self.write(form, converted),
            Err(_) => String::new(),
        })
    }

    /// The tool in a form that it has, in parts.
    #[cfg(any(feature = "async-openai", feature = "genai", feature = "rig"))]
    pub(crate) fn definition(&self, form: ShownForm) -> Option<ToolDefinition<'_>> {
        let converted = self.schema(form)?.as_ref().ok()?;
        Some(ToolDefinition {
            name: &self.shown,
            description: Some(&*self.description).filter(|text| !text.is_empty()),
            // A schema was read from JSON.
            schema: serde_json::to_value(&converted.schema).unwrap_or_default(),
            strict: self.strict(form),
        })
    }

    /// The field `strict` of the tool.
    fn strict(&self, form: ShownForm) -> Option<bool> {
        let narrow = form == ShownForm::Narrow;
        match self.api {
            // Here a function without the field is strict.
            Api::OpenAiResponses => Some(narrow),
            Api::Gemini => None,
            _ => narrow.then_some(true),
        }
    }

    fn write(&self, form: ShownForm, converted: &Converted) -> String {
        let narrow = form == ShownForm::Narrow;
        let schema = &converted.schema;
        // Examples must be valid under the schema that is shown.
        let examples = self.examples.iter().map(Json::from);
        let examples: Vec<Json> = examples
            .filter_map(|example| converted.read_back.show(&example))
            .collect();
        let definition = FunctionFields {
            r#type: None,
            name: &self.shown,
            description: &self.description,
            parameters: None,
            parameters_json_schema: None,
            input_schema: None,
            strict: self.strict(form),
            input_examples: &examples,
            defer_loading: self.deferred,
        };
        let parameters = Some(schema);
        let written = match self.api {
            Api::OpenAiChat | Api::Compatible => serde_json::to_string(&Function {
                r#type: "function",
                function: FunctionFields {
                    parameters,
                    ..definition
                },
            }),
            Api::OpenAiResponses => serde_json::to_string(&FunctionFields {
                r#type: Some("function"),
                parameters,
                ..definition
            }),
            Api::Anthropic => serde_json::to_string(&FunctionFields {
                input_schema: Some(schema),
                ..definition
            }),
            Api::Gemini => serde_json::to_string(&FunctionFields {
                // A function without parameters has no `parameters`.
                parameters: parameters.filter(|_| narrow && converted.cost.properties > 0),
                parameters_json_schema: Some(schema).filter(|_| !narrow),
                ..definition
            }),
        };
        // Names and texts, and a schema that was read from JSON: nothing of it cannot be written.
        written.unwrap_or_default()
    }
}

impl fmt::Debug for ShownTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ShownTool");
        shown.field("name", &self.name).finish_non_exhaustive()
    }
}

/// The narrower form of schemas that the options ask for.
fn narrow_dialect(api: Api, options: &ListOptions) -> Option<Dialect> {
    let strict = options.strict != Strict::Never;
    match api {
        Api::OpenAiChat | Api::OpenAiResponses => strict.then_some(Dialect::OpenAiStrict),
        Api::Anthropic => strict.then_some(Dialect::AnthropicStrict),
        Api::Gemini => {
            let subset = options.gemini == GeminiSchema::OpenApi;
            subset.then_some(Dialect::GeminiSubset)
        }
        Api::Compatible => None,
    }
}

fn description(spec: &ToolSpec) -> String {
    let mut text = spec.description().into_owned();
    if let Some(note) = spec.deprecated() {
        let end = if note.is_empty() { "." } else { ": " };
        text.push_str("\n\nDeprecated");
        text.push_str(end);
        text.push_str(note);
    }
    text
}

/// A tool as an API is told of it, for the types of other crates.
#[cfg(any(feature = "async-openai", feature = "genai", feature = "rig"))]
pub(crate) struct ToolDefinition<'l> {
    pub(crate) name: &'l str,
    pub(crate) description: Option<&'l str>,
    pub(crate) schema: Value,
    pub(crate) strict: Option<bool>,
}

#[derive(Serialize)]
struct Function<'t> {
    r#type: &'t str,
    function: FunctionFields<'t>,
}

/// The definition of a function by the fields of all APIs; each writes those that it has.
#[derive(Serialize)]
struct FunctionFields<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<&'t str>,
    name: &'t str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'t Json>,
    #[serde(
        rename = "parametersJsonSchema",
        skip_serializing_if = "Option::is_none"
    )]
    parameters_json_schema: Option<&'t Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<&'t Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    #[serde(skip_serializing_if = "<[Json]>::is_empty")]
    input_examples: &'t [Json],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    defer_loading: bool,
}

/// The search by which a model finds deferred tools:
/// <https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool>, read 2026-11-24 in a stored copy.
const TOOL_SEARCH: &str =
    r#"{"type":"tool_search_tool_bm25_20251119","name":"tool_search_tool_bm25"}"#;

/// Joins the texts of tools to the field `tools` of a request.
pub(crate) fn join(
    api: Api,
    options: &ListOptions,
    tools: &[Arc<ShownTool>],
    forms: &[ShownForm],
) -> Box<RawValue> {
    let shown = || tools.iter().zip(forms);
    let length: usize = shown()
        .map(|(tool, form)| tool.fragment(*form).len() + 1)
        .sum();
    let cached = || api == Api::Anthropic && options.cached;
    // A tool whose definition comes later is not in the part that is cached.
    let last = tools
        .iter()
        .rposition(|tool| !tool.deferred)
        .filter(|_| cached());
    let mut text = String::with_capacity(length + 128);
    for (number, (tool, form)) in shown().enumerate() {
        text.push(if number == 0 { '[' } else { ',' });
        text.push_str(tool.fragment(*form));
        if last == Some(number) && text.pop().is_some() {
            text.push_str(r#","cache_control":{"type":"ephemeral"}}"#);
        }
    }
    if tools.iter().any(|tool| tool.deferred) {
        text.push(',');
        text.push_str(TOOL_SEARCH);
    }
    if text.is_empty() {
        text.push('[');
    }
    text.push(']');
    if api == Api::Gemini && !tools.is_empty() {
        text = format!(r#"[{{"functionDeclarations":{text}}}]"#);
    }
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
