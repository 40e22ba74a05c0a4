//! Grants that are given in code, and how they end.

use super::*;

#[tokio::test]
async fn what_was_granted_ends() {
    let Bench { registry, now, .. } = &bench();
    let granted = async |turn: u64| {
        let request = write("/ws/a");
        registry.is_granted(by("s", turn), &request).await.unwrap()
    };
    registry
        .grant("s", writes("/ws"))
        .expires_in(Duration::from_secs(10))
        .await
        .unwrap();
    assert!(granted(1).await);
    now.fetch_add(10, Ordering::SeqCst);
    assert!(!granted(1).await);
    let id = registry
        .grant("s", writes("/ws"))
        .scope(GrantLifetime::Turn(TurnId::new(1)))
        .await
        .unwrap();
    assert!(granted(1).await);
    assert!(!granted(2).await);
    assert!(!registry.revoke("other", id).await.unwrap());
    assert!(registry.revoke("s", id).await.unwrap());
    assert!(!registry.revoke("s", id).await.unwrap());
    assert!(!granted(1).await);
    for _ in 0..2 {
        registry.grant("s", writes("/ws")).await.unwrap();
    }
    registry.grant("other", writes("/ws")).await.unwrap();
    // Expired grants are still in the store.
    assert_eq!(registry.reset("s").await.unwrap(), 3);
    assert!(!granted(1).await);
    assert_eq!(registry.list("other").await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_session_below_is_granted_no_more_than_those_above_have() {
    let Bench { registry, now, .. } = &bench();
    let _child = registry.adopt("child".into(), vec!["parent".into()]);
    let _deep = registry.adopt("deep".into(), vec!["child".into(), "parent".into()]);
    let kind = async |session: &str, covers: GrantScope| {
        registry
            .grant(session, covers)
            .await
            .map_err(|error| error.kind())
    };
    let more = Err(TicketErrorKind::MoreThanParent);
    for below in ["child", "deep"] {
        assert_eq!(kind(below, writes("/ws/src")).await, more);
    }
    registry
        .grant("parent", writes("/ws"))
        .expires_in(Duration::from_secs(10))
        .await
        .unwrap();
    let granted = async |session: &str, path: &str| {
        registry
            .is_granted(by(session, 1), &write(path))
            .await
            .unwrap()
    };
    for below in ["child", "deep"] {
        // A grant above holds below.
        assert!(granted(below, "/ws/src/a").await);
        assert!(kind(below, writes("/ws/src")).await.is_ok());
        assert_eq!(kind(below, writes("/other")).await, more);
        assert_eq!(kind(below, GrantScope::reads("/ws/src")).await, more);
    }
    // A grant below stays below, and lasts no longer than the grant above.
    assert_eq!(registry.list("parent").await.unwrap().len(), 1);
    now.fetch_add(10, Ordering::SeqCst);
    assert!(!granted("child", "/ws/src/a").await);
    // Among several grants above, the one that lasts longest counts.
    for time in [5, 20] {
        let grant = registry.grant("parent", writes("/ws"));
        grant.expires_in(Duration::from_secs(time)).await.unwrap();
    }
    kind("child", writes("/ws")).await.unwrap();
    let [own] = registry.list("child").await.unwrap().try_into().unwrap();
    let last = registry.list("parent").await.unwrap().pop().unwrap();
    assert_eq!(own.expires_at(), last.expires_at());
    // A refusal above holds below, whatever is granted there.
    assert!(granted("child", "/ws/src/a").await);
    registry
        .grant("parent", writes("/ws/src"))
        .level(GrantLevel::Deny)
        .scope(GrantLifetime::Turn(TurnId::new(99)))
        .await
        .unwrap();
    assert!(!granted("child", "/ws/src/a").await);
    // Anybody may refuse.
    let refused = registry
        .grant("child", GrantScope::reads("/x"))
        .level(GrantLevel::Deny);
    assert!(refused.await.is_ok());
    registry.forget(&"child".into());
    assert!(kind("child", writes("/other")).await.is_ok());
}

#[tokio::test]
async fn sessions_that_are_above_each_other_end_somewhere() {
    let Bench { registry, .. } = &bench();
    let _a = registry.adopt("a".into(), vec!["b".into()]);
    let _b = registry.adopt("b".into(), vec!["a".into(), "b".into()]);
    let granted = registry.is_granted(by("a", 1), &write("/ws/a")).await;
    assert!(!granted.unwrap());
}

#[tokio::test]
async fn what_can_never_cover_anything_is_no_grant() {
    let Bench { registry, .. } = &bench();
    for covers in [
        writes("src"),
        writes("/ws/../etc"),
        GrantScope::command([""; 0]),
        GrantScope::command([""]),
        GrantScope::command(["git"]).started_in("here"),
        GrantScope::host("EXAMPLE.com", None),
        GrantScope::host("example.com:443", None),
        GrantScope::target("", "x"),
        GrantScope::Tree {
            kind: "deploy".into(),
            directory: "/ws".into(),
        },
    ] {
        let error = registry.grant("s", covers.clone()).await.unwrap_err();
        assert_eq!(error.kind(), TicketErrorKind::InvalidGrant, "{covers:?}");
    }
}

#[tokio::test]
async fn what_was_lent_to_a_session_below_goes_with_what_it_was_lent_of() {
    let Bench { registry, .. } = &bench();
    let _child = registry.adopt("child".into(), vec!["parent".into()]);
    let _grandchild = registry.adopt("grandchild".into(), vec!["child".into(), "parent".into()]);
    let grant = async |session: &str, path: &str| {
        let granted = registry.grant(session, writes(path)).await;
        granted.unwrap()
    };
    let listed = async |session: &str| registry.list(session).await.unwrap().len();
    let wide = grant("parent", "/ws").await;
    let narrow = grant("parent", "/ws/src").await;
    grant("child", "/ws/src").await;
    grant("child", "/ws/doc").await;
    grant("grandchild", "/ws/doc").await;
    // A grant that another grant above covers stays.
    assert!(registry.revoke("parent", wide).await.unwrap());
    assert_eq!((listed("child").await, listed("grandchild").await), (1, 0));
    let granted = |path| async move { registry.is_granted(by("child", 1), &write(path)).await };
    assert!(granted("/ws/src/a").await.unwrap());
    assert!(!granted("/ws/doc/a").await.unwrap());
    // Unless it would last longer.
    registry
        .grant("parent", writes("/ws"))
        .expires_in(Duration::from_secs(10))
        .await
        .unwrap();
    registry.revoke("parent", narrow).await.unwrap();
    assert_eq!(listed("child").await, 0);
    grant("child", "/ws").await;
    assert_eq!(registry.reset("parent").await.unwrap(), 1);
    assert_eq!(listed("child").await, 0);
}

#[tokio::test]
async fn a_session_below_that_was_dropped_is_known_only_while_something_can_come_to_it() {
    let Bench { registry, .. } = &bench();
    let adopt = |session: &str| registry.adopt(session.into(), vec!["parent".into()]);
    let is_bound = async |session: &str| {
        let error = registry.grant(session, writes("/other")).await.err();
        error.map(|error| error.kind()) == Some(TicketErrorKind::MoreThanParent)
    };
    // The last of two handles counts.
    let (first, second) = (adopt("child"), adopt("child"));
    drop(first);
    assert!(is_bound("child").await);
    drop(second);
    assert!(!is_bound("child").await);
    // A call waits in it for an answer.
    adopt("suspended").stay();
    assert!(is_bound("suspended").await);
    // It has a grant that goes with that of the session above.
    let granted = registry.grant("parent", writes("/ws")).await.unwrap();
    let lent = adopt("lent");
    registry.grant("lent", writes("/ws")).await.unwrap();
    drop(lent);
    assert!(is_bound("lent").await);
    // A session that is forgotten leaves those below it under those above it.
    let _deep = registry.adopt("deep".into(), vec!["lent".into(), "parent".into()]);
    registry.reset("lent").await.unwrap();
    registry.forget(&"lent".into());
    registry.grant("deep", writes("/ws")).await.unwrap();
    registry.revoke("parent", granted).await.unwrap();
    assert!(registry.list("deep").await.unwrap().is_empty());
    // The end of a session is not undone by a handle that is dropped later.
    let ended = adopt("again");
    registry.forget(&"again".into());
    let _again = adopt("again");
    drop(ended);
    assert!(is_bound("again").await);
}
