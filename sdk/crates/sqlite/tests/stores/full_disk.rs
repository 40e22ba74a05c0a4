//! A full disk, and one that is read-only: file systems of a process of its own, on Linux.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::process::{Failed, Process, program};
use super::sample::{Sample, place};

/// Runs the process after a line of shell, in a namespace where it may mount. `$1` is the folder of the database.
fn mounted(folder: &Path, line: &str) -> Command {
    let mut command = Command::new("unshare");
    command
        .args(["--map-root-user", "--mount", "sh", "-c"])
        .arg(format!("{line} && exec \"$2\" \"$1/state.db\""))
        .arg("sh")
        .arg(folder)
        .arg(program());
    command
}

/// Tells loudly that a test is skipped where nobody may mount.
fn may_mount() -> bool {
    let tried = Command::new("unshare")
        .args(["--map-root-user", "--mount", "true"])
        .output();
    let may = tried.is_ok_and(|tried| tried.status.success());
    if !may {
        eprintln!(
            "SKIPPED: `unshare --map-root-user --mount` is not allowed here, so no disk can be full"
        );
    }
    may
}

/// An action of each store.
fn writes(sample: &Sample, number: u64) -> Vec<(&'static str, Value)> {
    let ticket = sample.ticket(number, "s", number);
    let hash = toolwright::content::ContentHash::of(number.to_string());
    let bytes = vec![b'x'; 5_000];
    vec![
        ("put", json!(ticket)),
        (
            "put_result",
            json!(["s", format!("{number:032x}"), "x".repeat(5_000)]),
        ),
        (
            "save",
            json!([format!("s-{number}"), 0, {"long": "x".repeat(5_000)}]),
        ),
        ("put_content", json!([hash, bytes])),
    ]
}

fn is_full(failed: &Failed) {
    assert_eq!(failed.kind, "DiskFull", "{failed:?}");
    assert!(
        failed.text.contains("state.db") && failed.text.contains("once there is room"),
        "{failed:?}"
    );
}

#[tokio::test]
async fn on_a_full_disk_each_write_fails_and_works_again_once_there_is_room() {
    if !may_mount() {
        return;
    }
    let (place, sample) = (place(), Sample::make().await);
    let folder = place.folder.path();
    let mut command = mounted(folder, "mount -t tmpfs -o size=3m none \"$1\"");
    let process = Process::run(&mut command).await.unwrap();
    process.works("journal", json!("main")).await;
    let waiting = sample.ticket(1, "s", 1);
    let id = waiting.ticket().id();
    process.works("put", json!(waiting)).await;
    let filler = folder.join("filler");
    for round in 0..3_u64 {
        process.works("fill", json!(filler)).await;
        for (action, with) in writes(&sample, 100 + round) {
            is_full(&process.fails(action, with).await);
        }
        is_full(&process.fails("close", json!([id, "used"])).await);
        is_full(
            &process
                .fails("answer", json!([id, 0, sample.answer()]))
                .await,
        );
        // The last pages of the file may have room for some lines; then a call that cannot be recorded fails.
        let mut codes = Vec::new();
        for _ in 0..50 {
            codes.push(process.works("call", json!(round)).await["code"].take());
        }
        assert_eq!(codes.last().unwrap(), "journal_unavailable", "{codes:?}");
        let read = process.works("get", json!(id)).await;
        assert!(
            read["closed"].is_null() && read["answers"] == json!([]),
            "{read}"
        );
        let lists = process.works("list", json!([null, null])).await;
        assert_eq!(
            lists.as_array().unwrap().len(),
            1,
            "nothing of what failed is there"
        );

        process.works("remove", json!(filler)).await;
        for (action, with) in writes(&sample, 100 + round) {
            process.works(action, with).await;
        }
        let call = process.works("call", json!(round)).await;
        assert_eq!(call["text"], json!((round + 1).to_string()), "{call}");
        process.works("forget", json!("s")).await;
        process.works("put", json!(waiting)).await;
    }
}

#[tokio::test]
async fn a_file_on_a_read_only_file_system_is_refused_and_says_why() {
    if !may_mount() {
        return;
    }
    let (place, sample) = (place(), Sample::make().await);
    let put = async || {
        let process = Process::start(&place.path).await;
        process.works("put", json!(sample.ticket(1, "s", 1))).await;
    };
    put().await;
    let line = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\"";
    let Err(failed) = Process::run(&mut mounted(place.folder.path(), line)).await else {
        panic!("a read-only file was opened");
    };
    assert_eq!(failed.kind, "ReadOnly", "{failed:?}");
    assert!(
        failed.text.contains("state.db") && failed.text.contains("read-only"),
        "{failed:?}"
    );
    put().await;
}
