//! A question to a person, as data.

use std::ops::{Bound, RangeBounds};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fault::Misuse;
use super::{InvalidQuestion, InvalidReply, QuestionForm, QuestionOption, Reply, TextPattern};
use crate::ticket::PendingRequest;
use crate::util::character::one_line;

/// The most characters of a question in the one line that sums it up.
const SUMMARY: usize = 200;

/// A question to a person: a choice, several choices, a free text, or yes and no.
///
/// It is data: what is allowed as an answer is part of it, so that a host can show and check it
/// wherever it lands. Whether it can be asked at all is found by [`validate`](Self::validate), which
/// [`ToolContext::ask`](crate::ToolContext::ask) does first.
///
/// ```
/// use toolwright::question::Question;
///
/// let question = Question::choice("Where to?", ["staging", "production"]).default("staging");
/// let reply = question.check(&"production".into())?;
/// assert_eq!(reply.choice(), Some("production"));
///
/// let wrong = question.check(&"prodution".into()).unwrap_err();
/// assert_eq!(
///     wrong.to_string(),
///     "`prodution` is none of the options (`staging`, `production`); did you mean `production`?"
/// );
/// # Ok::<(), toolwright::question::InvalidReply>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub(super) text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) details: Option<String>,
    pub(super) form: QuestionForm,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<Value>,
    /// A setting that this form does not have: told when the question is validated.
    #[serde(skip)]
    pub(super) misuse: Option<Misuse>,
}

impl Question {
    /// The most characters of a free text unless the question says otherwise.
    pub const DEFAULT_MAX_LENGTH: usize = 10_000;

    fn new(text: impl Into<String>, form: QuestionForm) -> Self {
        Self {
            text: text.into(),
            details: None,
            form,
            default: None,
            misuse: None,
        }
    }

    /// Asks for one of some options: labels, or labels with descriptions.
    ///
    /// ```
    /// use toolwright::question::Question;
    ///
    /// let colour = Question::choice("Which colour?", ["red", "green"]);
    /// let place = Question::choice(
    ///     "Where to?",
    ///     [("staging", "Nobody sees it"), ("production", "Everybody sees it")],
    /// );
    /// # assert!(colour.validate().is_ok() && place.validate().is_ok());
    /// ```
    pub fn choice<O>(text: impl Into<String>, options: O) -> Self
    where
        O: IntoIterator<Item: Into<QuestionOption>>,
    {
        Self::new(
            text,
            QuestionForm::Choice {
                options: options.into_iter().map(Into::into).collect(),
                other: false,
            },
        )
    }

    /// Any of some options, none and all of them included unless [`select`](Self::select) says how
    /// many.
    pub fn choices<O>(text: impl Into<String>, options: O) -> Self
    where
        O: IntoIterator<Item: Into<QuestionOption>>,
    {
        Self::new(
            text,
            QuestionForm::Choices {
                options: options.into_iter().map(Into::into).collect(),
                other: false,
                min: 0,
                max: None,
            },
        )
    }

    /// A free text of one line, with 1 to [`DEFAULT_MAX_LENGTH`](Self::DEFAULT_MAX_LENGTH)
    /// characters.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(
            text,
            QuestionForm::Text {
                min_length: 1,
                max_length: Self::DEFAULT_MAX_LENGTH,
                pattern: None,
                multi_line: false,
                secret: false,
            },
        )
    }

    /// Yes or no. To decline it is a third thing: then there is no answer.
    pub fn yes_no(text: impl Into<String>) -> Self {
        Self::new(text, QuestionForm::YesNo)
    }

    /// Adds details that help to answer: why it is asked, what follows from it. Default: none.
    pub fn details(mut self, details: impl Into<String>) -> Self {
        self.details = Some(details.into());
        self
    }

    /// Sets the answer of a person who just goes on: a label, a list of labels, a text, or a
    /// boolean. It has to be an answer that the question takes. Default: none, so that the person has to answer.
    pub fn default(mut self, answer: impl Into<Value>) -> Self {
        self.default = Some(answer.into());
        self
    }

    /// Takes other texts beside the options. Default: the options alone.
    pub fn other(mut self) -> Self {
        match &mut self.form {
            QuestionForm::Choice { other, .. } | QuestionForm::Choices { other, .. } => {
                *other = true;
            }
            _ => self.misused("other", "a choice"),
        }
        self
    }

    /// Sets how many options may be chosen: `1..`, `2..=3`. Default: any number, also none.
    pub fn select(mut self, count: impl RangeBounds<usize>) -> Self {
        if let QuestionForm::Choices { min, max, .. } = &mut self.form {
            (*min, *max) = ends(&count);
        } else {
            self.misused("select", "several choices");
        }
        self
    }

    /// Sets how many characters the text may have: `1..=80`. Default: 1 to 10,000; a range without
    /// an end ends at 10,000.
    pub fn length(mut self, characters: impl RangeBounds<usize>) -> Self {
        if let QuestionForm::Text {
            min_length,
            max_length,
            ..
        } = &mut self.form
        {
            let (least, most) = ends(&characters);
            (*min_length, *max_length) = (least, most.unwrap_or(Self::DEFAULT_MAX_LENGTH));
        } else {
            self.misused("length", "a free text");
        }
        self
    }

    /// Sets a regular expression that the text must match, and says the same in words, for the person who answers.
    /// Default: any text.
    ///
    /// ```
    /// use toolwright::question::Question;
    ///
    /// let day = Question::text("Which day?")
    ///     .pattern(r"^\d{4}-\d\d-\d\d$", "a date, as in 2026-02-28");
    /// let wrong = day.check(&"tomorrow".into()).unwrap_err();
    /// assert_eq!(wrong.to_string(), "it must be a date, as in 2026-02-28");
    /// ```
    pub fn pattern(mut self, regex: impl Into<String>, meaning: impl Into<String>) -> Self {
        if let QuestionForm::Text { pattern, .. } = &mut self.form {
            *pattern = Some(TextPattern {
                regex: regex.into(),
                meaning: meaning.into(),
            });
        } else {
            self.misused("pattern", "a free text");
        }
        self
    }

    /// Takes a text of several lines. Default: one line.
    pub fn multi_line(mut self) -> Self {
        if let QuestionForm::Text { multi_line, .. } = &mut self.form {
            *multi_line = true;
        } else {
            self.misused("multi_line", "a free text");
        }
        self
    }

    /// Hides the text while it is typed. Default: it is shown. [`Reply`] keeps it out of `Debug` and
    /// `Display`. A store of tickets has it as it is until the ticket is forgotten.
    pub fn secret(mut self) -> Self {
        if let QuestionForm::Text { secret, .. } = &mut self.form {
            *secret = true;
        } else {
            self.misused("secret", "a free text");
        }
        self
    }

    /// The first misuse is reported; the others would follow from it.
    fn misused(&mut self, setting: &'static str, of: &'static str) {
        self.misuse.get_or_insert(Misuse { setting, of });
    }

    /// The text of the question.
    pub fn prompt(&self) -> &str {
        &self.text
    }

    /// The details that help to answer.
    pub fn detail_text(&self) -> Option<&str> {
        self.details.as_deref()
    }

    /// The form of the answer.
    pub fn form(&self) -> &QuestionForm {
        &self.form
    }

    /// The answer of a person who just goes on.
    pub fn default_answer(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    /// Returns true if the answer must not be shown.
    pub fn is_secret(&self) -> bool {
        matches!(self.form, QuestionForm::Text { secret: true, .. })
    }

    /// Checks that the question can be asked.
    ///
    /// # Errors
    ///
    /// Fails if no answer would fit it, or if people could not make sense of it: the error describes the first fault.
    pub fn validate(&self) -> Result<(), InvalidQuestion> {
        super::fault::fault(self).map_or(Ok(()), Err)
    }

    /// Reads an answer. `null` stands for the default.
    ///
    /// # Errors
    ///
    /// Fails if the answer does not fit; the error is for the person who answers, and says what would fit.
    pub fn check(&self, answer: &Value) -> Result<Reply, InvalidReply> {
        super::check::check(self, answer)
    }

    /// The question that a request of a ticket is, if it is one.
    pub fn of(request: &PendingRequest) -> Option<Self> {
        Self::deserialize(request.subject()).ok()
    }

    /// The request for people. The question has been validated.
    pub(crate) fn to_request(&self) -> Result<PendingRequest, serde_json::Error> {
        let first = self.text.lines().find(|line| !line.trim().is_empty());
        let request = PendingRequest::new(
            one_line(first.unwrap_or_default(), SUMMARY),
            serde_json::to_value(self)?,
        );
        Ok(match &self.details {
            Some(details) => request.with_why(details),
            None => request,
        })
    }
}

/// The least and the most of a range of whole numbers.
fn ends(range: &impl RangeBounds<usize>) -> (usize, Option<usize>) {
    let least = match range.start_bound() {
        Bound::Included(least) => *least,
        Bound::Excluded(below) => below.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let most = match range.end_bound() {
        Bound::Included(most) => Some(*most),
        // Nothing is below 0: an empty range, which is reported as such.
        Bound::Excluded(0) => return (least.max(1), Some(0)),
        Bound::Excluded(above) => Some(above - 1),
        Bound::Unbounded => None,
    };
    (least, most)
}
