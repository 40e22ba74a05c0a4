//! Opening: tables, names of schemas, TLS, and errors that show no password.

use std::time::Duration;

use sqlx::Executor;
use toolwright::ticket::TicketStore;
use toolwright_postgres::{PostgresError, PostgresStore};

use crate::support::{self, Place};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_stores_make_the_tables_at_once() {
    let Some(place) = Place::new() else { return };
    let mut opening = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let place = place.clone();
        opening.spawn(async move { place.open().await });
    }
    let stores = opening.join_all().await;
    let ticket = support::ticket().await;
    stores[0].tickets().put(&ticket).await.unwrap();
    for store in &stores {
        assert!(
            store
                .tickets()
                .get(ticket.ticket().id())
                .await
                .unwrap()
                .is_some()
        );
    }
    let made = sqlx::query("select version from migrations")
        .fetch_all(&mut place.sql().await)
        .await
        .unwrap();
    assert_eq!(made.len(), 1);
    place.remove().await;
}

#[tokio::test]
async fn tables_of_a_later_version_are_refused() {
    let Some(place) = Place::new() else { return };
    place.open().await;
    let mut sql = place.sql().await;
    sql.execute("insert into migrations (version) values (1000)")
        .await
        .unwrap();
    let refused = place.builder().connect().await.unwrap_err();
    assert!(
        matches!(refused, PostgresError::TooNew { found: 1000, .. }),
        "{refused:?}"
    );
    place.remove().await;
}

#[tokio::test]
async fn unfit_names_and_parameters_are_refused() {
    let Some(url) = support::url() else { return };
    for schema in [
        "",
        "A",
        "1a",
        "a b",
        "a;drop",
        "a\"b",
        "public.x",
        &"a".repeat(41),
    ] {
        let refused = PostgresStore::builder(&url)
            .schema(schema)
            .connect()
            .await
            .unwrap_err();
        assert!(
            matches!(refused, PostgresError::SchemaName(_)),
            "{schema:?}: {refused:?}"
        );
    }
    // As `sslmode`, misspelt: the connection would not be encrypted.
    for parameter in ["ssl_mode=require", "sslmod=verify-full", "passwort=hidden"] {
        let url = format!("postgres://127.0.0.1:1/db?{parameter}");
        let refused = PostgresStore::connect(&url).await.unwrap_err();
        assert!(
            matches!(refused, PostgresError::UnknownParameter { .. }),
            "{refused:?}"
        );
    }
    let Some(place) = Place::new() else { return };
    let store = place.open().await;
    for name in ["", &"n".repeat(513)] {
        assert!(matches!(
            store.replica(name).await,
            Err(PostgresError::Name("replica"))
        ));
        assert!(matches!(
            store.log(name).await,
            Err(PostgresError::Name("log"))
        ));
    }
    place.remove().await;
}

#[tokio::test]
async fn no_password_is_shown() {
    for url in [
        "postgres://app:hidden@127.0.0.1:1/db",
        "postgres://app:hidden@127.0.0.1:99999/db",
        "postgres://app:hid?den@127.0.0.1:1/db",
        "postgres://app:hid/den@127.0.0.1:1/db",
        "postgres://app:hid#den@127.0.0.1:1/db",
        "postgres://app:hidden@[/db",
        "app:hidden@127.0.0.1",
        "postgres://127.0.0.1:1/db?user=app&password=hidden",
        "postgres://127.0.0.1:1/db?sslmode=hidden",
    ] {
        let builder = PostgresStore::builder(url).limit(Duration::from_millis(50));
        let shown = format!("{builder:?}");
        let error = builder.connect().await.unwrap_err();
        let shown = format!("{shown} {error} {error:?}");
        if !url.contains("sslmode") {
            assert!(
                !shown.contains("hid") && !shown.contains("den"),
                "{url}: {shown}"
            );
        }
    }
    let Some(place) = Place::new() else { return };
    let store = Place {
        url: place.url.replacen("app@", "app:hidden@", 1),
        ..place.clone()
    }
    .open()
    .await;
    let replica = store.replica("r").await.unwrap();
    let log = store.log("l").await.unwrap();
    let shown = format!(
        "{store:?} {:?} {:?} {:?} {log:?} {replica:?}",
        store.tickets(),
        store.results(),
        store.states()
    );
    assert!(!shown.contains("hidden"), "{shown}");
    place.remove().await;
}

#[cfg(feature = "tls")]
#[tokio::test]
async fn a_required_certificate_is_verified() {
    let Some(place) = Place::new() else { return };
    let Ok(authority) = std::env::var("SERVICES_POSTGRES_CA") else {
        eprintln!("SKIPPED, WITHOUT A SERVER THAT HAS TLS: run it through scripts/services");
        return;
    };
    let refused = place.builder().require_tls().connect().await.unwrap_err();
    assert!(
        matches!(refused, PostgresError::Connect { .. }),
        "{refused:?}"
    );
    let url = format!("{}&sslrootcert={authority}", place.url);
    let store = PostgresStore::builder(&url)
        .schema(&place.schema)
        .require_tls()
        .connect()
        .await
        .unwrap();
    let _open = store.replica("r").await.unwrap();
    let encrypted = sqlx::query(
        "select true from pg_stat_ssl join pg_stat_activity using (pid) where application_name = $1 and ssl",
    );
    let encrypted = encrypted
        .bind(&place.schema)
        .fetch_all(&mut place.sql().await)
        .await
        .unwrap();
    assert!(!encrypted.is_empty());
    place.remove().await;
}

#[cfg(not(feature = "tls"))]
#[tokio::test]
async fn tls_that_is_not_there_is_not_promised() {
    for url in [
        "postgres://127.0.0.1:1/db?sslmode=require",
        "postgres://127.0.0.1:1/db?sslmode=verify-full",
    ] {
        assert!(matches!(
            PostgresStore::connect(url).await,
            Err(PostgresError::NoTls)
        ));
    }
    let required = PostgresStore::builder("postgres://127.0.0.1:1/db")
        .require_tls()
        .connect()
        .await;
    assert!(matches!(required, Err(PostgresError::NoTls)));
}
