//! Grants are kept by session.

use std::sync::Arc;

use super::{Works, at_once, same, sample};
use crate::id::SessionId;
use crate::ticket::{SealedGrant, TicketStore};

pub(super) async fn check<S: TicketStore>(store: Arc<S>) {
    let (s, other) = (SessionId::new("s"), SessionId::new("other"));
    lists(&*store, &s, &[], "a session has grants that were never put").await;

    let mine: Vec<SealedGrant> = (0..3)
        .map(|number| sample::grant("s", 9 - number))
        .collect();
    let theirs = [sample::grant("other", 20)];
    for grant in mine.iter().chain(&theirs) {
        store.put_grant(grant).await.works("put_grant");
    }
    let otherwise = "`grants` does not give what was put for a session, the oldest first";
    lists(&*store, &s, &mine, otherwise).await;
    lists(&*store, &other, &theirs, otherwise).await;
    store.put_grant(&mine[0]).await.works("put_grant");
    lists(
        &*store,
        &s,
        &mine,
        "a second `put_grant` of an id is not the same grant",
    )
    .await;

    let id = mine[1].grant().id();
    let remove = async |session| store.remove_grant(session, id).await.works("remove_grant");
    same(
        remove(&other).await,
        false,
        "a session removed a grant of another",
    );
    lists(&*store, &s, &mine, "a session removed a grant of another").await;
    same(
        remove(&s).await,
        true,
        "a grant that was there could not be removed",
    );
    same(remove(&s).await, false, "a grant was removed twice");
    let left = [mine[0].clone(), mine[2].clone()];
    lists(
        &*store,
        &s,
        &left,
        "`remove_grant` does not remove just that grant",
    )
    .await;

    let crowd = at_once(24, |number| {
        let store = Arc::clone(&store);
        async move {
            let grant = sample::grant("crowd", 100 + u32::try_from(number).unwrap_or_default());
            store.put_grant(&grant).await.works("put_grant");
        }
    });
    crowd.await;
    let kept = store.grants(&"crowd".into()).await.works("grants");
    same(
        kept.len(),
        24,
        "of grants that were put at once some are lost",
    );
}

async fn lists(
    store: &impl TicketStore,
    session: &SessionId,
    expected: &[SealedGrant],
    otherwise: &str,
) {
    let found = store.grants(session).await.works("grants");
    same(&found[..], expected, otherwise);
}
