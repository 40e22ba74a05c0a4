//! The face of the broker for permissions.

mod approval;
mod granting;
mod kin;
mod receiver;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use approval::{PendingApproval, PendingAsk};
pub use granting::GrantBuilder;
use kin::Kin;
pub(crate) use kin::SubSessionEntry;
pub use receiver::PermissionReceiver;

use super::grants::{GrantCheckers, GrantQuery, GrantRuling, SessionGrants};
use super::{PermissionEvaluator, PermissionRequest, trust_options};
use crate::id::{GrantId, SessionId, TicketId};
use crate::ticket::{
    Answer, AnswerProgress, Answers, Grant, GrantScope, Requester, TicketBroker, TicketError,
    TicketErrorKind, TicketFilter, WaitKind,
};

/// The calls that wait for approval, and the grants of sessions: a host lists and answers, grants and revokes; a tool
/// registers requests of its own.
///
/// It is a face of the executor's one [`TicketBroker`]: what calls ask for before they run is here too.
/// A grant belongs to a session, by its id: no other session has it, but for those
/// [below](crate::Session) it, and it ends with the session. It answers what a policy would ask; what a
/// policy denies stays denied. A refusal that was granted ([`GrantLevel::Deny`](crate::ticket::GrantLevel))
/// holds also where a policy allows.
///
/// Cloning is cheap; all clones are one registry.
#[derive(Debug, Clone)]
pub struct PermissionRegistry {
    tickets: TicketBroker,
    kin: Arc<Kin>,
    checkers: Arc<GrantCheckers>,
}

impl PermissionRegistry {
    pub(crate) fn new(tickets: TicketBroker) -> Self {
        Self {
            tickets,
            kin: Arc::default(),
            checkers: Arc::default(),
        }
    }

    /// Notes the executor's checker, and returns the checkers that say what grants cover.
    pub(crate) fn judged_by(&self, judge: &Arc<PermissionEvaluator>) -> &Arc<GrantCheckers> {
        self.checkers.install(Arc::clone(judge));
        &self.checkers
    }

    /// Notes that a session is below others, the nearest first, as long as what is returned lives.
    pub(crate) fn adopt(&self, session: SessionId, above: Vec<SessionId>) -> Arc<SubSessionEntry> {
        self.kin.adopt(session, above)
    }

    /// Forgets a session that has ended.
    pub(crate) fn forget(&self, session: &SessionId) {
        self.kin.forget(session);
        self.checkers.forget(session);
    }

    /// The broker behind it.
    pub fn tickets(&self) -> &TicketBroker {
        &self.tickets
    }

    /// Puts a request before people, and gives what receives the answer. Dropping that cancels the
    /// request. What a grant covers is answered at once, and nobody is asked.
    ///
    /// The request belongs to a call, most simply by its [`ToolContext`](crate::ToolContext). No policy is asked here,
    /// and the call waits in its task: a tool that is to work everywhere, and by the app's policy, asks by
    /// [`ToolContext::check`](crate::ToolContext::check).
    ///
    /// ```
    /// use toolwright::{PermissionRequest, ToolContext, ToolError};
    /// use toolwright::permission::PermissionRegistry;
    ///
    /// async fn deploy(
    ///     version: &str,
    ///     permissions: &PermissionRegistry,
    ///     ctx: &ToolContext,
    /// ) -> Result<String, ToolError> {
    ///     let request = PermissionRequest::new("deploy", "production", "Deploy to production")
    ///         .with_detail("version", version);
    ///     let answer = permissions.register(ctx, request).await?.recv().await?;
    ///     if answer.is_refusal() {
    ///         return Err(ToolError::denied("permission denied"));
    ///     }
    ///     Ok(format!("deployed {version}"))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if nobody is there to be asked, or if the ticket cannot be stored.
    pub async fn register(
        &self,
        by: impl Into<Requester>,
        request: PermissionRequest,
    ) -> Result<PermissionReceiver, TicketError> {
        let by = by.into();
        if !self.tickets.is_attended() {
            return Err(TicketError::new(TicketErrorKind::Unavailable)
                .with_detail("nobody is here to give approval"));
        }
        let judge = self.checkers.of(&by.session);
        let trust = trust_options(&judge, &by.tool, &request, None);
        let request = request.into_pending("the tool asks for it", trust);
        let waiting = self.tickets.register(by, WaitKind::Approval, request);
        waiting.await.map(PermissionReceiver::new)
    }

    /// The calls that wait for approval, the oldest first, each with what is left to answer.
    ///
    /// # Errors
    ///
    /// Fails if the store of tickets cannot be read.
    pub async fn pending(
        &self,
        filter: &TicketFilter,
    ) -> Result<Vec<PendingApproval>, TicketError> {
        let open = self.tickets.list(filter).await?;
        Ok(open.iter().filter_map(PendingApproval::of).collect())
    }

    /// Answers a request of a ticket, by its number counted from 0. Tells how far the ticket is.
    ///
    /// # Errors
    ///
    /// As for [`TicketBroker::answer`].
    pub async fn respond(
        &self,
        ticket: TicketId,
        request: usize,
        answer: Answer,
    ) -> Result<AnswerProgress, TicketError> {
        let answers = Answers::none().with(request, answer);
        self.tickets.answer(ticket, answers).await
    }

    /// Returns true if a grant allows a request of a call, so that nobody would be asked about it. The policy is not
    /// asked.
    ///
    /// # Errors
    ///
    /// Fails if the store of grants cannot be read.
    pub async fn is_granted(
        &self,
        by: impl Into<Requester>,
        request: &PermissionRequest,
    ) -> Result<bool, TicketError> {
        let by = by.into();
        let above = self.kin.above(&by.session);
        let grants = SessionGrants::new(by.session.clone()).with_above(above);
        grants.refresh(&self.tickets).await?;
        let query = GrantQuery::new(&by.tool, request);
        let judge = self.checkers.of(&by.session);
        let ruling = grants.decide(&judge, &query, by.turn, self.tickets.now()?);
        Ok(ruling == Some(GrantRuling::Allowed))
    }

    /// Grants something to a session, in code: awaited, it gives the id of the grant.
    ///
    /// ```
    /// # async fn example(
    /// #     permissions: &toolwright::permission::PermissionRegistry,
    /// #     session: toolwright::id::SessionId,
    /// # ) -> Result<(), toolwright::ticket::TicketError> {
    /// use std::time::Duration;
    /// use toolwright::ticket::{GrantLevel, GrantScope};
    ///
    /// permissions
    ///     .grant(session.clone(), GrantScope::reads("/srv/app/docs"))
    ///     .expires_in(Duration::from_secs(600))
    ///     .await?;
    /// permissions
    ///     .grant(session, GrantScope::command(["git", "push"]))
    ///     .level(GrantLevel::Deny)
    ///     .because("a person pushes")
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if it can never cover anything, if the session is below one that has no grant of as much
    /// ([`MoreThanParent`](TicketErrorKind::MoreThanParent)), or if it cannot be stored.
    pub fn grant(&self, session: impl Into<SessionId>, covers: GrantScope) -> GrantBuilder<'_> {
        GrantBuilder::new(self, session.into(), covers)
    }

    /// Takes a grant back; tells whether it was there. What sessions below were
    /// [granted](Self::grant) of it is taken back with it; what people answered in them stays.
    ///
    /// # Errors
    ///
    /// Fails if the store of grants cannot be written.
    pub async fn revoke(
        &self,
        session: impl Into<SessionId>,
        grant: GrantId,
    ) -> Result<bool, TicketError> {
        let session = session.into();
        let was_there = self.tickets.revoke(&session, grant).await?;
        self.withdraw_below(&session).await?;
        Ok(was_there)
    }

    /// The grants of a session that hold still, the oldest first; those above it are not among them.
    ///
    /// # Errors
    ///
    /// Fails if the store of grants cannot be read.
    pub async fn list(&self, session: impl Into<SessionId>) -> Result<Vec<Grant>, TicketError> {
        self.tickets.grants(&session.into()).await
    }

    /// Takes back all that was granted in a session, refusals too. Returns the number of grants that were stored,
    /// expired ones included. Sessions below are treated as by [`revoke`](Self::revoke).
    ///
    /// # Errors
    ///
    /// Fails if the store of grants cannot be written.
    pub async fn reset(&self, session: impl Into<SessionId>) -> Result<usize, TicketError> {
        let session = session.into();
        let removed = self.tickets.clear_grants(&session).await?;
        self.withdraw_below(&session).await?;
        Ok(removed)
    }
}
