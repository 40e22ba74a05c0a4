//! Grants that are given in code.

use std::future::IntoFuture;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use super::PermissionRegistry;
use crate::id::{GrantId, SessionId};
use crate::permission::grants::{check_matcher, includes};
use crate::ticket::{Grant, GrantLevel, GrantLifetime, GrantScope, TicketError, TicketErrorKind};

/// A grant that is given in code, once it is awaited: see [`PermissionRegistry::grant`].
#[derive(Debug)]
#[must_use = "a grant is given when it is awaited"]
pub struct GrantBuilder<'r> {
    registry: &'r PermissionRegistry,
    session: SessionId,
    covers: GrantScope,
    level: GrantLevel,
    scope: GrantLifetime,
    ends: Ends,
    reason: Option<String>,
}

#[derive(Debug)]
enum Ends {
    WithItsScope,
    In(Duration),
    At(SystemTime),
}

impl<'r> GrantBuilder<'r> {
    pub(super) fn new(
        registry: &'r PermissionRegistry,
        session: SessionId,
        covers: GrantScope,
    ) -> Self {
        Self {
            registry,
            session,
            covers,
            level: GrantLevel::Allow,
            scope: GrantLifetime::Session,
            ends: Ends::WithItsScope,
            reason: None,
        }
    }

    /// Sets the level: allow or deny. Default: allow.
    pub fn level(mut self, level: GrantLevel) -> Self {
        self.level = level;
        self
    }

    /// Sets the lifetime: the session or a turn. Default: the session.
    pub fn scope(mut self, scope: GrantLifetime) -> Self {
        self.scope = scope;
        self
    }

    /// Lets it end after a time, counted from now by the system's clock. Default: with its session or turn.
    pub fn expires_in(mut self, time: Duration) -> Self {
        self.ends = Ends::In(time);
        self
    }

    /// Lets it end at a time of the system's clock. Default: with its session or turn.
    pub fn expires_at(mut self, time: SystemTime) -> Self {
        self.ends = Ends::At(time);
        self
    }

    /// Sets the reason. That of a refusal reaches the model. Default: none.
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
            // A time beyond the range of the clock means no end.
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
            .with_reason(reason.as_deref());
        let id = grant.id();
        let parent = registry.kin.above(grant.session()).into_iter().next();
        let Some(parent) = parent.filter(|_| level == GrantLevel::Allow) else {
            tickets.add_grant(grant).await?;
            return Ok(id);
        };
        registry.kin.lend(grant.session(), id);
        tickets.add_grant(grant.clone()).await?;
        // The sessions above may have lost their grant meanwhile.
        if registry.outlasts_above(&grant).await? {
            tickets.revoke(grant.session(), id).await?;
            return Err(more_than(&parent));
        }
        Ok(id)
    }
}

impl<'r> IntoFuture for GrantBuilder<'r> {
    type Output = Result<GrantId, TicketError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'r>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.give())
    }
}

impl PermissionRegistry {
    /// Until when a session below another may have what is to be covered: as long as one above has
    /// it. Nothing where that does not end, or there is no session above.
    async fn lasts_above(
        &self,
        session: &SessionId,
        covers: &GrantScope,
    ) -> Result<Option<SystemTime>, TicketError> {
        let above = self.kin.above(session);
        let Some(parent) = above.first() else {
            return Ok(None);
        };
        let mut ends = Vec::new();
        for session in &above {
            let grants = self.tickets().grants(session).await?;
            let fit = grants.iter().filter(|grant| {
                grant.level() == GrantLevel::Allow
                    && !grant.is_of_a_turn()
                    && includes(grant.covers(), covers)
            });
            ends.extend(fit.map(Grant::expires_at));
        }
        let longest = ends.into_iter().max_by_key(|end| (end.is_none(), *end));
        longest.ok_or_else(|| more_than(parent))
    }

    /// Takes back from the sessions below one what they were granted because it had as much, and what
    /// none above them has any more.
    pub(super) async fn withdraw_below(&self, session: &SessionId) -> Result<(), TicketError> {
        for (below, lent) in self.kin.lent_below(session) {
            for grant in self.tickets().grants(&below).await? {
                if lent.contains(&grant.id()) && self.outlasts_above(&grant).await? {
                    self.tickets().revoke(&below, grant.id()).await?;
                }
            }
        }
        Ok(())
    }

    /// Returns true if a grant allows more, or for longer, than the grants above its session.
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
fn more_than(parent: &SessionId) -> TicketError {
    TicketError::new(TicketErrorKind::MoreThanParent).with_detail(format!(
        "grant it to the session `{parent}` first, or let a person answer"
    ))
}
