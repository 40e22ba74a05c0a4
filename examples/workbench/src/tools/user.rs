//! Asking the person whom the work is for.

use toolwright::question::{Question, QuestionForm, QuestionOption};
use toolwright::{ToolContext, ToolError, tool, tool_type};

/// An answer to choose from.
#[derive(Debug)]
#[tool_type]
pub(crate) struct Choice {
    /// The answer, in a few words.
    label: String,
    /// The consequences of the answer.
    meaning: Option<String>,
}

/// Ask the user a question and return the answer.
///
/// Ask only what you cannot find out yourself and need to go on. With `options` the user chooses one
/// of them, or several; without, the answer is a text. The user may decline.
///
/// # Errors
///
/// Fails if the user declines, or nobody is there to answer.
#[tool(
    name = "user.ask",
    title = "Ask the user",
    category = "user",
    read_only
)]
pub(super) async fn ask_user(
    /// The question, in one or two sentences.
    #[arg(length = 1..=1000)]
    question: String,
    /// Details that help to answer it: why you ask, and what follows from the answers.
    #[arg(length = 1..=4000)]
    details: Option<String>,
    /// The answers to choose from; a text is asked for if there are none.
    #[arg(default, length = ..=20)]
    options: Vec<Choice>,
    /// True if more than one option may be chosen.
    #[arg(default = false)]
    several: bool,
    /// True if another answer than the options may be given.
    #[arg(default = true)]
    other: bool,
    /// The answer if the user just goes on: the label of an option, or a text.
    default: Option<String>,
    ctx: &ToolContext,
) -> Result<String, ToolError> {
    let options: Vec<QuestionOption> = options.into_iter().map(Choice::into_option).collect();
    let mut asked = match (options.is_empty(), several) {
        (true, _) => Question::text(question).multi_line(),
        (false, true) => Question::choices(question, options),
        (false, false) => Question::choice(question, options),
    };
    let chooses = !matches!(asked.form(), QuestionForm::Text { .. });
    if chooses && other {
        asked = asked.other();
    }
    if let Some(details) = details {
        asked = asked.details(details);
    }
    if let Some(default) = default {
        asked = if chooses && several {
            asked.default(vec![default])
        } else {
            asked.default(default)
        };
    }
    // The model can correct a mistake in its own question.
    asked
        .validate()
        .map_err(|invalid| ToolError::failed(invalid.to_string()))?;
    Ok(ctx.ask(asked).await?.into_text())
}

impl Choice {
    fn into_option(self) -> QuestionOption {
        let option = QuestionOption::new(self.label);
        match self.meaning {
            Some(meaning) => option.described(meaning),
            None => option,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolwright::ticket::Answer;
    use toolwright::{Executor, ToolRegistry, testing};

    use super::*;

    fn choice(label: &str) -> Choice {
        Choice {
            label: label.to_owned(),
            meaning: None,
        }
    }

    async fn ask(options: &[&str], several: bool, answer: Answer) -> Result<String, ToolError> {
        let ctx = testing::context().answers([answer]).build();
        let options = options.iter().map(|label| choice(label)).collect();
        ask_user(
            "Which?".to_owned(),
            None,
            options,
            several,
            true,
            None,
            &ctx,
        )
        .await
    }

    #[tokio::test]
    async fn each_form_has_its_answer() {
        let text = ask(&[], false, Answer::value("some text")).await;
        assert_eq!(text.unwrap(), "some text");
        let one = ask(&["a", "b"], false, Answer::value("b")).await;
        assert_eq!(one.unwrap(), "b");
        let two = ask(
            &["a", "b"],
            true,
            Answer::value(json!(["a", {"other": "c"}])),
        )
        .await;
        assert_eq!(two.unwrap(), "a, c");
        let none = ask(&["a"], false, Answer::no().because("not now")).await;
        assert!(none.unwrap_err().to_string().contains("not now"));
    }

    #[tokio::test]
    async fn a_question_that_cannot_be_asked_is_the_models_to_correct() {
        let executor = Executor::new(ToolRegistry::new().with(AskUser)).unwrap();
        let arguments = json!({"question": "?", "options": [{"label": "a"}, {"label": "a"}]});
        let outcome = executor.call("user.ask", arguments).await;
        assert!(outcome.text().contains("question"), "{}", outcome.text());
        assert_eq!(outcome.result().error().unwrap().code(), "failed");
    }
}
