//! The deadlines of calls, and the permits to run beside others.

mod deadline;
mod permit;

pub(crate) use deadline::{Alarm, Alarms, NoTimers};
pub(crate) use permit::{Full, Lane, Seat, Seated};
