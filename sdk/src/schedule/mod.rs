//! The deadlines of calls, and the permits to run beside others.

mod coarse_timer;
mod deadline;
mod permit;

pub(crate) use coarse_timer::{CoarseTimers, Overdue};
pub(crate) use deadline::{BodyStage, Deadline, DeadlineQueue, TimerFault};
pub(crate) use permit::{BatchLock, ConcurrencyPermit, PermitGuard, Saturated};
