//! Calls of sessions with a call source: the source answers them or lets them run, and nobody is asked about
//! them.

use std::sync::Arc;
use std::time::Instant;

use crate::arguments::Arguments;
use crate::content::{ToolCall, ToolError};
use crate::context::{ArgumentsInFlight, CallExtras, CallIds, ToolContext};
use crate::context::{CallEnvironment, Seed};
use crate::executor::arguments::read::{ReadNotes, read};
use crate::executor::call::commands::apply_in;
use crate::executor::call::outcome::{self, ResultDetails, limit_of, settle};
use crate::executor::call::run::perform;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::{CallSite, name_of};
use crate::executor::guard::catch_tool_panic;
use crate::executor::observe::observer::{CallObserver, notify, span_of};
use crate::executor::observe::recorder::spec_of;
use crate::executor::output::limit::{Cut, limited};
use crate::id::{Label, TurnId};
use crate::outcome::ToolOutcome;
use crate::record::{
    CallSource, RecordedEnvironment, RepeatedRun, SourceDecision, SourcedAnswer, SourcedCall,
};
use crate::registry::ToolEntry;
use crate::spec::ToolSpec;
use crate::tool::Invocation;
use crate::util::port::{PortFailure, call_port};

/// A call whose result comes from a source.
struct SourcedRun<'a> {
    shared: &'a Arc<ExecutorCore>,
    place: &'a CallSite<'a>,
    call: &'a ToolCall<'a>,
    source: &'a dyn CallSource,
    observer: Option<Box<CallObserver>>,
    begun: Option<Instant>,
    notes: ReadNotes,
}

/// The tool of a call, if there is one.
type FoundTool<'a> = Option<(usize, &'a ToolEntry, &'a ToolSpec)>;

/// The arguments that the tool accepts, where they are not those that were sent; or why it does not accept them.
type ReadArguments = Result<Option<Arguments<'static>>, ToolError>;

/// Runs a call from its beginning to its end.
pub(crate) async fn run(
    shared: &Arc<ExecutorCore>,
    place: &CallSite<'_>,
    call: &ToolCall<'_>,
    source: &dyn CallSource,
) -> ToolOutcome {
    let observer = CallObserver::of(shared, place, call, place.find(call).0);
    let span = span_of(observer.as_deref());
    let run = SourcedRun {
        shared,
        place,
        call,
        source,
        observer,
        begun: shared.measures_time.then(Instant::now),
        notes: ReadNotes::default(),
    };
    span.cover(run.run()).await
}

impl<'a> SourcedRun<'a> {
    async fn run(mut self) -> ToolOutcome {
        if let Some(observer) = &mut self.observer {
            observer.request();
        }
        let found = self.found();
        let label = found.map_or_else(|| name_of(self.call), |(_, entry, _)| entry.name.label());
        let (body, read) = found.map(|(_, entry, _)| self.read(entry)).unzip();
        let body = body.flatten();
        let decision = match self.decide(found, label.as_str(), read.as_ref()).await {
            Ok(decision) => decision,
            Err(why) => SourceDecision::answer(self.unreadable(why)),
        };
        let answer = match (decision, read) {
            (SourceDecision::Answer(answer), _) => {
                // Dropping the body may panic; the call is answered all the same.
                let _ = catch_tool_panic("the tool", || drop(body));
                *answer
            }
            (SourceDecision::Run { environment, turn }, Some(Ok(changed))) => {
                let arguments =
                    changed.unwrap_or_else(|| self.call.arguments().clone().into_owned());
                let context = self.context(found, arguments, environment, turn);
                match body.zip(context) {
                    Some((body, context)) => self.repeat(body, &context).await,
                    None => self.absent(),
                }
            }
            (SourceDecision::Run { .. }, Some(Err(error))) => SourcedAnswer::refused(error),
            (SourceDecision::Run { .. }, None) => self.absent(),
        };
        self.end(found, label, answer)
    }

    /// The tool, also if it is not advertised to models: the source gives the result of the call.
    fn found(&self) -> FoundTool<'a> {
        let (number, entry) = self.place.catalog.snapshot.find(self.call.name())?;
        Some((number, entry, spec_of(entry)?))
    }

    fn read(&mut self, entry: &ToolEntry) -> (Option<Box<dyn Invocation>>, ReadArguments) {
        let mut changed = None;
        let read = read(
            &self.shared.reading,
            self.place.catalog.snapshot.asks_purpose(),
            entry,
            (self.call.arguments(), false),
            &mut changed,
            &mut self.notes,
        );
        match read {
            Ok(invocation) => (Some(invocation), Ok(changed)),
            Err(error) => (None, Err(error)),
        }
    }

    async fn decide(
        &self,
        found: FoundTool<'_>,
        tool: &str,
        read: Option<&ReadArguments>,
    ) -> Result<SourceDecision, PortFailure> {
        let place = self.place;
        let sent = self.call.arguments();
        let call = SourcedCall {
            parent: place.call_stack.map(|call_stack| call_stack.parent),
            call_id: self.call.id(),
            spec: found.map(|(.., spec)| spec),
            read: read.map(|read| match read {
                Ok(changed) => Ok(changed.as_ref().unwrap_or(sent)),
                Err(error) => Err(error),
            }),
            ..SourcedCall::new(
                place.invocation_id,
                &place.session.id,
                place.turn_id,
                tool,
                sent,
            )
        };
        call_port(self.shared.base.store_timeout, || self.source.decide(&call)).await
    }

    /// Runs the body, and asks the source for the result.
    async fn repeat(
        &mut self,
        invocation: Box<dyn Invocation>,
        context: &ToolContext,
    ) -> SourcedAnswer {
        let (place, tool) = (self.place, context.call.number);
        if let Some(observer) = &mut self.observer {
            observer.start();
        }
        let environment = context.call.environment();
        if let Some(environment) = environment {
            environment.begin();
        }
        let (mut source, mut output) = perform(&place.catalog, tool, invocation, context).await;
        let _ = place.session.wait_tracker.take(place.invocation_id);
        let plan = place.catalog.plan(tool);
        let observer = self.observer.as_deref();
        let happen = |commands| apply_in(context, observer, commands);
        settle(plan, &mut source, &mut output, happen);
        let run = RepeatedRun {
            clock_readings: environment.map_or(0, |environment| environment.times_read()),
            ..RepeatedRun::new(place.invocation_id, source, output)
        };
        let limit = self.shared.base.store_timeout;
        let answer = call_port(limit, || self.source.repeated(run)).await;
        answer.unwrap_or_else(|why| self.unreadable(why))
    }

    fn context(
        &self,
        found: FoundTool<'_>,
        arguments: Arguments<'static>,
        environment: Option<RecordedEnvironment>,
        turn: Option<TurnId>,
    ) -> Option<ToolContext> {
        let (tool, ..) = found?;
        let place = self.place;
        let observer = self.observer.as_deref();
        let environment = match environment {
            Some(RecordedEnvironment { seed, clock }) => {
                Arc::new(CallEnvironment::recorded(Seed(seed), clock))
            }
            None => place.session.environment.another(),
        };
        let extras = CallExtras {
            metadata: self.call.metadata().cloned(),
            watched: observer.map(|observer| Arc::clone(&observer.call)),
            kept: Some(Arc::new(ArgumentsInFlight {
                arguments,
                purpose: self.notes.purpose.clone(),
            })),
            call_stack: place.call_stack.cloned(),
            specs: place.catalog.specs(),
            environment: Some(environment),
            ..CallExtras::default()
        };
        Some(ToolContext::new(
            Arc::clone(place.session),
            place.turn.scope().cloned(),
            CallIds {
                turn: turn.unwrap_or(place.turn_id),
                invocation: place.invocation_id,
                call: self.call.id(),
            },
            tool,
            Some(Arc::new(extras)),
        ))
    }

    #[cold]
    fn absent(&self) -> SourcedAnswer {
        let name = name_of(self.call);
        let text = format!("`{}` was not run: there is no such tool", name.as_str());
        SourcedAnswer::refused(ToolError::not_found(text))
    }

    #[cold]
    fn unreadable(&self, why: PortFailure) -> SourcedAnswer {
        let name = name_of(self.call);
        let error = ToolError::unavailable(format!(
            "`{}` was not run or its result is withheld: the results of this session come from a record, \
             which cannot be read",
            name.as_str()
        ));
        SourcedAnswer::refused(error.with_code("record_unreadable").with_source(why))
    }

    /// Ends the call. A large result is cut for good: the executor's store keeps results of its own calls alone.
    fn end(self, found: FoundTool<'_>, tool: Label, answer: SourcedAnswer) -> ToolOutcome {
        let SourcedAnswer {
            source,
            mut output,
            remarks,
            response,
        } = answer;
        let plan = found.map(|(tool, ..)| self.place.catalog.plan(tool));
        let limit = limit_of(self.shared, plan, source);
        output.note_response(response.map(|response| (response.hash, response.is_normalized)));
        if output.size() > limit {
            output = limited(output, limit, Cut::ForGood);
        }
        let identity = self.place.identity(self.call.id().cloned(), tool);
        let details = ResultDetails {
            notes: self.notes,
            begun: self.begun,
            edited: false,
            remarks,
        };
        let ended = outcome::ended(identity, source, output, Some(details));
        notify(self.observer, ended)
    }
}
