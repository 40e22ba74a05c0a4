//! Grants that are given in code.

use std::future::IntoFuture;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use super::PermissionRegistry;
use crate::id::{GrantId, SessionId};
use crate::pending::{Grant, GrantLevel, GrantMatcher, GrantScope, TicketError, TicketErrorKind};
use crate::permission::grants::{check_matcher, includes};

/// A grant that is given in code, once it is awaited: see [`PermissionRegistry::grant`].
#[derive(Debug)]
#[must_use = "a grant is given when it is awaited"]
pub struct Granting<'r> {
    registry: &'r PermissionRegistry,
    session: SessionId,
    covers: GrantMatcher,
    level: GrantLevel,
    scope: GrantScope,
    ends: Ends,
    reason: Option<String>,
}

#[derive(Debug)]
enum Ends {
    WithItsScope,
    In(Duration),
    At(SystemTime),
}

impl<'r> Granting<'r> {
    pub(super) fn new(
        registry: &'r PermissionRegistry,
        session: SessionId,
        covers: GrantMatcher,
    ) -> Self {
        Self {
            registry,
            session,
            covers,
            level: GrantLevel::Allow,
            scope: GrantScope::Session,
            ends: Ends::WithItsScope,
            reason: None,
        }
    }

    /// Which way it decides. Default: it allows.
    pub fn level(mut self, level: GrantLevel) -> Self {
        self.level = level;
        self
    }

    /// Where it holds. Default: in the session.
    pub fn scope(mut self, scope: GrantScope) -> Self {
        self.scope = scope;
        self
    }

    /// Lets it end after a while. Default: with its session or turn.
    pub fn expires_in(mut self, time: Duration) -> Self {
        self.ends = Ends::In(time);
        self
    }

    /// Lets it end at a time.
    pub fn expires_at(mut self, time: SystemTime) -> Self {
        self.ends = Ends::At(time);
        self
    }

    /// Says why. The reason of a refusal reaches the model.
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    async fn give(self) -> Result<GrantId, TicketError> {
        let Self {
            registry,
            session,
            covers,
            level,
            scope,
            ends,
            reason,
        } = self;
        check_matcher(&covers)
            .map_err(|why| TicketError::new(TicketErrorKind::InvalidGrant).with_detail(why))?;
        let tickets = registry.tickets();
        let mut end = match ends {
            Ends::WithItsScope => None,
            // What ends after all time does not end.
            Ends::In(time) => tickets.now()?.checked_add(time),
            Ends::At(time) => Some(time),
        };
        if level == GrantLevel::Allow {
            let above = registry.lasts_above(&session, &covers).await?;
            end = match (end, above) {
                (Some(own), Some(above)) => Some(own.min(above)),
                (own, above) => own.or(above),
            };
        }
        let grant = tickets
            .new_grant(session, covers, level)?
            .with_scope(scope)
            .with_expiry(end)
            .with_reason(reason);
        let id = grant.id();
        let is_lent = level == GrantLevel::Allow && !registry.above(grant.session()).is_empty();
        if !is_lent {
            tickets.add_grant(grant).await?;
            return Ok(id);
        }
        registry.shared.kin.lend(grant.session(), id);
        tickets.add_grant(grant.clone()).await?;
        // Meanwhile those above may have lost what it was lent of.
        if registry.outlasts_above(&grant).await? {
            tickets.revoke(grant.session(), id).await?;
            return Err(more_than_above(&registry.above(grant.session())));
        }
        Ok(id)
    }
}

impl<'r> IntoFuture for Granting<'r> {
    type Output = Result<GrantId, TicketError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'r>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.give())
    }
}

impl PermissionRegistry {
    /// Until when a session below another may have what is to be covered: as long as the ones above
    /// have it. Nothing where it does not end, or there is no session above.
    async fn lasts_above(
        &self,
        session: &SessionId,
        covers: &GrantMatcher,
    ) -> Result<Option<SystemTime>, TicketError> {
        let above = self.above(session);
        if above.is_empty() {
            return Ok(None);
        }
        let mut found: Option<Grant> = None;
        for session in &above {
            for grant in self.tickets().grants(session).await? {
                let is_fit = grant.level() == GrantLevel::Allow
                    && !grant.is_of_a_turn()
                    && includes(grant.covers(), covers);
                let lasts = |grant: &Grant| {
                    grant
                        .expires_at()
                        .map_or((true, None), |end| (false, Some(end)))
                };
                if is_fit
                    && found
                        .as_ref()
                        .is_none_or(|other| lasts(other) < lasts(&grant))
                {
                    found = Some(grant);
                }
            }
        }
        match found {
            Some(grant) => Ok(grant.expires_at()),
            None => Err(more_than_above(&above)),
        }
    }

    /// Takes back from the sessions below one what they were granted because it had as much, and what
    /// none above them has any more.
    pub(super) async fn withdraw_below(&self, session: &SessionId) -> Result<(), TicketError> {
        for (below, lent) in self.shared.kin.lent_below(session) {
            for grant in self.tickets().grants(&below).await? {
                if lent.contains(&grant.id()) && self.outlasts_above(&grant).await? {
                    self.tickets().revoke(&below, grant.id()).await?;
                }
            }
        }
        Ok(())
    }

    /// Whether a grant allows more, or for longer, than those above its session have.
    async fn outlasts_above(&self, grant: &Grant) -> Result<bool, TicketError> {
        match self.lasts_above(grant.session(), grant.covers()).await {
            Ok(None) => Ok(false),
            Ok(Some(end)) => Ok(grant.expires_at().is_none_or(|own| own > end)),
            Err(error) if error.kind() == TicketErrorKind::MoreThanParent => Ok(true),
            Err(error) => Err(error),
        }
    }
}

#[cold]
fn more_than_above(above: &[SessionId]) -> TicketError {
    let error = TicketError::new(TicketErrorKind::MoreThanParent);
    match above.first() {
        Some(parent) => error.with_detail(format!(
            "grant it to the session `{parent}` first, or let a person answer"
        )),
        None => error,
    }
}
