use std::fs;
use std::path::Path;

use tempfile::TempDir;
use toolwright::executor::Approvals;
use toolwright::testing;
use toolwright::ticket::{TicketFilter, TicketStore as _};

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
    assert!(store.broken().is_empty());
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

/// A store that keeps what is put into it for later.
async fn tickets(count: usize) -> Vec<StoredTicket> {
    use toolwright::ticket::MemoryTickets;
    use toolwright::{Executor, PermissionRequest, ToolCall, ToolRegistry, tool};

    /// Wait for somebody.
    #[tool(permission = PermissionRequest::new("wait", text.as_str(), "Wait"))]
    fn waits(
        /// The text to give.
        text: String,
    ) -> String {
        text
    }

    let store = MemoryTickets::new();
    let executor = Executor::builder(ToolRegistry::new().with(Waits))
        .approvals(
            Approvals::new()
                .waiting(toolwright::executor::WaitMode::Suspending)
                .ticket_store(store.clone()),
        )
        .build()
        .unwrap();
    let session = executor.session("s-1");
    for number in 0..count {
        let arguments = serde_json::json!({"text": format!("{number:06}")});
        let outcome = session.call(ToolCall::new("waits", arguments)).await;
        assert!(outcome.suspension().is_some());
    }
    let all = store.list(&TicketFilter::all()).await.unwrap();
    all.into_iter().map(|kept| kept.stored).collect()
}

#[tokio::test]
async fn to_put_takes_the_same_however_many_there_are_and_to_list_each_once() {
    use super::file::work;
    let (_dir, store) = folder();
    let folder = &store.folder;
    let tickets = tickets(400).await;
    let session = tickets[0].ticket().session().clone();
    let mut puts = Vec::new();
    for ticket in &tickets {
        // As the broker puts one: it looks for grants that answer it.
        let (done, work) = work::of(|| folder.put(ticket).and_then(|()| folder.grants(&session)));
        assert!(done.unwrap().is_empty());
        puts.push(work);
    }
    assert_eq!(puts[1], puts[399]);
    assert_eq!(puts[399].files, 0);
    for of in [None, Some(&session)] {
        let ((listed, _), work) = work::of(|| folder.all(of).unwrap());
        assert_eq!(listed.len(), 400);
        // The folder reads one name and one file for each ticket.
        assert_eq!((work.entries, work.files), (400, 400));
        assert!(work.bytes < 400 * 4096, "{work:?}");
    }
    // To open it again looks for old tickets by their names alone, and that not each time.
    let (swept, work) = work::of(|| folder.sweep(SystemTime::now()));
    swept.unwrap();
    assert_eq!(work.files, 0);
    let path = folder.tickets.parent().unwrap();
    let (opened, work) = work::of(|| FolderTickets::open(path));
    opened.unwrap();
    assert_eq!((work.entries, work.files), (0, 0));
}

#[tokio::test]
async fn what_is_broken_is_found_by_the_listing_itself() {
    use super::file::work;
    let (_dir, store) = folder();
    let tickets = tickets(3).await;
    for ticket in &tickets {
        store.folder.put(ticket).unwrap();
    }
    let id = tickets[1].ticket().id();
    fs::write(store.folder.ticket(id).join("0.json"), "{").unwrap();
    let open = store.list(&TicketFilter::all()).await.unwrap();
    assert_eq!(open.len(), 2);
    let (broken, work) = work::of(|| store.broken());
    let told: Vec<String> = broken.iter().map(ToString::to_string).collect();
    assert!(
        told.len() == 1 && told[0].contains(&id.to_string()),
        "{told:?}"
    );
    assert_eq!((work.entries, work.files), (0, 0));
    // Each listing tells of what it has found.
    assert!(store.broken().is_empty());
}

#[tokio::test]
async fn what_is_over_for_long_goes() {
    let (_dir, store) = folder();
    let folder = &store.folder;
    let ticket = tickets(1).await.remove(0);
    folder.put(&ticket).unwrap();
    let id = ticket.ticket().id();
    // It was put long ago, and is good for longer than that.
    let past = SystemTime::now() - Duration::from_secs(60 * 24 * 60 * 60);
    let touched = fs::File::open(folder.ticket(id))
        .unwrap()
        .set_modified(past);
    touched.unwrap();
    folder.sweep(SystemTime::now()).unwrap();
    assert!(folder.ticket(id).exists());
    // Its time is over after a day, and it is kept for a week.
    let days = |count: u64| SystemTime::now() + Duration::from_secs(count * 24 * 60 * 60);
    folder.sweep(days(7)).unwrap();
    assert!(folder.ticket(id).exists());
    let session = ticket.ticket().session();
    assert!(folder.session(session).exists());
    folder.sweep(days(9)).unwrap();
    assert!(!folder.ticket(id).exists());
    assert!(!folder.session(session).exists());
    assert!(folder.all(None).unwrap().0.is_empty());
}
