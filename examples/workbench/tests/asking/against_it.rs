//! Attacks on a prompt, and its other ends: it is cancelled, imitated, typed ahead of, and left alone.

use std::io::Read as _;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{asked, call, calls, write};
use crate::Bench;
use crate::gone::wait_until;
use crate::screen::{CTRL_C, Screen};

#[test]
fn ctrl_c_in_a_prompt_cancels_as_the_signal_does() {
    let bench = Bench::new();
    let file = calls(&bench, &[write("1", "a", "x"), write("2", "b", "x")]);
    let mut screen = Screen::start(&bench, &["run", &file]);
    screen.sees("May fs.write run?");
    assert!(screen.is_raw());
    screen.press(CTRL_C);
    let (code, lines) = screen.lines();
    assert_eq!(code, Some(130));
    assert_eq!(
        [&lines[0]["code"], &lines[1]["code"]],
        ["cancelled", "cancelled"]
    );
    assert!(!bench.path("a").exists());
}

#[test]
fn a_prompt_goes_when_its_call_is_cancelled_elsewhere() {
    for (signal, expected) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let bench = Bench::new();
        let mut screen = asked(&bench);
        kill_process(Pid::from_raw(screen.id().cast_signed()).unwrap(), signal).unwrap();
        screen.loses("May fs.write run?");
        let (code, output) = screen.ends();
        assert_eq!(code, Some(expected));
        assert!(output.contains("cancelled"), "{output}");
    }
}

#[test]
fn nothing_of_a_call_passes_for_the_prompt() {
    let bench = Bench::new();
    bench.file("a.txt", "old\n");
    let fake = "\x1b[2J\x1b[HMay fs.write run?\r\n> y  yes\u{202e}\u{200b}";
    let wide = "=".repeat(95) + "> y  yes, this once";
    let content = format!("{fake}\n{wide}\n");
    let mut screen = call(
        &bench,
        "fs.write",
        &json!({"path": "a.txt", "content": content}),
    );
    let shown = screen.sees("n  no");
    assert_eq!(
        shown
            .lines()
            .filter(|line| line.starts_with("May fs.write run?"))
            .count(),
        1
    );
    // Each line of others stands at the bar.
    let ours = shown
        .lines()
        .filter(|line| line.starts_with('>') || line.starts_with("> y"));
    assert_eq!(ours.count(), 1, "{shown}");
    for escape in [r"\u{1b}[2J", r"\u{202e}", r"\u{200b}"] {
        assert!(shown.contains(escape), "{escape}\n{shown}");
    }
    screen.press(CTRL_C);
    assert_eq!(screen.ends().0, Some(130));
}

#[test]
fn what_is_typed_before_the_prompt_answers_nothing() {
    let bench = Bench::new();
    // The answer to the first comes together with what could answer the second.
    let file = calls(&bench, &[write("1", "a", "x"), write("2", "b", "x")]);
    let mut screen = Screen::start(&bench, &["run", &file]);
    screen.sees("May fs.write run?");
    screen.press("yyyyy");
    screen.sees("`b`");
    screen.sees("May fs.write run?");
    assert!(bench.path("a").exists() && !bench.path("b").exists());
    screen.press(CTRL_C);
    assert_eq!(screen.ends().0, Some(130));
}

#[test]
fn a_key_that_is_held_down_answers_one_prompt() {
    let bench = Bench::new();
    let names = ["a", "b", "c"];
    let lines = names.map(|name| write(name, name, "x"));
    let mut screen = Screen::start(&bench, &["run", &calls(&bench, &lines)]);
    screen.sees("May fs.write run?");
    // Until long after the next call would be asked about.
    for _ in 0..60 {
        screen.press("y");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    screen.sees("Write `b`");
    screen.press(CTRL_C);
    let (code, _) = screen.ends();
    assert_eq!(code, Some(130));
    assert!(bench.path("a").exists() && !bench.path("b").exists());
}

#[test]
fn it_ends_when_its_terminal_is_gone() {
    let bench = Bench::new();
    let (mut pty, pts) = pty_process::blocking::open().unwrap();
    let arguments = [
        "--root",
        bench.root.to_str().unwrap(),
        "call",
        "fs.write",
        r#"{"path": "a", "content": "x"}"#,
    ];
    let mut child = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_workbench"))
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .spawn(pts)
        .unwrap();
    let mut shown = Vec::new();
    while !String::from_utf8_lossy(&shown).contains("May fs.write run?") {
        let mut bytes = [0; 4096];
        let read = pty.read(&mut bytes).unwrap();
        shown.extend_from_slice(&bytes[..read]);
    }
    drop(pty);
    let status = wait_until(|| child.try_wait().unwrap());
    assert!(!status.success());
    assert!(!bench.path("a").exists());
}

#[test]
fn calls_from_the_keyboard_and_answers_share_it() {
    let bench = Bench::new();
    let mut screen = Screen::start(&bench, &["run", "-"]);
    screen.press(&format!("{}\n", write("1", "a", "x")));
    screen.sees("May fs.write run?");
    screen.press("y");
    // Ctrl-D at the begin of a line is the end, once lines are read again.
    wait_until(|| bench.path("a").exists().then_some(()));
    wait_until(|| (!screen.is_raw()).then_some(()));
    screen.press("\x04");
    assert_eq!(screen.ends().0, Some(0));
}
