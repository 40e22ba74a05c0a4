use std::cell::Cell;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::file::work;
use super::*;
use crate::testing;
use crate::testing::contracts::tickets::sample;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn store() -> (TempDir, FolderTickets) {
    let dir = tempfile::tempdir().unwrap();
    let store = FolderTickets::open(dir.path().join("waits")).unwrap();
    (dir, store)
}

fn set_age(path: &Path, age: Duration) {
    let file = fs::File::open(path).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn it_keeps_to_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    let stores = Cell::new(0);
    testing::ticket_store_contract(async || {
        stores.set(stores.get() + 1);
        FolderTickets::open(dir.path().join(stores.get().to_string())).unwrap()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn it_outlives_its_process() {
    let (dir, _) = store();
    let place = dir.path().join("waits");
    testing::durable_ticket_store_contract(async || FolderTickets::open_existing(&place).unwrap())
        .await;
}

#[tokio::test]
async fn what_is_not_ours_is_passed_over() {
    let (dir, store) = store();
    let tickets = dir.path().join("waits/tickets");
    fs::write(tickets.join("README"), "mine").unwrap();
    fs::create_dir(tickets.join("notes")).unwrap();
    fs::create_dir(tickets.join("A".repeat(32))).unwrap();
    let open = store.list(&TicketFilter::all()).await.unwrap();
    assert!(open.is_empty());
    assert!(store.take_unreadable().is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn it_belongs_to_its_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let (dir, store) = store();
    let place = dir.path().join("waits");
    let ticket = sample::ticket("s").make();
    store.put(&ticket).await.unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    for part in ["", "tickets", "sessions", "unfinished"] {
        assert_eq!(mode(&place.join(part)), 0o700, "{part}");
    }
    let folder = store.folder.ticket(ticket.ticket().id());
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&changes::path(&folder, 0)), 0o600);
    fs::set_permissions(&place, fs::Permissions::from_mode(0o750)).unwrap();
    let error = FolderTickets::open(&place).unwrap_err();
    assert!(error.to_string().contains("chmod 700"), "{error}");
}

#[test]
fn a_file_is_no_folder_and_an_empty_folder_no_store() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "x").unwrap();
    let error = FolderTickets::open(&path).unwrap_err();
    assert!(error.to_string().contains("cannot be used"), "{error}");
    let error = FolderTickets::open_existing(dir.path()).unwrap_err();
    assert!(
        error.to_string().contains("is no folder of tickets"),
        "{error}"
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn to_put_takes_the_same_however_many_there_are_and_to_list_each_once() {
    let (dir, store) = store();
    let folder = &store.folder;
    let session = SessionId::new("s");
    let mut puts = Vec::new();
    for _ in 0..400 {
        let ticket = sample::ticket(session.clone()).make();
        // As the broker puts one: it looks for grants that answer it.
        let (done, work) = work::of(|| folder.put(&ticket).and_then(|()| folder.grants(&session)));
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
    // A search for old tickets goes by their names and ages, once an hour, and opening reads nothing.
    let (swept, work) = work::of(|| folder.sweep(SystemTime::now()));
    swept.unwrap();
    assert_eq!(work.files, 0);
    assert!(folder.sweep_is_due());
    assert!(!folder.sweep_is_due());
    let (opened, work) = work::of(|| FolderTickets::open(dir.path().join("waits")));
    opened.unwrap();
    assert_eq!((work.entries, work.files), (0, 0));
}

#[tokio::test]
async fn what_is_broken_is_found_by_the_listing_itself() {
    let (_dir, store) = store();
    let tickets = [0; 3].map(|_| sample::ticket("s").make());
    for ticket in &tickets {
        store.put(ticket).await.unwrap();
    }
    let id = tickets[1].ticket().id();
    fs::write(changes::path(&store.folder.ticket(id), 0), "{").unwrap();
    let open = store.list(&TicketFilter::all()).await.unwrap();
    assert_eq!(open.len(), 2);
    let (unreadable, work) = work::of(|| store.take_unreadable());
    let texts: Vec<String> = unreadable.iter().map(ToString::to_string).collect();
    assert!(
        texts.len() == 1 && texts[0].contains(&id.to_string()),
        "{texts:?}"
    );
    assert_eq!((work.entries, work.files), (0, 0));
    // The errors of a listing are taken once.
    assert!(store.take_unreadable().is_empty());
}

#[tokio::test]
async fn a_ticket_that_lost_a_change_is_not_open_again() {
    let (_dir, store) = store();
    let ticket = sample::ticket("s").make();
    let id = ticket.ticket().id();
    store.put(&ticket).await.unwrap();
    let answer = sample::answer(&ticket, 0, 1);
    store.answer(id, 0, &answer).await.unwrap();
    store.close(id, CloseReason::Used).await.unwrap();
    fs::remove_file(changes::path(&store.folder.ticket(id), 1)).unwrap();
    for error in [
        store.get(id).await.unwrap_err(),
        store.close(id, CloseReason::Used).await.unwrap_err(),
    ] {
        assert!(
            error
                .to_string()
                .contains("lacks one of its numbered files"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn what_is_over_for_long_goes_and_grants_stay() {
    let (_dir, store) = store();
    let folder = &store.folder;
    let tickets = ["alone", "granted"].map(|session| sample::ticket(session).make());
    for ticket in &tickets {
        folder.put(ticket).unwrap();
        // It was put long ago, and is good for longer than that.
        set_age(&folder.ticket(ticket.ticket().id()), 60 * DAY);
    }
    let grant = sample::grant("granted", 1);
    folder.put_grant(&grant).unwrap();
    let are_there = || {
        tickets
            .iter()
            .all(|ticket| folder.ticket(ticket.ticket().id()).exists())
    };
    folder.sweep(SystemTime::now()).unwrap();
    assert!(are_there());
    // Its time is over after a day, and it is kept for a week.
    folder.sweep(SystemTime::now() + 7 * DAY).unwrap();
    assert!(are_there());
    folder.sweep(SystemTime::now() + 9 * DAY).unwrap();
    assert!(folder.all(None).unwrap().0.is_empty() && !are_there());
    assert!(!folder.session(&"alone".into()).exists());
    assert_eq!(folder.grants(&"granted".into()).unwrap(), [grant]);
    // A put starts a search too.
    let ticket = sample::ticket("alone").make();
    folder.put(&ticket).unwrap();
    let left = folder.unfinished.join("left");
    fs::write(&left, "half").unwrap();
    set_age(&left, DAY);
    store.put(&sample::ticket("alone").make()).await.unwrap();
    assert!(!left.exists());
}

#[test]
fn it_works_outside_of_a_runtime_but_for_waits() {
    use futures_util::FutureExt as _;
    let (_dir, store) = store();
    let ticket = sample::ticket("s").make();
    store.put(&ticket).now_or_never().unwrap().unwrap();
    let open = store.list(&TicketFilter::all()).now_or_never().unwrap();
    assert_eq!(open.unwrap().len(), 1);
}

/// The variable that tells a child process its folder.
const FOLDER: &str = "TOOLWRIGHT_TEST_FOLDER";

fn child(folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let name = concat!(module_path!(), "::puts_until_it_is_killed");
    // The path in a test binary is without the name of the crate.
    command.args(["--exact", name.split_once("::").unwrap().1, "--nocapture"]);
    let command = command
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

/// The child of the test below: puts, answers, closes and grants, and says what is done.
#[test]
fn puts_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let folder = Folder::open(Path::new(&folder)).unwrap();
    println!("\nready");
    for number in 0.. {
        let session = SessionId::from(format!("{}-{number}", std::process::id()));
        let ticket = sample::ticket(session.clone()).make();
        let id = ticket.ticket().id();
        let add = |change| {
            let to = folder.ticket(id);
            changes::add(&folder.unfinished, &to, &change, refusal_of_closed).unwrap();
        };
        folder.put(&ticket).unwrap();
        println!("put {id} 0");
        let answer = sample::answer(&ticket, 0, 1);
        add(TicketChange::Answered { request: 0, answer });
        println!("answered {id} 1");
        add(TicketChange::Closed(CloseReason::Used));
        println!("closed {id} 2");
        folder
            .put_grant(&sample::grant(session.clone(), 1))
            .unwrap();
        println!("granted {session}");
        folder.forget(&SessionId::new("nobody")).unwrap();
    }
}

#[test]
fn a_folder_survives_that_two_processes_are_killed_at_any_moment() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("waits");
    let mut writes = 0;
    for round in 0..30 {
        let mut children = [child(&place), child(&place)];
        let mut output = Vec::new();
        let mut heard = Vec::new();
        for child in &mut children {
            let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
            let begun = lines
                .by_ref()
                .map_while(Result::ok)
                .any(|line| line == "ready");
            assert!(begun, "in round {round}");
            // On a busy machine too, something was written before the end.
            heard.extend(lines.by_ref().take(round % 5).map_while(Result::ok));
            output.push(lines);
        }
        std::thread::sleep(Duration::from_micros(round as u64 * 997 % 12_000));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let folder = Folder::open(&place).unwrap();
        let (_, unreadable) = folder.all(None).unwrap();
        assert!(unreadable.is_empty(), "{unreadable:?}");
        let left = output.into_iter().flatten().map_while(Result::ok);
        for line in heard.into_iter().chain(left) {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["granted", session] => {
                    assert_eq!(folder.grants(&session.into()).unwrap().len(), 1);
                }
                [_, id, number] => {
                    let read = changes::read(&folder.ticket(id.parse().unwrap())).unwrap();
                    assert!(read.unwrap().1 > number.parse().unwrap());
                }
                // A line that was cut.
                _ => continue,
            }
            writes += 1;
        }
    }
    assert!(writes > 30, "{writes}");
}
