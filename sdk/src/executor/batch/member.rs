//! A member of a batch that nothing looks at and nothing holds up. Its way is that of a plain call, in two
//! parts: what has to be asked about any member is known before the first of them runs. A member about which nothing has
//! to be asked is read when it runs.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use crate::arguments::Arguments;
use crate::content::{CallStatus, ToolCall};
use crate::context::{CallTurn, ToolContext};
use crate::executor::arguments::read::ReadNotes;
use crate::executor::batch::rest::{MemberRest, MemberSource};
use crate::executor::batch::texts::{ArgumentTexts, TextRange};
use crate::executor::call::authorize::permit;
use crate::executor::call::direct::{DirectCall, begin_apart};
use crate::executor::call::outcome::refused;
use crate::executor::call::plain::begin_admitted;
use crate::executor::call::prepare::{Admitted, admit};
use crate::executor::call::reached::{PlainBody, PlainCall, Reached};
use crate::executor::call::review::reviewed;
use crate::executor::call::state::{CallState, Preparing, Stage};
use crate::executor::core::handles::Turn;
use crate::executor::core::hold::LentCore;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::core::tasks::{Task, TaskRef};
use crate::executor::people::mode::WaitMode;
use crate::outcome::ToolOutcome;
use crate::tool::Invocation;
use crate::util::future::BoxFuture;

/// A member that has yet to begin.
pub(crate) enum BeginningMember<'a> {
    /// Nothing looks at it or holds it up. With the number of its tool.
    Plain(ToolCall<'a>, Option<usize>),
    Full(BoxFuture<'static, Preparing>),
}

/// The state of a member before any runs.
pub(crate) enum MemberStart {
    Ended(Box<ToolOutcome>),
    /// It may perhaps not run as it is.
    Goes(Box<CallState>, Stage),
    Ready(Box<ReadMember>),
}

/// A call that may run.
pub(crate) enum ReadyMember {
    /// With the place of its arguments among the texts of its queue, unless it has them.
    Direct(DirectMember<'static>, Option<TextRange>),
    /// Boxed, because most are direct, and members move several times.
    Read(Box<ReadMember>),
}

/// A call that nothing has to decide on, which is known before it is read: its tool reads it and runs its body in one
/// step, when its turn comes.
pub(crate) struct DirectMember<'a> {
    pub(super) call: ToolCall<'a>,
    /// The number of the tool.
    tool: usize,
}

/// A call that was read and judged.
pub(crate) struct ReadMember {
    begun: Option<Instant>,
    notes: ReadNotes,
    arguments: Option<Arguments<'static>>,
    /// The body never waits.
    pub(crate) never_waits: bool,
    invocation: Box<dyn Invocation>,
    context: ToolContext,
}

impl BeginningMember<'_> {
    /// Everything up to where the call may run, or somebody is to be asked.
    pub(crate) fn poll(
        &mut self,
        turn: &Turn,
        task: &Task,
        cx: &mut Context<'_>,
    ) -> Poll<MemberStart> {
        if let Self::Plain(call, tool) = self {
            let place = turn.place_of_task(task);
            match admitted(turn.shared(), &place, (call, *tool)) {
                Ok(start) => return Poll::Ready(start),
                Err(judged) => *self = Self::Full(judged),
            }
        }
        let Self::Full(begin) = self else {
            return Poll::Pending;
        };
        begin.as_mut().poll(cx).map(|begun| match begun {
            Preparing::Ended(outcome) => MemberStart::Ended(outcome),
            Preparing::Goes(call_state, step) => MemberStart::Goes(call_state, step),
        })
    }
}

/// The beginning of a plain call, or of one that may perhaps not run as it is.
fn admitted(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    (call, tool): (&mut ToolCall<'_>, Option<usize>),
) -> Result<MemberStart, BoxFuture<'static, Preparing>> {
    let begun = shared.measures_time.then(Instant::now);
    let mut changed = None;
    let mut notes = ReadNotes::default();
    let told = (&mut changed, &mut notes);
    let found = tool.map(|tool| (tool, site.catalog.entry(tool)));
    let named = (&*call, found, false);
    let admitted = admit(shared, site, named, told, None, |check, body, context| {
        permit(shared, check, body, context)
    });
    let (admitted, review) = match admitted {
        Ok(admitted) => admitted,
        Err(refusal) => {
            return match refused(shared, site, call, (begun, notes), refusal) {
                Ok(outcome) => Ok(MemberStart::Ended(Box::new(outcome))),
                Err(cut) => Err(Box::pin(
                    async move { Preparing::Ended(Box::new(cut.await)) },
                )),
            };
        }
    };
    if let Some(review) = review {
        let (mut call_state, done) =
            reviewed(shared, site, call, (begun, notes), (admitted, *review));
        return Err(Box::pin(async move {
            let stage = call_state.judge(None, done, false).await;
            Preparing::Goes(call_state, stage)
        }));
    }
    let Admitted {
        invocation,
        context,
    } = admitted;
    let may_ask = shared.base.people.mode != WaitMode::Unattended && context.call.kept().is_none();
    let arguments = may_ask.then(|| changed.unwrap_or_else(|| call.take_arguments().into_owned()));
    Ok(MemberStart::Ready(Box::new(ReadMember {
        begun,
        notes,
        arguments,
        never_waits: site.catalog.plan(context.call.number).never_waits,
        invocation,
        context,
    })))
}

impl<'a> DirectMember<'a> {
    /// Takes a call, unless something has to be decided before it may run.
    pub(crate) fn of(
        shared: &ExecutorCore,
        site: &CallSite<'_>,
        call: ToolCall<'a>,
        tool: Option<usize>,
    ) -> Result<Self, ToolCall<'a>> {
        let found = tool.map(|tool| (tool, site.catalog.entry(tool)));
        let is_direct =
            !shared.measures_time && DirectCall::of(shared, site, &call, found, None).is_some();
        match tool {
            Some(tool) if is_direct => Ok(Self { call, tool }),
            _ => Err(call),
        }
    }

    /// Returns true if the body never waits.
    pub(crate) fn never_waits(&self, site: &CallSite<'_>) -> bool {
        site.catalog.plan(self.tool).never_waits
    }

    pub(crate) fn arguments(&self) -> &Arguments<'a> {
        self.call.arguments()
    }

    /// Leaves a member without arguments.
    pub(crate) fn take_arguments(&mut self) -> Arguments<'a> {
        self.call.take_arguments()
    }

    /// The same member, borrowing nothing. Its name is dropped: its tool is known.
    pub(crate) fn into_owned(self) -> DirectMember<'static> {
        DirectMember {
            call: self.call.without_name().into_owned(),
            tool: self.tool,
        }
    }

    /// The same member, with the arguments that its queue holds.
    #[inline]
    fn with_text<'t>(self, texts: &'t ArgumentTexts, text: Option<&TextRange>) -> DirectMember<'t>
    where
        'a: 't,
    {
        let mut member: DirectMember<'t> = self;
        if let Some(range) = text {
            member.call = member.call.with_arguments(texts.at(range));
        }
        member
    }

    /// Runs the body up to where it has to wait, or to its end. If something has to be decided after all, it goes the
    /// way of any other member.
    #[inline]
    pub(crate) fn begin(
        mut self,
        turn: &Turn,
        task: &TaskRef,
        cx: &mut Context<'_>,
    ) -> Reached<MemberRest> {
        let site = turn.place_of_task(task);
        let found = Some((self.tool, site.catalog.entry(self.tool)));
        // An illegal step is a bug of the caller's, and nobody observes this call who could get the error.
        let _ = task.step(CallStatus::Running);
        let source = || MemberSource::of(turn, task, self.tool);
        match begin_apart(turn.shared(), &site, &mut self.call, found, cx, source) {
            Some(reached) => reached,
            None => self.begin_after_all(turn, &site, cx),
        }
    }

    #[cold]
    fn begin_after_all(
        mut self,
        turn: &Turn,
        site: &CallSite<'_>,
        cx: &mut Context<'_>,
    ) -> Reached<MemberRest> {
        match admitted(turn.shared(), site, (&mut self.call, Some(self.tool))) {
            Ok(MemberStart::Ended(outcome)) => Reached::Ended(*outcome),
            Ok(MemberStart::Ready(read)) => read.begin(turn, cx),
            Ok(MemberStart::Goes(call_state, stage)) => {
                Reached::elsewhere(Box::pin(call_state.drive(stage)))
            }
            Err(judged) => Reached::elsewhere(Box::pin(async move {
                match judged.await {
                    Preparing::Ended(outcome) => *outcome,
                    Preparing::Goes(call_state, stage) => call_state.drive(stage).await,
                }
            })),
        }
    }
}

impl ReadyMember {
    /// Runs the body up to where it has to wait, or to its end. The texts are those of the queue that had the member.
    #[inline]
    pub(crate) fn begin(
        self,
        texts: &ArgumentTexts,
        turn: &Turn,
        task: &TaskRef,
        cx: &mut Context<'_>,
    ) -> Reached<MemberRest> {
        match self {
            Self::Direct(direct, text) => {
                direct.with_text(texts, text.as_ref()).begin(turn, task, cx)
            }
            Self::Read(read) => read.begin(turn, cx),
        }
    }

    /// Runs the body, in a future that owns all that it needs.
    pub(crate) fn run(
        self,
        texts: &ArgumentTexts,
        turn: Turn,
        task: TaskRef,
    ) -> impl Future<Output = ToolOutcome> + Send + 'static {
        let owned = match self {
            Self::Direct(direct, text) => {
                Self::Direct(direct.with_text(texts, text.as_ref()).into_owned(), None)
            }
            read @ Self::Read(_) => read,
        };
        let none = ArgumentTexts::default();
        let mut ready = Some(owned);
        let mut rest = None;
        poll_fn(move |cx| {
            if let Some(ready) = ready.take() {
                match ready.begin(&none, &turn, &task, cx) {
                    Reached::Ended(outcome) => return Poll::Ready(outcome),
                    Reached::Goes(begun) => {
                        let is_polled = begun.is_polled();
                        rest = Some(begun);
                        if is_polled {
                            return Poll::Pending;
                        }
                    }
                }
            }
            match &mut rest {
                Some(rest) => Pin::new(rest).poll(cx),
                None => Poll::Pending,
            }
        })
    }
}

impl ReadMember {
    #[inline]
    fn begin(self, turn: &Turn, cx: &mut Context<'_>) -> Reached<MemberRest> {
        match begin_admitted(self.body(turn), cx) {
            Reached::Ended(outcome) => Reached::Ended(outcome),
            Reached::Goes(rest) => Reached::Goes(rest.into()),
        }
    }

    #[inline]
    fn body(mut self, turn: &Turn) -> PlainBody<'static, LentCore<'_>> {
        // Others may have run since the call was judged.
        self.context.state = self.context.session.state.snapshot();
        if let Some(scope) = &self.context.turn {
            // As in a direct member.
            let _ = scope.step(CallStatus::Running);
        }
        if let Some(environment) = self.context.call.environment() {
            environment.begin();
        }
        let catalog = turn
            .place_of(CallTurn::Scope(&turn.scope), self.context.invocation_id())
            .catalog;
        let shared = LentCore(turn.shared());
        let mut rest = PlainCall::new(shared, &catalog, self.begun, self.notes);
        rest.keep(self.arguments);
        PlainBody {
            rest,
            context: self.context,
            invocation: self.invocation,
        }
    }
}
