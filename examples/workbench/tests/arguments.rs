//! The command line: listings, calls, and wrong usage.

use serde_json::{Value, json};

use crate::{Bench, finish, workbench};

/// All tools, in their order.
const TOOLS: &[&str] = &[
    "echo",
    "fs.edit",
    "fs.glob",
    "fs.list",
    "fs.read",
    "fs.remove",
    "fs.search",
    "fs.write",
    #[cfg(unix)]
    "shell.run",
    "text.count",
    "text.hash",
    "user.ask",
];

#[test]
fn the_list_is_a_table() {
    let list = Bench::new().run(&["list"]);
    let lines: Vec<&str> = list.exits(0).lines().collect();
    let columns = |line: &str| -> Vec<String> {
        line.split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let rows: Vec<Vec<String>> = lines.iter().map(|line| columns(line)).collect();
    assert_eq!(rows[0], ["NAME", "EFFECT", "ARGUMENTS", "DESCRIPTION"]);
    let names: Vec<&str> = rows[1..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names, TOOLS);
    let row = |name: &str| rows.iter().find(|row| row[0] == name).unwrap();
    assert_eq!(
        row("fs.read"),
        &[
            "fs.read",
            "read_only",
            "path [from] [limit]",
            "Read a text file with numbered lines."
        ]
    );
    // Columns stand under their headings.
    for heading in ["EFFECT", "ARGUMENTS", "DESCRIPTION"] {
        let at = lines[0].find(heading).unwrap();
        for line in &lines {
            assert!(
                line[..at].ends_with("  ") && !line[at..].starts_with(' '),
                "{line}"
            );
        }
    }
    assert_eq!(list.stderr, "");
}

#[test]
fn the_list_is_json_when_asked() {
    let bench = Bench::new();
    let list = bench.run(&["list", "--json"]);
    let specs: Vec<Value> = serde_json::from_str(list.exits(0)).unwrap();
    let names: Vec<&str> = specs
        .iter()
        .filter_map(|spec| spec["name"].as_str())
        .collect();
    assert_eq!(names, TOOLS);
    for spec in &specs {
        assert!(!spec["description"].as_str().unwrap().is_empty(), "{spec}");
        let schema = &spec["input_schema"];
        assert_eq!(schema["type"], "object", "{spec}");
        assert_eq!(schema["additionalProperties"], false, "{spec}");
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name} of {spec}");
        }
        // Resources of the app do not show in the schema.
        for resource in ["files", "ctx"] {
            assert!(schema["properties"][resource].is_null(), "{spec}");
        }
    }
    let spec = |name: &str| specs.iter().find(|spec| spec["name"] == name).unwrap();
    let read = &spec("fs.read")["input_schema"];
    assert_eq!(read["required"], json!(["path"]));
    assert_eq!(read["properties"]["from"]["minimum"], 1);
    assert_eq!(spec("fs.write")["annotations"]["destructive"], true);
    assert_eq!(spec("text.count")["output_schema"]["type"], "object");
    // The same bytes each time.
    assert_eq!(bench.run(&["list", "--json"]).stdout, list.stdout);
}

#[test]
fn wrong_usage_exits_2_and_says_what_is_wrong() {
    let bench = Bench::new();
    bench.file("a.txt", "x\n");
    for (arguments, said) in [
        (&["--yes", "--deny", "list"][..], "cannot be used with"),
        (&["--bogus", "list"], "unexpected argument '--bogus'"),
        (&["list", "--yaml"], "unexpected argument '--yaml'"),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["call"], "<NAME>"),
        (&["run"], "FILE"),
        (&[], "Usage"),
        (&["run", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (&["run", "."], "cannot be read"),
    ] {
        let ended = bench.run(arguments);
        assert_eq!(ended.exits(2), "", "{arguments:?}");
        assert!(
            ended.stderr.contains(said),
            "{arguments:?}: {}",
            ended.stderr
        );
    }
    let file = bench.path("a.txt");
    let missing = bench.path("missing");
    for root in [file, missing] {
        let ended = finish(workbench().arg("--root").arg(&root).arg("list"), "");
        assert_eq!(ended.exits(2), "");
        assert!(
            ended.stderr.contains(root.to_str().unwrap()),
            "{}",
            ended.stderr
        );
        assert!(ended.stderr.contains("because: "), "{}", ended.stderr);
    }
}

#[test]
fn what_was_meant_is_done_and_told_unless_it_is_to_be_strict() {
    let bench = Bench::new();
    bench.file("a.txt", "one\ntwo\n");
    let sloppy = r#"{"Path": "a.txt", "limit": "1"}"#;
    let read = bench.run(&["call", "fs.read", sloppy]);
    assert_eq!(read.exits(0).trim(), "1\tone");
    assert_eq!(
        read.stderr,
        "repaired: `/Path` was renamed to `path`\nrepaired: `/limit`: \"1\" became 1\n"
    );
    for arguments in [
        ["--strict", "call", "fs.read", sloppy],
        ["call", "--strict", "fs.read", sloppy],
        ["call", "fs.read", sloppy, "--strict"],
    ] {
        let strict = bench.run(&arguments);
        assert!(strict.exits(1).contains("did you mean `path`?"));
        assert_eq!(strict.stderr, "");
    }

    let call = format!(r#"{{"id": "1", "name": "fs.read", "arguments": {sloppy}}}"#);
    let line = bench.run_lines(&[], &call).lines().remove(0);
    assert_eq!(line["repairs"][1]["to"], 1, "{line}");
}

#[test]
fn help_and_version_succeed() {
    let bench = Bench::new();
    let help = bench.run(&["--help"]);
    for said in [
        "list",
        "call",
        "run",
        "--root",
        "--yes",
        "--deny",
        "Exit codes",
    ] {
        assert!(help.exits(0).contains(said), "{said}: {}", help.stdout);
    }
    assert!(bench.run(&["--version"]).exits(0).starts_with("workbench "));
}

#[test]
fn arguments_come_from_standard_input_too() {
    let bench = Bench::new();
    let counts = "{\"lines\":1,\"words\":2,\"characters\":4,\"bytes\":5}\n";
    let read = finish(
        &mut bench.command(&["call", "text.count", "-"]),
        r#"{"text": "ä bc"}"#,
    );
    assert_eq!(read.exits(0), counts);
    let given = bench.call("text.count", &json!({"text": "ä bc"}));
    assert_eq!(given.exits(0), counts);
    // Nothing at all is an empty object.
    for nothing in ["", " \n", "null", "{}"] {
        let listed = finish(&mut bench.command(&["call", "fs.list", "-"]), nothing);
        assert_eq!(listed.exits(0), "{\"entries\":[]}\n", "{nothing:?}");
    }
}

#[test]
fn options_stand_before_or_after_the_command() {
    let bench = Bench::new();
    bench.file("a.txt", "x\n");
    let root = bench.root.to_str().unwrap();
    let before = finish(workbench().args(["--root", root, "call", "fs.list"]), "");
    let after = finish(workbench().args(["call", "fs.list", "--root", root]), "");
    assert!(before.exits(0).contains("a.txt"));
    assert_eq!(after.exits(0), before.stdout);
    // Without a root it is where one stands.
    let here = finish(workbench().args(["call", "fs.list"]).current_dir(root), "");
    assert_eq!(here.exits(0), before.stdout);
}

#[test]
fn an_unknown_name_exits_1_and_names_the_nearest() {
    let bench = Bench::new();
    for wrong in ["fs.raed", "fs.Read", "fsread"] {
        let ended = bench.call(wrong, &json!({"path": "a.txt"}));
        assert!(
            ended.exits(1).contains("did you mean `fs.read`?"),
            "{}",
            ended.stdout
        );
    }
    let far = bench.call("coffee.brew", &json!({}));
    assert_eq!(far.exits(1), "there is no tool `coffee.brew`\n");
}

#[test]
fn arguments_that_do_not_fit_exit_1_and_all_is_told_at_once() {
    let bench = Bench::new();
    let wrong = json!({"path": 5, "from": 0, "limt": 1});
    let ended = bench.call("fs.read", &wrong);
    for said in ["`/path`", "`/from`", "`/limt`", "did you mean `limit`?"] {
        assert!(ended.exits(1).contains(said), "{said}: {}", ended.stdout);
    }
    assert!(!ended.stdout.contains("workspace"), "{}", ended.stdout);
    for (text, said) in [
        ("{\"path\": ", "not valid JSON"),
        ("[\"a.txt\"]", "expected an object"),
        ("{}", "is required and missing"),
    ] {
        let ended = bench.run(&["call", "fs.read", text]);
        assert!(ended.exits(1).contains(said), "{text}: {}", ended.stdout);
        assert!(
            !ended.stdout.contains(" column "),
            "{text}: {}",
            ended.stdout
        );
    }
}
