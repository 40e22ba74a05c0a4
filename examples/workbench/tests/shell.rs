//! `shell.run`: what a line prints, reads and sees, and how it ends.
#![cfg(unix)]

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::{Bench, Ended, finish};

/// Runs a line that is allowed, and returns the text that the model reads.
fn run(bench: &Bench, arguments: &Value) -> Ended {
    let mut command = bench.command(&["--yes", "--raw", "call", "shell.run", "-"]);
    finish(&mut command, &arguments.to_string())
}

/// Returns the output of a line that has to end with this status.
#[track_caller]
fn printed(bench: &Bench, line: &str, status: &str) -> String {
    let ended = run(bench, &json!({"command": line}));
    let text = ended.exits(0);
    let output = text.strip_suffix(&format!("[{status}]\n"));
    output.unwrap_or_else(|| panic!("{text}")).to_owned()
}

const FINE: &str = "exit status: 0";

#[test]
fn a_line_of_bash_is_run_and_its_end_is_told() {
    let bench = Bench::new();
    bench.file("a b.txt", "one\ntwo\n");
    for (line, status, output) in [
        ("cat 'a b.txt' | wc -l | tr -d ' '", FINE, "2\n"),
        ("x=(1 2 3); echo ${#x[@]} <(:) | cut -c1-3", FINE, "3 /\n"),
        ("printf no-line-break", FINE, "no-line-break\n"),
        (":", FINE, ""),
        ("exit 3", "exit status: 3", ""),
        ("false", "exit status: 1", ""),
        (
            "not-there",
            "exit status: 127",
            "bash: line 1: not-there: command not found\n",
        ),
        // Not an option of bash.
        (
            "-x",
            "exit status: 127",
            "bash: line 1: -x: command not found\n",
        ),
        ("kill -9 $$", "signal: 9 (SIGKILL)", ""),
        ("kill -TERM $$; sleep 300", "signal: 15 (SIGTERM)", ""),
        ("echo a\nexit 4", "exit status: 4", "a\n"),
    ] {
        assert_eq!(printed(&bench, line, status), output, "{line}");
    }
    // Bash reports lines that do not parse.
    let text = printed(&bench, "echo 'open", "exit status: 2");
    assert!(text.contains("unexpected EOF"), "{text}");
}

#[test]
fn both_outputs_come_in_their_order() {
    let bench = Bench::new();
    let line = "for i in 1 2 3; do echo out $i; echo err $i >&2; done";
    assert_eq!(
        printed(&bench, line, FINE),
        "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n"
    );
}

#[test]
fn a_line_runs_in_a_directory_of_the_workspace() {
    let bench = Bench::new();
    fs::create_dir(bench.path("sub")).unwrap();
    let root = bench.root.canonicalize().unwrap();
    let there = root.join("sub");
    for (directory, expected) in [
        (json!("."), &root),
        (json!("sub"), &there),
        (json!("sub/.."), &root),
        (json!(there), &there),
    ] {
        let ended = run(
            &bench,
            &json!({"command": "pwd -P", "directory": directory}),
        );
        let expected = format!("{}\n[{FINE}]\n", expected.display());
        assert_eq!(ended.exits(0), expected, "{directory}");
    }
    bench.file("file", "");
    let ended = run(&bench, &json!({"command": "pwd", "directory": "file"}));
    assert_eq!(ended.exits(1), "`file` is not a directory\n");
    // Nothing runs if the directory is outside or does not exist.
    for directory in ["..", "sub/../..", "/", "missing", "../secret.txt"] {
        let arguments = json!({"command": "touch ran", "directory": directory});
        for options in [&[][..], &["--yes"]] {
            let ended = bench.call_with(options, "shell.run", &arguments);
            // Nobody says no to what is outside where everything is allowed.
            if options.is_empty() || directory == "missing" {
                ended.exits(3);
                assert!(!bench.path("ran").exists(), "{directory}");
            }
        }
    }
}

#[test]
fn without_approval_nothing_runs() {
    let bench = Bench::new();
    for options in [&[][..], &["--deny"]] {
        let ended = bench.call_with(options, "shell.run", &json!({"command": "touch ran"}));
        ended.exits(3);
        assert!(!bench.path("ran").exists());
    }
}

#[test]
fn arguments_that_no_line_could_have_are_refused() {
    let bench = Bench::new();
    for (arguments, expected) in [
        (json!({}), "`/command`"),
        (json!({"command": ""}), "`/command`"),
        (json!({"command": "touch ran", "timeout": 0}), "`/timeout`"),
        (
            json!({"command": "touch ran", "timeout": 3601}),
            "`/timeout`",
        ),
        (json!({"command": "touch ran\0"}), "NUL"),
        (json!({"command": "touch ran", "directory": "a\0"}), "NUL"),
    ] {
        let ended = run(&bench, &arguments);
        assert!(ended.exits(1).contains(expected), "{ended:?}");
        assert!(!bench.path("ran").exists());
    }
}

#[test]
fn a_line_longer_than_a_program_takes_is_told() {
    let bench = Bench::new();
    let ended = run(
        &bench,
        &json!({"command": format!("echo {}", "x".repeat(4 << 20))}),
    );
    let text = ended.exits(1);
    assert!(text.starts_with("the line cannot be run: "), "{text}");
}

#[test]
fn of_much_output_the_start_and_the_end_are_returned() {
    let bench = Bench::new();
    let output = printed(&bench, "echo first; seq 1000000; echo last", FINE);
    assert!(output.len() < 50_000, "{}", output.len());
    assert!(output.starts_with("first\n1\n2\n"));
    assert!(output.ends_with("\n999999\n1000000\nlast\n"));
    // "first", the numbers and "last", each with its line break.
    let all = 6 + 6_888_896 + 5;
    let left_out = all - 2 * 24 * 1024;
    assert!(output.contains(&format!("\n[{left_out} bytes left out]\n")));
    // Output that never ends is read on, and dropped.
    let ended = run(&bench, &json!({"command": "yes", "timeout": 1}));
    let text = ended.exits(1);
    assert!(text.len() < 50_000 && text.starts_with("y\ny\n"));
    assert!(
        text.ends_with(
            "[the line was ended at its timeout of 1 s; what it did until then is done]\n"
        )
    );
}

#[test]
fn what_is_no_text_is_shown_as_far_as_it_is() {
    let bench = Bench::new();
    let note = "[what was not UTF-8 is shown as \u{fffd}]\n";
    let output = printed(&bench, r"printf 'gr\303\274n \377 \000\033[1m'", FINE);
    assert_eq!(output, format!("grün \u{fffd} \0\u{1b}[1m\n{note}"));
}

#[test]
fn standard_input_is_what_is_given_or_nothing() {
    let bench = Bench::new();
    assert_eq!(printed(&bench, "cat; echo end", FINE), "end\n");
    assert_eq!(
        printed(&bench, "read -r x || echo nothing", FINE),
        "nothing\n"
    );
    let ended = run(&bench, &json!({"command": "cat", "input": "grüße\n"}));
    assert_eq!(ended.exits(0), format!("grüße\n[{FINE}]\n"));
    // More than a pipe holds, read whole or not at all.
    let long = "x".repeat(1 << 20);
    let ended = run(
        &bench,
        &json!({"command": "wc -c | tr -d ' '", "input": long}),
    );
    assert_eq!(ended.exits(0), format!("1048576\n[{FINE}]\n"));
    let ended = run(&bench, &json!({"command": "echo done", "input": long}));
    assert_eq!(ended.exits(0), format!("done\n[{FINE}]\n"));
    // Workbench's own is not for the lines.
    let call = r#"{"name":"shell.run","arguments":{"command":"cat"}}"#;
    let ended = bench.run_lines(&["--yes"], &format!("{call}\n{call}\n"));
    ended.exits(0);
    assert_eq!(ended.lines().len(), 2);
}

#[test]
fn there_is_no_terminal_to_ask_at() {
    let bench = Bench::new();
    assert_eq!(
        printed(
            &bench,
            "(: < /dev/tty) 2> /dev/null || echo none; test -t 0 || echo none",
            FINE
        ),
        "none\nnone\n"
    );
}

#[test]
fn secrets_of_the_environment_stay() {
    let bench = Bench::new();
    let run = |options: &[&str], line: &str| {
        let arguments = json!({"command": line}).to_string();
        let all = [&["--yes"], options, &["call", "shell.run", &arguments]].concat();
        let mut command = bench.command(&all);
        command
            .env("SERVICE_TOKEN", "a-secret")
            .env("BASH_ENV", bench.path("start-up"))
            .env("HOME", "/home/somebody");
        finish(&mut command, "")
    };
    bench.file("start-up", "echo started up\n");
    let ended = run(
        &[],
        "echo $SERVICE_TOKEN $HOME $TERM $PAGER $GIT_TERMINAL_PROMPT",
    );
    assert_eq!(
        ended.exits(0),
        format!("/home/somebody dumb cat 0\n[{FINE}]\n")
    );
    let ended = run(&["--env", "SERVICE_TOKEN"], "echo $SERVICE_TOKEN");
    assert_eq!(ended.exits(0), format!("a-secret\n[{FINE}]\n"));
    for name in ["BASH_ENV", "LD_PRELOAD", "A=b"] {
        let ended = run(&["--env", name], "echo ran");
        assert_eq!(ended.exits(2), "", "{name}");
        assert!(ended.stderr.contains("--env"), "{}", ended.stderr);
    }
}

#[test]
fn open_files_of_who_started_workbench_stay() {
    let bench = Bench::new();
    bench.file("open", "a secret\n");
    let line = "cat <&7 || echo none; cat <&42 || echo none";
    let call = json!({"command": format!("{{ {line}; }} 2> /dev/null")}).to_string();
    let started = r#"exec 7< open 42< open; exec "$@""#;
    let mut command = Command::new("bash");
    command
        .current_dir(&bench.root)
        .args(["-c", started, "-", env!("CARGO_BIN_EXE_workbench")])
        .args(["--yes", "call", "shell.run", &call]);
    let ended = finish(&mut command, "");
    assert_eq!(ended.exits(0), format!("none\nnone\n[{FINE}]\n"));
}

#[test]
fn what_is_left_in_the_background_does_not_keep_the_call() {
    let bench = Bench::new();
    // It holds the output; none of it is waited for, and what it printed in time is there.
    let output = printed(&bench, "(echo early; sleep 300) & echo done", FINE);
    assert!(output.contains("done\n"), "{output}");
    // A process that left the group holds the output too.
    if !printed(&bench, "command -v setsid || :", FINE).is_empty() {
        let line = "setsid sh -c 'echo $$ > escaped; sleep 20' & while [ ! -s escaped ]; do sleep 0.1; done; echo done";
        assert_eq!(printed(&bench, line, FINE), "done\n");
        let line = "kill -9 -$(cat escaped)";
        assert_eq!(printed(&bench, line, FINE), "");
    }
}

#[test]
fn without_bash_it_is_told() {
    let bench = Bench::new();
    let arguments = json!({"command": "pwd"}).to_string();
    let mut command = bench.command(&["--yes", "call", "shell.run", &arguments]);
    let ended = finish(command.env("PATH", bench.outside()), "");
    assert!(
        ended.exits(1).contains("`bash` is not to be found"),
        "{ended:?}"
    );
}

#[test]
fn output_is_shown_live_where_that_is_asked_for() {
    let bench = Bench::new();
    let line = json!({"command": r"printf 'a\033[2Jb\n'; exit 1"});
    let ended = bench.call_with(&["--yes"], "shell.run", &line);
    assert_eq!(ended.stderr, "", "standard error is no terminal here");
    let ended = bench.call_with(&["--yes", "--live"], "shell.run", &line);
    assert_eq!(ended.stderr, "a\\u{1b}[2Jb\n");
    assert_eq!(ended.exits(0), "a\\u{1b}[2Jb\n[exit status: 1]\n");
}

#[test]
fn bytes_are_characters_of_utf_8_whatever_the_host_says() {
    let bench = Bench::new();
    let line = json!({"command": "x=ä; echo ${#x} $LC_ALL $LC_CTYPE $LANG"}).to_string();
    let mut command = bench.command(&["--yes", "call", "shell.run", &line]);
    command
        .env("LC_ALL", "zh_CN.GBK")
        .env("LC_CTYPE", "ja_JP.SJIS")
        .env("LANG", "zh_CN.GBK");
    let ended = finish(&mut command, "");
    let locale = if cfg!(target_os = "macos") {
        "en_US.UTF-8"
    } else {
        "C.UTF-8"
    };
    assert_eq!(ended.exits(0), format!("1 {locale}\n[{FINE}]\n"));
    let ended = bench.call_with(
        &["--yes", "--env", "LC_ALL"],
        "shell.run",
        &json!({"command": ":"}),
    );
    ended.exits(2);
}
