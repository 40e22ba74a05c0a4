//! The deadlines of calls, and the permits to run beside others.

mod deadline;
mod permit;

pub(crate) use deadline::{BodyStage, Deadline, DeadlineQueue, TimerFault};
pub(crate) use permit::{BatchLock, ConcurrencyPermit, PermitGuard, Saturated};
