//! Questions to people, and whatever else a body waits for.

use std::sync::Arc;

use serde_json::Value;

use super::tool_context::ToolContext;
use crate::content::ToolError;
use crate::question::{
    ExternalWait, Question, Reply, cancelled, check_answer, declined, reply, unfit, unwritable,
    value_of,
};
use crate::ticket::{
    Answer, Pause, PendingRequest, Requester, ResumeMode, Settling, Wait, WaitKind,
};

impl ToolContext {
    /// Asks a person, and waits for the answer.
    ///
    /// A body asks before it acts. Where the executor [suspends](crate::executor::WaitMode::Suspending) calls
    /// that wait, the body ends here, by an error that it hands on with `?`, and begins again once
    /// there is an answer: what it did before is then done twice. For the same reason the same
    /// question, word for word, is asked once in a call: asked again, it has the same answer.
    ///
    /// The time that passes here does not count towards the timeout of the tool.
    ///
    /// # Errors
    ///
    /// Fails if there is no answer, by [kind](ToolError::kind) and [code](ToolError::code):
    ///
    /// | kind | code | |
    /// |---|---|---|
    /// | `Denied` | `question_declined` | the person would not answer; the reason is in the message |
    /// | `TimedOut` | `question_expired` | nobody answered before the ticket's deadline |
    /// | `Unavailable` | `question_unavailable` | nobody is there to be asked |
    /// | `Cancelled` | `cancelled` | the call, its turn or its session was cancelled |
    /// | `Internal` | `invalid_question` | it cannot be asked: see [`Question::validate`] |
    ///
    /// A tool that can do without an answer looks at the code, and hands on what it does not know:
    ///
    /// ```
    /// use toolwright::{testing, tool, ToolContext, ToolError};
    /// use toolwright::question::Question;
    /// use toolwright::ticket::Answer;
    ///
    /// /// Paint the fence.
    /// #[tool]
    /// async fn paint(ctx: &ToolContext) -> Result<String, ToolError> {
    ///     let question = Question::choice("Which colour?", ["red", "green"]).default("green");
    ///     let colour = match ctx.ask(question).await {
    ///         Ok(reply) => reply.into_text(),
    ///         Err(error) if error.code() == "question_declined" => "white".to_owned(),
    ///         Err(error) => return Err(error),
    ///     };
    ///     Ok(format!("the fence is {colour}"))
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let ctx = testing::context().answers([Answer::value("red")]).build();
    /// assert_eq!(paint(&ctx).await?, "the fence is red");
    ///
    /// let ctx = testing::context().answers([Answer::no()]).build();
    /// assert_eq!(paint(&ctx).await?, "the fence is white");
    ///
    /// let nobody = testing::context().build();
    /// assert_eq!(paint(&nobody).await.unwrap_err().code(), "question_unavailable");
    /// # Ok::<(), ToolError>(())
    /// # })?;
    /// # Ok::<(), ToolError>(())
    /// ```
    pub async fn ask(&self, question: Question) -> Result<Reply, ToolError> {
        let request = asked(&question)?;
        let answers = self.answers(questions(vec![request])).await?;
        reply(&question, answers.first())
    }

    /// Asks several things at once, in one ticket: a host can show them as one form. The replies are in
    /// the order of the questions.
    ///
    /// # Errors
    ///
    /// As of [`ask`](Self::ask). One question that is declined is enough.
    ///
    /// ```
    /// use toolwright::{testing, tool, ToolContext, ToolError};
    /// use toolwright::question::Question;
    /// use toolwright::ticket::Answer;
    ///
    /// /// Open an account.
    /// #[tool]
    /// async fn open(ctx: &ToolContext) -> Result<String, ToolError> {
    ///     let name = Question::text("What is your name?").length(1..=40);
    ///     let news = Question::yes_no("Do you want to be written to?").default(false);
    ///     let replies = ctx.ask_all([name, news]).await?;
    ///     Ok(format!("{} ({})", replies[0], replies[1]))
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let answers = [Answer::value("Ada"), Answer::value(true)];
    /// let ctx = testing::context().answers(answers).build();
    /// assert_eq!(open(&ctx).await?, "Ada (yes)");
    /// # Ok::<(), ToolError>(())
    /// # })?;
    /// # Ok::<(), ToolError>(())
    /// ```
    pub async fn ask_all(
        &self,
        these: impl IntoIterator<Item = Question>,
    ) -> Result<Vec<Reply>, ToolError> {
        let all: Vec<Question> = these.into_iter().collect();
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let requests = all.iter().map(asked).collect::<Result<_, _>>()?;
        let answers = self.answers(questions(requests)).await?;
        let answered = all.iter().enumerate();
        answered
            .map(|(number, question)| reply(question, answers.get(number)))
            .collect()
    }

    /// Waits for a sign-in, for a result from elsewhere, or for an answer, and gives what was said:
    /// `null` for a plain yes.
    ///
    /// With [`ResumeMode::RunAgain`] it is as with [`ask`](Self::ask): the body goes on here, or begins
    /// again. With the other modes the call is suspended in every mode but
    /// [`WaitMode::Unattended`](crate::executor::WaitMode::Unattended), and the body does not go on: it hands on
    /// the error, and the answer becomes the result of the call, or the arguments that it starts again
    /// with.
    ///
    /// ```
    /// use toolwright::{tool, ToolContext, ToolError};
    /// use toolwright::question::ExternalWait;
    ///
    /// struct Account(std::sync::OnceLock<String>);
    ///
    /// /// List the open issues.
    /// #[tool(read_only)]
    /// async fn issues(ctx: &ToolContext, account: &Account) -> Result<String, ToolError> {
    ///     if account.0.get().is_none() {
    ///         let sign_in = ExternalWait::sign_in("GitHub", "https://github.com/login/device");
    ///         ctx.wait_for(sign_in.why("to see your private issues")).await?;
    ///     }
    ///     let Some(name) = account.0.get() else {
    ///         return Err(ToolError::unavailable("nobody has signed in"));
    ///     };
    ///     Ok(format!("no open issues of {name}"))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As of [`ask`](Self::ask), with codes that begin with `sign_in_` or `external_result_`; and of
    /// kind [`Internal`](crate::content::ErrorKind::Internal), code `invalid_wait`, when it cannot be waited for, such
    /// as a sign-in at an address that is none.
    pub async fn wait_for(&self, what: impl Into<ExternalWait>) -> Result<Value, ToolError> {
        let what = what.into();
        let request = what.to_request()?;
        let wait = Wait {
            kind: what.kind(),
            requests: vec![request.clone()],
            resume: what.resume_mode(),
            begun: true,
        };
        let answers = self.answers(wait).await?;
        let value = |answer| value_of(what.kind(), &request, answer);
        Ok(answers.first().map(value).unwrap_or_default())
    }

    /// The answers: each fits its request.
    async fn answers(&self, wait: Wait) -> Result<Vec<Answer>, ToolError> {
        if self.is_cancelled() {
            return Err(cancelled());
        }
        let (kind, resume) = (wait.kind, wait.resume);
        let requests = wait.requests.clone();
        let answers = self.wait(wait).await?;
        let answered = || requests.iter().zip(&answers);
        // A single no is enough, and then others may be without an answer.
        if let Some((request, no)) = answered().find(|(_, answer)| answer.is_refusal()) {
            return Err(declined(kind, request.summary(), no.reason()));
        }
        for (request, answer) in answered() {
            check_answer(kind, request, resume, answer)
                .map_err(|why| unfit(request.summary(), &why))?;
        }
        Ok(answers)
    }
}

fn asked(question: &Question) -> Result<PendingRequest, ToolError> {
    question.validate()?;
    question.to_request().map_err(unwritable)
}

fn questions(requests: Vec<PendingRequest>) -> Wait {
    Wait {
        kind: WaitKind::Question,
        requests,
        resume: ResumeMode::RunAgain,
        begun: true,
    }
}

impl From<&ToolContext> for Requester {
    fn from(ctx: &ToolContext) -> Self {
        let asker = Self::new(
            ctx.tool_name().clone(),
            ctx.session_id().clone(),
            ctx.turn_id(),
        );
        let asker = match ctx.call_id() {
            Some(call_id) => asker.with_call_id(call_id.clone()),
            None => asker,
        };
        asker.running(ctx.invocation_id(), Arc::new(ctx.clone()))
    }
}

impl Pause for ToolContext {
    fn paused<'a>(&'a self, settling: Settling<'a>) -> Settling<'a> {
        Box::pin(async move {
            let _waiting = self.session.wait_tracker.begin(self.invocation_id());
            settling.await
        })
    }
}
