//! Questions of a server to the person while a call runs.
//!
//! A form has fields; each is a question, and all of them one ticket. So a form of a server is asked at the terminal, kept by
//! `run --suspend`, or handed on to the client of `serve`, as the questions of any tool are.

use serde_json::{Map, Number, Value};
use toolwright::question::{Question, Reply, Selection};
use toolwright::text::one_line;
use toolwright::{ToolContext, ToolError, async_trait};
use toolwright_mcp::client::AnswerElicitation;
use toolwright_mcp::rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};

/// The most characters of a server's text on a line.
const LINE: usize = 1_000;

/// Asks the person who approves.
pub(super) struct AskPerson {
    server: String,
}

impl AskPerson {
    pub(super) fn new(server: &str) -> Self {
        Self {
            server: server.to_owned(),
        }
    }
}

#[async_trait]
impl AnswerElicitation for AskPerson {
    async fn answer(
        &self,
        request: &ElicitRequestParams,
        call: Option<&ToolContext>,
    ) -> Result<ElicitResult, ToolError> {
        let declined = ElicitResult::new(ElicitationAction::Decline);
        let ElicitRequestParams::FormElicitationParams {
            message,
            requested_schema,
            ..
        } = request
        else {
            return Ok(declined);
        };
        let Some(call) = call else {
            return Ok(declined);
        };
        let schema = serde_json::to_value(requested_schema)
            .map_err(|error| self.unaskable(&error.to_string()))?;
        let fields = fields(&schema);
        let mut questions = Vec::with_capacity(fields.len());
        for field in &fields {
            let question = field.question(&self.server, message);
            let valid = question.validate();
            valid.map_err(|invalid| self.unaskable(&invalid.to_string()))?;
            questions.push(question);
        }
        if fields.is_empty() {
            let question =
                Question::yes_no(format!("The MCP server `{}` asks for a yes", self.server));
            let answered = call.ask(question.details(message)).await;
            return match answered.map(|reply| reply.is_yes()) {
                Ok(Some(true)) => Ok(accepted(Map::new())),
                Ok(_) => Ok(declined),
                Err(error) if error.code() == "question_declined" => Ok(declined),
                Err(error) => Err(error),
            };
        }
        let replies = match call.ask_all(questions).await {
            Ok(replies) => replies,
            Err(error) if error.code() == "question_declined" => return Ok(declined),
            Err(error) => return Err(error),
        };
        let mut content = Map::new();
        for (field, reply) in fields.iter().zip(&replies) {
            let value = field.value(reply).map_err(|why| {
                ToolError::failed(format!("the answer to `{}` {why}", field.name))
            })?;
            if let Some(value) = value {
                content.insert(field.name.to_owned(), value);
            }
        }
        Ok(accepted(content))
    }
}

impl AskPerson {
    fn unaskable(&self, why: &str) -> ToolError {
        ToolError::failed(format!(
            "the MCP server `{}` asks by a form that cannot be shown: {why}",
            self.server
        ))
    }
}

fn accepted(content: Map<String, Value>) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content))
}

/// A field of a form.
struct Field<'s> {
    name: &'s str,
    schema: &'s Value,
    is_required: bool,
    /// The values of a choice, each with its label.
    options: Option<Vec<(&'s str, &'s str)>>,
}

/// The label of the option that leaves a field out.
const LEFT_OUT: &str = "(leave it out)";

fn fields(schema: &Value) -> Vec<Field<'_>> {
    let required: Vec<&str> = texts(schema.get("required")).collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    let all = properties.into_iter().flatten();
    all.map(|(name, schema)| Field {
        name,
        schema,
        is_required: required.contains(&name.as_str()),
        options: options(schema.get("items").unwrap_or(schema)),
    })
    .collect()
}

/// The options of a schema in one of the three forms of the protocol: titled, with `enumNames`, or plain.
fn options(schema: &Value) -> Option<Vec<(&str, &str)>> {
    let named = schema.get("oneOf").or_else(|| schema.get("anyOf"));
    if let Some(named) = named.and_then(Value::as_array) {
        return named.iter().map(titled_option).collect();
    }
    let values = schema.get("enum")?;
    let mut titles = texts(schema.get("enumNames"));
    let values = texts(Some(values));
    Some(
        values
            .map(|value| (value, titles.next().unwrap_or(value)))
            .collect(),
    )
}

fn titled_option(option: &Value) -> Option<(&str, &str)> {
    let value = option.get("const")?.as_str()?;
    let title = option.get("title").and_then(Value::as_str);
    Some((value, title.unwrap_or(value)))
}

fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let all = value.and_then(Value::as_array).into_iter().flatten();
    all.filter_map(Value::as_str)
}

impl Field<'_> {
    fn member(&self, key: &str) -> Option<&str> {
        self.schema.get(key).and_then(Value::as_str)
    }

    fn kind(&self) -> &str {
        self.member("type").unwrap_or_default()
    }

    fn bound(&self, key: &str) -> Option<usize> {
        let bound = self.schema.get(key)?.as_u64()?;
        usize::try_from(bound).ok()
    }

    fn question(&self, server: &str, message: &str) -> Question {
        let title = one_line(self.member("title").unwrap_or(self.name), LINE);
        let text = format!("The MCP server `{server}` asks: {title}");
        let default = self.schema.get("default");
        let question = match (&self.options, self.kind()) {
            (Some(options), "array") => {
                let labels = options.iter().map(|(_, label)| *label);
                let question = Question::choices(text, labels);
                let least = self.bound("minItems").unwrap_or(0);
                match self.bound("maxItems") {
                    Some(most) => question.select(least..=most),
                    None => question.select(least..),
                }
            }
            (Some(options), _) => {
                let labels = options.iter().map(|(_, label)| *label);
                Question::choice(text, labels.chain(self.left_out()))
            }
            (None, "boolean") if self.is_required => {
                let question = Question::yes_no(text);
                match default.and_then(Value::as_bool) {
                    Some(default) => question.default(default),
                    None => question,
                }
            }
            (None, "boolean") => {
                Question::choice(text, ["yes", "no"].into_iter().chain(self.left_out()))
            }
            (None, "integer") => self.number(text, "-?[0-9]{1,18}", "a whole number"),
            (None, "number") => self.number(
                text,
                r"-?[0-9]{1,300}(\.[0-9]{1,300})?([eE][-+]?[0-9]{1,3})?",
                "a number",
            ),
            (None, _) => {
                let least = self.bound("minLength").unwrap_or(0);
                let most = self
                    .bound("maxLength")
                    .unwrap_or(Question::DEFAULT_MAX_LENGTH);
                let least = if self.is_required { least } else { 0 };
                let question =
                    Question::text(text).length(least..=most.min(Question::DEFAULT_MAX_LENGTH));
                match default.and_then(Value::as_str) {
                    Some(default) => question.default(default),
                    None => question,
                }
            }
        };
        let mut details = vec![message.to_owned()];
        details.extend(self.member("description").map(str::to_owned));
        details.extend(
            self.member("format")
                .map(|format| format!("Format: {format}")),
        );
        if !self.is_required {
            details.push("This may be left out.".to_owned());
        }
        question.details(details.join("\n"))
    }

    fn left_out(&self) -> Option<&'static str> {
        (!self.is_required).then_some(LEFT_OUT)
    }

    fn number(&self, text: String, pattern: &str, meaning: &str) -> Question {
        let mut meaning = meaning.to_owned();
        for (key, word) in [("minimum", "from"), ("maximum", "up to")] {
            if let Some(bound) = self.schema.get(key) {
                meaning = format!("{meaning} {word} {bound}");
            }
        }
        let (pattern, least) = if self.is_required {
            (pattern.to_owned(), 1)
        } else {
            (format!("({pattern})?"), 0)
        };
        Question::text(text)
            .length(least..=700)
            .pattern(pattern, meaning)
    }

    /// The value of an answer; `None` if the field is left out.
    fn value(&self, reply: &Reply) -> Result<Option<Value>, String> {
        let picked = |place: usize| {
            let option = self.options.as_ref()?.get(place);
            option.map(|(value, _)| Value::from(*value))
        };
        let text = reply.text().unwrap_or_default();
        Ok(match (&self.options, self.kind()) {
            (Some(_), "array") => {
                let all = reply.picked().iter();
                let values: Vec<Value> = all.filter_map(|choice| picked(choice.index()?)).collect();
                Some(Value::from(values))
            }
            (Some(_), _) => reply
                .picked()
                .first()
                .and_then(|choice| picked(choice.index()?)),
            (None, "boolean") => match reply.is_yes() {
                Some(is_yes) => Some(Value::from(is_yes)),
                None => match reply.picked().first().and_then(Selection::index) {
                    Some(0) => Some(Value::from(true)),
                    Some(1) => Some(Value::from(false)),
                    _ => None,
                },
            },
            (None, kind @ ("integer" | "number")) => {
                if text.is_empty() {
                    return Ok(None);
                }
                let number: Option<Number> = if kind == "integer" {
                    text.parse::<i64>().ok().map(Number::from)
                } else {
                    text.parse().ok().and_then(Number::from_f64)
                };
                let number = number.ok_or("is no number that can be written")?;
                let value = number.as_f64();
                let bound = |key: &str| self.schema.get(key).and_then(Value::as_f64);
                if bound("minimum").is_some_and(|least| value < Some(least))
                    || bound("maximum").is_some_and(|most| value > Some(most))
                {
                    return Err("is outside of its range".to_owned());
                }
                Some(Value::Number(number))
            }
            (None, _) if text.is_empty() && !self.is_required => None,
            (None, _) => Some(Value::from(text)),
        })
    }
}
