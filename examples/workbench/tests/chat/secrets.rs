//! Keys and passwords stay where they are.

use model_server::{ModelServer, Reply};
use serde_json::json;

use super::once;
#[cfg(target_os = "linux")]
use super::{APIS, KEY};
use crate::{Bench, finish};

#[test]
fn a_missing_key_is_named_and_one_is_not_passed_on() {
    let bench = Bench::new();
    let cases = [
        ("gpt-5", "OPENAI_API_KEY"),
        ("claude-1", "ANTHROPIC_API_KEY"),
        ("gemini-2", "GEMINI_API_KEY or GOOGLE_API_KEY"),
    ];
    for (model, variable) in cases {
        let mut command = bench.command(&["chat", "--model", model, "hello"]);
        for name in [
            "OPENAI_API_KEY",
            "ANTHROPIC_API_KEY",
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
        ] {
            command.env_remove(name);
        }
        let ended = finish(&mut command, "");
        ended.exits(2);
        assert!(ended.stderr.contains(variable), "{ended:?}");
    }
    let ended = bench.run(&["chat", "--env", "OPENAI_API_KEY", "--model", "m", "hello"]);
    ended.exits(2);
    let server = ModelServer::start([
        Reply::call("shell_run", &json!({"command": "env"})),
        Reply::text("done"),
    ]);
    let ended = once(&bench, &server, "anthropic", &["--yes", "go"]);
    ended.exits(0);
    let results = server.request(2).results();
    assert!(
        results[0].contains("PATH=") && !results[0].contains(KEY),
        "{results:?}"
    );
}

/// The command line of a process is there for every other one, and the address is in the transcript.
#[test]
fn an_address_with_a_secret_is_refused() {
    let bench = Bench::new();
    let file = bench.outside().join("talk.jsonl");
    let name = file.to_str().unwrap();
    for url in [
        "http://me:pass-word@127.0.0.1:1/v1",
        "https://:pass-word@127.0.0.1:1",
        "http://pass-word@127.0.0.1:1/v1",
        "http://127.0.0.1:1/v1?key=pass-word",
        "http://127.0.0.1:1/v1#pass-word",
        "me:pass-word@127.0.0.1:1/v1",
        "pass-word",
    ] {
        let chat = ["chat", "--model", "m", "--base-url", url, "--transcript"];
        let ended = bench.run(&[&chat[..], &[name, "hello"]].concat());
        ended.exits(2);
        assert!(ended.stderr.contains("`--base-url` "), "{ended:?}");
        assert!(!ended.stderr.contains("pass-word"), "{ended:?}");
        assert!(!file.exists(), "{url}");
        // An older transcript has such a URL.
        let header =
            json!({"workbench_chat": 1, "api": "compatible", "model": "m", "base_url": url});
        std::fs::write(&file, format!("{header}\n")).unwrap();
        let ended = bench.run(&["chat", "--resume", name, "hello"]);
        ended.exits(2);
        assert!(!ended.stderr.contains("pass-word"), "{ended:?}");
        std::fs::remove_file(&file).unwrap();
    }
}

/// Does something without the capabilities by which root reads every process: no shell line of root can be kept from that.
#[cfg(target_os = "linux")]
fn without_capabilities<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            for capability in [
                CapabilitySet::SYS_PTRACE,
                // Newer versions of Linux let these read too.
                CapabilitySet::PERFMON,
                CapabilitySet::SYS_ADMIN,
            ] {
                // Users other than root have none to lose.
                let _ = remove_capability_from_bounding_set(capability);
            }
            run()
        });
        thread.join().unwrap()
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_shell_line_cannot_read_the_environment_of_its_parent() {
    for api in APIS {
        let bench = Bench::new();
        let line = "env; for file in environ mem maps; do \
                    head -c 1 /proc/$PPID/$file > $file.copy && echo read $file; done; tr '\\0' '\\n' < /proc/$PPID/environ";
        let server = ModelServer::start([
            Reply::call("shell_run", &json!({"command": line})),
            Reply::text("done"),
        ]);
        let ended = without_capabilities(|| once(&bench, &server, api, &["--yes", "go"]));
        ended.exits(0);
        let results = server.request(2).results();
        let [result] = &results[..] else {
            panic!("{results:?}")
        };
        assert!(result.contains("PATH="), "{result}");
        assert!(result.contains("Permission denied"), "{result}");
        assert!(!result.contains("read "), "{result}");
        assert!(
            !result.contains(KEY) && !result.contains("API_KEY"),
            "{result}"
        );
    }
}
