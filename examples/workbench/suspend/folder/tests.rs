use std::fs;
use std::path::Path;

use tempfile::TempDir;
use toolwright::{TicketFilter, TicketStore as _, testing};

use super::*;

fn folder() -> (TempDir, FolderTickets) {
    let dir = tempfile::tempdir().unwrap();
    let store = FolderTickets::open(&dir.path().join("waits")).unwrap();
    (dir, store)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn it_keeps_to_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    let stores = std::cell::Cell::new(0);
    testing::ticket_store_contract(async || {
        stores.set(stores.get() + 1);
        FolderTickets::open(&dir.path().join(stores.get().to_string())).unwrap()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn it_outlives_its_process() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("waits");
    testing::durable_ticket_store_contract(async || FolderTickets::open(&place).unwrap()).await;
}

#[tokio::test]
async fn what_is_not_ours_is_passed_over() {
    let (dir, store) = folder();
    let tickets = dir.path().join("waits/tickets");
    fs::write(tickets.join("README"), "mine").unwrap();
    fs::create_dir(tickets.join("notes")).unwrap();
    fs::create_dir(tickets.join("A".repeat(32))).unwrap();
    let open = store.list(&TicketFilter::all()).await.unwrap();
    assert!(open.is_empty());
    assert!(store.broken().unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn it_belongs_to_its_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let (dir, _) = folder();
    let place = dir.path().join("waits");
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    for path in [&place, &place.join("tickets"), &place.join("sessions")] {
        assert_eq!(mode(path), 0o700);
    }
    fs::set_permissions(&place, fs::Permissions::from_mode(0o750)).unwrap();
    let error = FolderTickets::open(&place).unwrap_err();
    assert!(error.to_string().contains("chmod 700"), "{error}");
}

#[test]
fn a_file_is_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "x").unwrap();
    let error = FolderTickets::open(&path).unwrap_err();
    assert!(error.to_string().contains("is not a directory"), "{error}");
}
