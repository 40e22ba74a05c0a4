//! Sinks of events, and the way that events take to them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::{Event, EventCall, EventKind};
use crate::id::SessionId;
use crate::util::panic::catch_panic;

/// Takes what happens in an executor ([`ExecutorBuilder::events`](crate::ExecutorBuilder::events)) or in one of its
/// sessions ([`SessionOptions::events`](crate::executor::SessionOptions::events)).
///
/// A closure is one. [`EventChannel`](crate::event::EventChannel) is one for whoever wants to await,
/// [`MemoryEvents`](crate::event::MemoryEvents) keeps the last ones, and with the feature `tracing`
/// `TracingEvents` writes them to a log.
///
/// ```
/// use std::sync::Arc;
/// use toolwright::{Executor, ToolRegistry};
/// use toolwright::event::Event;
///
/// let executor = Executor::builder(ToolRegistry::new())
///     .events(|event: &Arc<Event>| {
///         let tool = event.call().map_or("-", |call| call.tool());
///         eprintln!("{} {tool} {:?}", event.sequence(), event.kind());
///     })
///     .build()?;
/// # let _ = executor;
/// # Ok::<(), toolwright::BuildError>(())
/// ```
pub trait EventSink: Send + Sync + 'static {
    /// Takes an event, in the thread in which it happened: it must not block, for the tool does not go
    /// on until it returns. A panic is caught, and the event is lost to this sink.
    fn accept(&self, event: &Arc<Event>);
}

impl<F: Fn(&Arc<Event>) + Send + Sync + 'static> EventSink for F {
    fn accept(&self, event: &Arc<Event>) {
        self(event);
    }
}

/// The sinks of an executor or of a session, at least one.
struct EventHub {
    sinks: Vec<Arc<dyn EventSink>>,
    sequence: Arc<AtomicU64>,
}

/// The way of a session to its sinks and those of its executor, if there are any.
#[derive(Clone, Default)]
pub(crate) struct Events(Option<Arc<EventHub>>);

impl Events {
    /// The sinks, and the number of the next event of their executor.
    pub(crate) fn new(sinks: Vec<Arc<dyn EventSink>>, sequence: &Arc<AtomicU64>) -> Self {
        let sequence = Arc::clone(sequence);
        Self((!sinks.is_empty()).then(|| Arc::new(EventHub { sinks, sequence })))
    }

    /// Returns the way to these sinks, and then to more.
    pub(crate) fn and(&self, more: Vec<Arc<dyn EventSink>>, sequence: &Arc<AtomicU64>) -> Self {
        if more.is_empty() {
            return self.clone();
        }
        let these = self.0.iter().flat_map(|hub| hub.sinks.iter().cloned());
        Self::new(these.chain(more).collect(), sequence)
    }

    #[inline]
    pub(crate) fn is_listening(&self) -> bool {
        self.0.is_some()
    }

    /// Tells the sinks. What happened is worked out only if there are any.
    #[inline]
    pub(crate) fn emit(
        &self,
        session: Option<&SessionId>,
        call: Option<&Arc<EventCall>>,
        kind: impl FnOnce() -> EventKind,
    ) {
        if let Some(hub) = &self.0 {
            hub.tell(session, call, kind());
        }
    }

    /// Tells the sinks of the next event of a call; `last` is the one before. Events that happen at one moment share
    /// its time, which is read once.
    #[inline]
    pub(crate) fn emit_next(
        &self,
        last: &mut Option<Arc<Event>>,
        (session, call): (&SessionId, &Arc<EventCall>),
        time: &mut Option<SystemTime>,
        kind: impl FnOnce() -> EventKind,
    ) {
        if let Some(hub) = &self.0 {
            let time = *time.get_or_insert_with(SystemTime::now);
            hub.tell_next(last, (session, call), time, kind());
        }
    }
}

impl EventHub {
    #[cold]
    fn tell(&self, session: Option<&SessionId>, call: Option<&Arc<EventCall>>, kind: EventKind) {
        self.accept(&Arc::new(self.event(
            session,
            call,
            SystemTime::now(),
            kind,
        )));
    }

    fn event(
        &self,
        session: Option<&SessionId>,
        call: Option<&Arc<EventCall>>,
        time: SystemTime,
        kind: EventKind,
    ) -> Event {
        let sequence = self.sequence.fetch_add(1, Ordering::Relaxed);
        Event {
            sequence,
            time,
            session: session.cloned(),
            call: call.cloned(),
            kind,
        }
    }

    /// Tells of the next event of a call. Its memory is that of the last, if no sink has kept that.
    #[cold]
    fn tell_next(
        &self,
        last: &mut Option<Arc<Event>>,
        (session, call): (&SessionId, &Arc<EventCall>),
        time: SystemTime,
        kind: EventKind,
    ) {
        if let Some(event) = last.as_mut().and_then(Arc::get_mut) {
            event.sequence = self.sequence.fetch_add(1, Ordering::Relaxed);
            event.time = time;
            event.kind = kind;
        } else {
            *last = Some(Arc::new(self.event(Some(session), Some(call), time, kind)));
        }
        if let Some(event) = last {
            self.accept(event);
        }
    }

    fn accept(&self, event: &Arc<Event>) {
        for sink in &self.sinks {
            // A sink that panics affects neither the call nor the other sinks.
            let _ = catch_panic(|| sink.accept(event));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_sink_nothing_is_built() {
        let events = Events::new(Vec::new(), &Arc::default());
        let session = SessionId::from("s");
        assert!(!events.is_listening());
        let counted = allocation_counter::measure(|| {
            for _ in 0..100 {
                events.emit(Some(&session), None, || unreachable!("nobody takes it"));
            }
        });
        assert_eq!(counted.count_total, 0);
    }

    #[test]
    fn the_memory_of_an_event_is_used_again_unless_a_sink_keeps_it() {
        let session = SessionId::from("s");
        let call = Arc::new(EventCall {
            turn: crate::id::TurnId::new(1),
            invocation: crate::id::InvocationId::from_parts(1, 1),
            parent: None,
            call_id: None,
            tool: crate::id::Label::Static("add"),
            version: None,
            over: crate::event::CallOver::default(),
        });
        let kept = crate::event::MemoryEvents::new(100);
        let looks: Arc<dyn EventSink> =
            Arc::new(|event: &Arc<Event>| assert!(event.call().is_some()));
        let keeps: Arc<dyn EventSink> = Arc::new(kept.clone());
        let tell = |events: &Events| {
            let mut last = None;
            for _ in 0..10 {
                let of = (&session, &call);
                events.emit_next(&mut last, of, &mut None, || EventKind::Started);
            }
        };
        let events = Events::new(vec![Arc::clone(&looks)], &Arc::default());
        let counted = allocation_counter::measure(|| tell(&events));
        assert_eq!(counted.count_total, 1);
        tell(&Events::new(vec![looks, keeps], &Arc::default()));
        let numbers: Vec<u64> = kept.events().iter().map(|event| event.sequence()).collect();
        assert_eq!(numbers, (0..10).collect::<Vec<_>>());
    }
}
