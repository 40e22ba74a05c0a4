//! Holding what tools give to what they declare.

use serde_json::Value;

use crate::arguments::{shortened, worded};
use crate::content::{Content, ErrorKind, ExceededLimit, Limit, ToolError, ToolOutput};
use crate::executor::build_error::BuildProblem;
use crate::id::ToolName;
use crate::schema::{Validator, ViolationKind, WORK, Whose};
use crate::spec::ToolSpec;

/// The most faults of one output that are shown.
const TOLD: usize = 5;

/// The treatment of structured output that is not what its tool declares: see `ExecutorBuilder::check_output`, of the
/// feature `json-schema`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputCheck {
    /// It is not looked at.
    #[default]
    Off,
    /// The model gets it, and [`ToolResult::mismatch`](crate::ToolResult::mismatch) tells the host.
    Flag,
    /// The call ends in an error, of kind [`Internal`](crate::content::ErrorKind::Internal) and code
    /// `output_mismatch`, and the model does not see the output. Where it takes too much work to find
    /// out, the kind is [`LimitExceeded`](crate::content::ErrorKind::LimitExceeded).
    Refuse,
}

/// Judges the outputs of one tool.
pub(crate) struct Checker {
    refuses: bool,
    validator: Validator,
}

impl Checker {
    /// Makes the check of a tool that declares an output schema.
    pub(crate) fn new(
        check: OutputCheck,
        tool: &ToolName,
        spec: &ToolSpec,
    ) -> Result<Option<Self>, BuildProblem> {
        // Making the schema costs as much as half of the tool's input schema.
        if check == OutputCheck::Off {
            return Ok(None);
        }
        let Some(schema) = spec.output_schema() else {
            return Ok(None);
        };
        match Validator::compile(schema, Whose::Author) {
            Ok(validator) => Ok(Some(Self {
                refuses: check == OutputCheck::Refuse,
                validator,
            })),
            Err(error) => Err(BuildProblem::BrokenOutputSchema {
                tool: tool.clone(),
                error,
            }),
        }
    }

    /// Notes a mismatch in an output, or replaces it by an error. An error of the tool is no structured output.
    #[cold]
    #[inline(never)]
    pub(crate) fn check(&self, output: &mut ToolOutput) {
        if output.is_error() {
            return;
        }
        let Some((fault, is_checked)) = self.fault(output) else {
            return;
        };
        if self.refuses && !is_checked {
            let message = format!(
                "the tool ran, and its output takes too much work to be held to what it declares, so \
                 that it cannot be shown: {fault}"
            );
            *output = ToolError::new(ErrorKind::LimitExceeded, message)
                .with_exceeded_limit(ExceededLimit::new(Limit::CheckSteps, WORK, None))
                .into();
        } else if self.refuses {
            *output = ToolError::new(
                ErrorKind::Internal,
                format!(
                    "the tool ran, and its output is not what it declares, so that it cannot be shown: \
                     {fault}. This is a fault of the tool, not of the call"
                ),
            )
            .with_code("output_mismatch")
            .into();
        } else {
            output.extras.get_or_insert_default().mismatch = Some(fault.into());
        }
    }

    /// Returns the mismatch between an output and its schema, with false if the check takes too much work.
    /// `None` if the output matches.
    fn fault(&self, output: &ToolOutput) -> Option<(String, bool)> {
        let mut structured = output.content().iter().filter_map(|part| match part {
            Content::Json { json } => Some(json),
            _ => None,
        });
        // The output schema describes the one structured part.
        let Some(json) = structured.next() else {
            return Some(("it has no structured part".to_owned(), true));
        };
        match serde_json::from_str::<Value>(json.as_str()) {
            Ok(value) => self.fault_of(&value),
            Err(error) => Some((format!("its structured part cannot be read: {error}"), true)),
        }
    }

    fn fault_of(&self, value: &Value) -> Option<(String, bool)> {
        let violations = self.validator.violations(value);
        let too_much = violations.iter().find(|v| v.kind == ViolationKind::TooMuch);
        if let Some(violation) = too_much {
            let place = match violation.pointer.as_str() {
                "" => "the whole of it".to_owned(),
                pointer => format!("`{}`", shortened(pointer)),
            };
            return Some((format!("{place} is too much to be checked"), false));
        }
        let faults = violations
            .iter()
            .flat_map(|violation| worded(violation, value));
        let faults: Vec<String> = faults.take(TOLD).map(|fault| fault.to_string()).collect();
        (!faults.is_empty()).then(|| (faults.join("; "), true))
    }
}
