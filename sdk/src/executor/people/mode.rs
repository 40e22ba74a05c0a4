//! The ways of a call that a person has to be asked about.

/// The way of a call that has to wait for somebody: for an approval, the answer to a question, a sign-in or a result
/// from elsewhere. See [`ExecutorBuilder::approvals`](crate::ExecutorBuilder::approvals).
///
/// A host that can answer at once, such as one at a terminal, takes [`Blocking`](Self::Blocking), and
/// answers by [`Executor::tickets`](crate::Executor::tickets) in a task of its own:
/// [`TicketBroker`](crate::ticket::TicketBroker) has an example. One whose people answer some time later, such
/// as a web server, takes [`Suspending`](Self::Suspending), for which
/// [`Suspension`](crate::outcome::Suspension) has one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WaitMode {
    /// Nobody is there: what would ask is denied at once, with code `approval_unavailable`. The model
    /// reads that nobody can approve it. To let such calls run, choose another mode, or set what decides
    /// without a person by [`ExecutorBuilder::permission_checker`](crate::ExecutorBuilder::permission_checker): a
    /// policy, a checker of the app, or [`AllowAll`](crate::permission::AllowAll).
    #[default]
    Unattended,
    /// The call awaits the answer, in this process. Its turn's or session's cancellation, the end of the
    /// session and the ticket's deadline end the wait; the time of the wait is not counted for the
    /// tool's timeout.
    ///
    /// If nobody has [subscribed](crate::ticket::TicketBroker::subscribe) when a call begins to wait, that is
    /// reported: an event [`Diagnostic`](crate::event::EventKind::Diagnostic) of code `nobody_listens`, and a
    /// warning of the crate `tracing` with the feature of that name.
    Blocking,
    /// The call ends as [`ToolOutcome::Suspended`](crate::ToolOutcome::Suspended), holds nothing
    /// while it waits, and goes on by [`Session::resume`](crate::Session::resume), in this process or
    /// another.
    Suspending,
}
