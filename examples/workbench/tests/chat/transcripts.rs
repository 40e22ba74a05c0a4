//! Conversations that are kept, and go on; also those whose process was killed.

use std::fs;

use model_server::{ModelServer, Reply};
use serde_json::{Value, json};

use super::{APIS, KEY, KEYS, once};
use crate::{Bench, Ended, finish};

#[test]
fn a_transcript_goes_on_and_runs_again() {
    for api in APIS {
        let bench = Bench::new();
        bench.file("a.txt", "one\n");
        let think = Reply::thinking("hm").and_call("fs_read", &json!({"path": "a.txt"}));
        let server = ModelServer::start([think, Reply::text("one"), Reply::text("again")]);
        let file = bench.outside().join("talk.jsonl");
        let file = file.to_str().unwrap();
        once(&bench, &server, api, &["--transcript", file, "read it"]).exits(0);
        // It has to be new, and outside of the root.
        once(&bench, &server, api, &["--transcript", file, "read it"]).exits(2);
        let inside = bench.path("talk.jsonl");
        once(
            &bench,
            &server,
            api,
            &["--transcript", inside.to_str().unwrap(), "x"],
        )
        .exits(2);
        let text = fs::read_to_string(file).unwrap();
        assert!(!text.contains(KEY));
        let mut command = bench.command(&["chat", "--resume", file, "what was it?"]);
        let ended = finish(command.envs(KEYS), "");
        assert_eq!(ended.exits(0), "again\n", "{api} {ended:?}");
        // The server compares ids and signatures.
        let history = server.request(3).history().to_vec();
        let kept: Vec<Value> = text
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(history[..kept.len()], kept, "{api}");
        let ended = bench.run(&["run", file]);
        ended.exits(0);
        let lines = ended.lines();
        assert_eq!(lines.len(), 1, "{api}");
        assert_eq!(lines[0]["content"][0]["text"], "     1\tone", "{api}");
    }
}

#[test]
fn a_resumed_transcript_has_to_be_one() {
    let bench = Bench::new();
    let file = bench.outside().join("talk.jsonl");
    for text in [
        "",
        "{}\n",
        "{\"workbench_chat\":1,\"api\":\"x\",\"model\":\"m\"}\n",
        "{\"workbench_chat\":1,\"api\":\"compatible\",\"model\":\"m\"}\nno\n",
    ] {
        fs::write(&file, text).unwrap();
        let ended = bench.run(&["chat", "--resume", file.to_str().unwrap(), "x"]);
        ended.exits(2);
        assert!(
            ended.stderr.contains("is not what `chat` writes"),
            "{ended:?}"
        );
    }
}

/// Goes on with a transcript by one more message.
fn go_on(bench: &Bench, file: &str) -> Ended {
    let mut command = bench.command(&["--yes", "chat", "--resume", file, "go on"]);
    finish(command.envs(KEYS), "")
}

#[test]
fn a_run_that_was_killed_goes_on_and_runs_nothing_twice() {
    for api in APIS {
        let bench = Bench::new();
        bench.file("a.txt", "one\n");
        let line = "echo x >> count; kill -9 $PPID";
        let server = ModelServer::start([
            Reply::thinking("hm")
                .and_text("I do both.")
                .and_call("fs_read", &json!({"path": "a.txt"}))
                .and_call("shell_run", &json!({"command": line})),
            Reply::text("I looked."),
            Reply::text("Again."),
        ]);
        let file = bench.outside().join("talk.jsonl");
        let file = file.to_str().unwrap();
        let killed = once(&bench, &server, api, &["--yes", "--transcript", file, "go"]);
        assert_eq!(killed.code, None, "{api} {killed:?}");
        let ended = go_on(&bench, file);
        assert_eq!(ended.exits(0), "I looked.\n", "{api}");
        let told = "[the transcript has no result of fs_read, shell_run: the model reads";
        assert!(ended.stderr.contains(told), "{api} {ended:?}");
        let results = server.request(2).results();
        assert_eq!(results.len(), 2, "{api} {results:?}");
        for result in &results {
            assert!(result.contains("ended before the result"), "{api} {result}");
            assert!(result.contains("may have run"), "{api} {result}");
        }
        assert_eq!(bench.read("count"), "x\n", "{api}");
        // The results are in the transcript now.
        let ended = go_on(&bench, file);
        assert_eq!(ended.exits(0), "Again.\n", "{api}");
        assert!(!ended.stderr.contains("transcript"), "{api} {ended:?}");
    }
}

/// The server refuses a history with a call that has no result, or a thought without what came of it.
#[test]
fn a_transcript_that_is_cut_anywhere_goes_on() {
    for api in APIS {
        let bench = Bench::new();
        bench.tree(&[("a.txt", "Käse\n"), ("b.txt", "two\n")]);
        let server = ModelServer::start([
            Reply::thinking("hm")
                .and_text("I look at both.")
                .and_call("fs_read", &json!({"path": "a.txt"}))
                .and_call("fs_read", &json!({"path": "b.txt"})),
            Reply::text("Käse"),
        ]);
        let file = bench.outside().join("talk.jsonl");
        let name = file.to_str().unwrap();
        once(&bench, &server, api, &["--transcript", name, "read"]).exits(0);
        let whole = fs::read(&file).unwrap();
        let mut ends = vec![0];
        ends.extend((1..=whole.len()).filter(|at| whole[at - 1] == b'\n'));
        let mut cuts: Vec<usize> = ends
            .windows(2)
            .map(|line| line[0].midpoint(line[1]))
            .collect();
        cuts.extend(&ends);
        // Within a character.
        let umlauts = (1..whole.len()).filter(|at| whole[*at] == "ä".as_bytes()[1]);
        cuts.extend(umlauts);
        for cut in cuts {
            fs::write(&file, &whole[..cut]).unwrap();
            let before = server.requests().len();
            if cut < ends[1] {
                go_on(&bench, name).exits(2);
                assert_eq!(fs::read(&file).unwrap(), whole[..cut], "{api} {cut}");
                continue;
            }
            server.then(Reply::text("again"));
            let ended = go_on(&bench, name);
            assert_eq!(ended.exits(0), "again\n", "{api} {cut} {ended:?}");
            let is_torn = !ends.contains(&cut);
            let told = ended.stderr.contains("was not written to its end");
            assert_eq!(told, is_torn, "{api} {cut} {ended:?}");
            assert_eq!(server.requests().len(), before + 1, "{api} {cut}");
            // The file has what was sent.
            let kept = fs::read_to_string(&file).unwrap();
            let kept: Vec<Value> = kept
                .lines()
                .skip(1)
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            let sent = server.request(before + 1).history().to_vec();
            assert_eq!(kept[..sent.len()], sent, "{api} {cut}");
        }
    }
}
