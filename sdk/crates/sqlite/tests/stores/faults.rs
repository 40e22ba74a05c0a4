//! Files and rows that are not what a store has written.

use std::fs;

use rusqlite::Connection;
use toolwright::id::SessionId;
use toolwright::ticket::{CloseReason, TicketFilter, TicketStore as _};
use toolwright_sqlite::{FailureKind, SqliteError, SqliteStore};

use super::sample::{Sample, chain, place};

/// Writes a file for its owner alone.
fn write(path: &std::path::Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_as_it_is() {
    let place = place();
    let text = "no database, but a text of some length ".repeat(100);
    write(&place.path, text.as_bytes());
    let error = SqliteStore::open(&place.path).unwrap_err();
    let is_kind = matches!(
        error,
        SqliteError::Failed {
            kind: FailureKind::NotADatabase,
            ..
        }
    );
    assert!(is_kind, "{error:?}");
    assert!(chain(&error).contains("state.db"), "{error:?}");
    assert_eq!(fs::read_to_string(&place.path).unwrap(), text);
}

#[test]
fn the_database_of_another_program_is_refused_and_left_as_it_is() {
    let tables = [
        "CREATE TABLE theirs (a)",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 1",
    ];
    for table in tables {
        let place = place();
        write(&place.path, b"");
        Connection::open(&place.path)
            .unwrap()
            .execute_batch(table)
            .unwrap();
        let before = fs::read(&place.path).unwrap();
        let error = SqliteStore::open(&place.path).unwrap_err();
        assert!(
            matches!(error, SqliteError::Foreign { .. }),
            "{table}: {error:?}"
        );
        assert_eq!(fs::read(&place.path).unwrap(), before, "{table}");
    }
}

#[test]
fn tables_of_a_later_version_are_refused() {
    let place = place();
    drop(place.open());
    let connection = Connection::open(&place.path).unwrap();
    for version in [2, -1] {
        connection
            .pragma_update(None, "user_version", version)
            .unwrap();
        let error = SqliteStore::open(&place.path).unwrap_err();
        let SqliteError::Newer { found, known, .. } = error else {
            panic!("{error:?}");
        };
        assert_eq!((found, known), (version, 1));
    }
    connection.pragma_update(None, "user_version", 1).unwrap();
    place.open();
}

#[test]
fn a_place_that_holds_no_file_is_refused() {
    let place = place();
    let folder = place.folder.path();
    for path in [folder.to_owned(), folder.join("no folder/state.db")] {
        let error = SqliteStore::open(&path).unwrap_err();
        assert!(matches!(error, SqliteError::File { .. }), "{error:?}");
        assert!(
            error.to_string().contains(path.to_str().unwrap()),
            "{error:?}"
        );
    }
    SqliteStore::open_existing(&place.path).unwrap_err();
    assert!(!place.path.exists(), "to look for a file makes none");
    place.open();
    SqliteStore::open_existing(&place.path).unwrap();
}

#[tokio::test]
async fn a_row_that_cannot_be_read_fails_alone() {
    let (place, sample) = (place(), Sample::make().await);
    let tickets = place.open().tickets();
    for number in 0..600 {
        let ticket = sample.ticket(number, "s", number);
        tickets.put(&ticket).await.unwrap();
    }
    let connection = Connection::open(&place.path).unwrap();
    let damages = [
        "UPDATE tickets SET stored = '{' WHERE id = printf('%032x', 5)",
        "UPDATE tickets SET stored = (SELECT stored FROM tickets WHERE id = printf('%032x', 7))
            WHERE id = printf('%032x', 6)",
        "INSERT INTO answers VALUES (printf('%032x', 8), 0, 'no answer')",
        "INSERT INTO answers VALUES (printf('%032x', 9), 44, '{}')",
        "UPDATE tickets SET stored = 'x' WHERE id BETWEEN printf('%032x', 200) AND printf('%032x', 599)",
    ];
    for damage in damages {
        assert!(connection.execute(damage, []).unwrap() > 0, "{damage}");
    }
    let all = tickets.list(&TicketFilter::all()).await.unwrap();
    assert_eq!(all.len(), 196);
    assert_eq!(tickets.take_unreadable().len(), 404);
    assert!(tickets.take_unreadable().is_empty());
    let answered = TicketFilter::all().answered();
    assert!(tickets.list(&answered).await.unwrap().is_empty());
    let page = tickets.list(&TicketFilter::all().limit(10)).await.unwrap();
    assert_eq!(
        page.len(),
        10,
        "a page is filled with those that can be read"
    );
    let id = sample.ticket(5, "s", 5).ticket().id();
    let error = tickets.get(id).await.unwrap_err();
    assert!(error.to_string().contains(&id.to_string()), "{error}");
    let late = sample.ticket(150, "s", 150).ticket().id();
    assert!(tickets.get(late).await.unwrap().is_some());
    tickets.close(late, CloseReason::Used).await.unwrap();
}

#[tokio::test]
async fn a_grant_that_cannot_be_read_is_an_error_of_its_session() {
    let place = place();
    let tickets = place.open().tickets();
    let insert = "INSERT INTO grants (session, id, sealed) VALUES ('s', 'x', '{}')";
    Connection::open(&place.path)
        .unwrap()
        .execute(insert, [])
        .unwrap();
    tickets.grants(&SessionId::new("s")).await.unwrap_err();
    assert!(
        tickets
            .grants(&SessionId::new("other"))
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_database_that_another_process_keeps_locked_fails_and_works_again() {
    let (place, sample) = (place(), Sample::make().await);
    let tickets = place.open().tickets();
    let ticket = sample.ticket(1, "s", 1);
    tickets.put(&ticket).await.unwrap();
    let other = Connection::open(&place.path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let id = ticket.ticket().id();
    let refused = tickets.close(id, CloseReason::Used).await.unwrap_err();
    assert!(refused.to_string().contains("another process"), "{refused}");
    // Reading goes on.
    assert!(tickets.get(id).await.unwrap().unwrap().closed.is_none());
    other.execute_batch("ROLLBACK").unwrap();
    tickets.close(id, CloseReason::Used).await.unwrap();
}
