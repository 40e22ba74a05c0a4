//! The differences between tools and what a model is shown of them.

use std::fmt;

use toolwright::ToolName;

use crate::schema::{Loss, Unrepresentable};

/// The differences between the tools of a catalog and a list of them. Its `Display` is a line for each.
#[derive(Debug, Clone, Default)]
pub struct ListReport {
    pub(super) tools: Vec<ToolReport>,
    pub(super) left_out: Vec<(ToolName, Unrepresentable)>,
    pub(super) too_many: Option<TooMany>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TooMany {
    pub(super) tools: usize,
    pub(super) limit: u32,
}

impl ListReport {
    /// Returns true if every tool is shown as it is.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.left_out.is_empty() && self.too_many.is_none()
    }

    /// The tools that are not shown as they are, sorted by name.
    pub fn tools(&self) -> &[ToolReport] {
        &self.tools
    }

    /// The tools that are not in the list, each with the reason: the API takes no schema like theirs.
    pub fn left_out(&self) -> impl ExactSizeIterator<Item = (&ToolName, &Unrepresentable)> {
        self.left_out.iter().map(|(name, why)| (name, why))
    }

    /// The number of tools that the API takes in a request, if the list has more.
    pub fn exceeded_tool_limit(&self) -> Option<u32> {
        self.too_many.map(|too_many| too_many.limit)
    }
}

impl fmt::Display for ListReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        if let Some(TooMany { tools, limit }) = self.too_many {
            lines.push(format!(
                "{tools} tools, and a request may have {limit}: select some"
            ));
        }
        for (name, why) in &self.left_out {
            lines.push(format!("{name}: left out: {why}"));
        }
        lines.extend(self.tools.iter().map(ToString::to_string));
        f.write_str(&lines.join("\n"))
    }
}

/// The differences between a tool and what a model is shown of it. Its `Display` is a line for each.
#[derive(Debug, Clone)]
pub struct ToolReport {
    pub(super) name: ToolName,
    pub(super) not_strict: Option<NotStrict>,
    pub(super) losses: Vec<Loss>,
}

impl ToolReport {
    /// The tool's canonical name.
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// The reason why it is not strict, though the options ask for it.
    pub fn not_strict(&self) -> Option<&NotStrict> {
        self.not_strict.as_ref()
    }

    /// The keywords of its schema that the model does not see as such.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }
}

impl fmt::Display for ToolReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        let reason = self.not_strict.iter().map(|why| format!("{name}: {why}"));
        let losses = self.losses.iter().map(|loss| format!("{name}: {loss}"));
        let lines: Vec<String> = reason.chain(losses).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// The reason why a tool is not shown in the narrow form that the options ask for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum NotStrict {
    /// Its schema has no such form.
    Unrepresentable(Unrepresentable),
    /// The strict tools of a request are limited, and this one took most of it.
    OverLimit {
        /// The countable that is limited, such as `optional properties`.
        what: &'static str,
        /// The limit of a request.
        limit: u32,
    },
}

impl fmt::Display for NotStrict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not strict: ")?;
        match self {
            Self::Unrepresentable(why) => why.fmt(f),
            Self::OverLimit { what, limit } => {
                write!(
                    f,
                    "the strict tools of a request have {limit} {what} at most"
                )
            }
        }
    }
}

/// The error of a list whose tools were all to be strict.
#[derive(Clone, thiserror::Error)]
#[error("not every tool can be strict; leave it to `Strict::Auto`, or change these:\n{}", lines(.tools))]
pub struct ListError {
    tools: Vec<ToolReport>,
}

toolwright::text::debug_as_text!(ListError);

fn lines(tools: &[ToolReport]) -> String {
    let lines: Vec<String> = tools.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

impl ListError {
    /// The tools that cannot be strict, each with the reason.
    pub fn tools(&self) -> &[ToolReport] {
        &self.tools
    }

    pub(super) fn of(report: &ListReport) -> Result<(), Self> {
        let cannot = report.tools.iter().filter(|tool| tool.not_strict.is_some());
        let reason_alone = |tool: &ToolReport| ToolReport {
            losses: Vec::new(),
            ..tool.clone()
        };
        let tools: Vec<ToolReport> = cannot.map(reason_alone).collect();
        if tools.is_empty() {
            return Ok(());
        }
        Err(Self { tools })
    }
}
