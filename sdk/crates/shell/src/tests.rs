#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

#[cfg(target_os = "linux")]
mod differential;
mod documented;

use super::read::tree;
use super::{ShellLine, Word};

/// The commands of a line, each as its words, with `?` for a word that is not known.
fn commands(line: &str) -> Vec<String> {
    let parsed = ShellLine::parse(line).unwrap_or_else(|error| panic!("{line}: {error:?}"));
    let shown = |word: &Word| word.known().unwrap_or("?").to_owned();
    parsed
        .commands()
        .iter()
        .map(|part| part.words().iter().map(shown).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn every_command_of_a_line_is_a_part() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("# rm x", &[]),
        ("x=1 y=2", &[]),
        (
            "a 1; b 2 && c 3 || d 4 & e 5",
            &["a 1", "b 2", "c 3", "d 4", "e 5"],
        ),
        ("a\nb # c; d\ne", &["a", "b", "e"]),
        ("a | b |& c", &["a", "b", "c"]),
        ("! a && time -p b", &["a", "b"]),
        ("(a; { b; })", &["a", "b"]),
        (
            "if a; then b; elif c; then d; else e; fi",
            &["a", "b", "c", "d", "e"],
        ),
        (
            "while a; do b; done; until c; do d; done",
            &["a", "b", "c", "d"],
        ),
        ("for i in $(a); do b \"$i\"; done", &["a", "b ?"]),
        ("for ((i=0; i<3; i++)); do a; done", &["a"]),
        (
            "case $(a) in x|y) b;; *) c;& z) d;;& esac",
            &["a", "b", "c", "d"],
        ),
        ("coproc a", &["a"]),
        ("a $(b $(c))", &["c", "b ?", "a ?"]),
        ("a `b \\`c\\``", &["c", "b ?", "a ?"]),
        ("a \"x $(b) y\"", &["b", "a ?"]),
        ("a <(b) >(c)", &["b", "c", "a ? ?"]),
        ("a > >(b)", &["b", "a"]),
        ("x=$(a) b", &["a", "b"]),
        ("x=(1 $(a)) b", &["a", "b"]),
        ("a ${x:-$(b)} ${y//p/$(c)}", &["b", "c", "a ? ?"]),
        ("a <<< \"$(b)\"", &["b", "a"]),
        ("a <<E\n$(b) `c` '$(d)'\nE\ne", &["b", "c", "d", "a", "e"]),
        ("a <<'E'\n$(b)\nE\ne", &["a", "e"]),
        ("a <<-E\n\t$(b)\n\tE\ne", &["b", "a", "e"]),
        ("[[ -f $(a) && x == y ]] && b", &["a", "b"]),
        ("a 'b; c' \"d && e\" f\\;g", &["a b; c d && e f;g"]),
        ("r''m \\-r\"f\" $'\\x78'", &["rm -rf x"]),
        ("r\\\nm x", &["rm x"]),
        ("> f rm x", &["rm x"]),
        (
            "git commit -m \"$(cat <<'E'\nit's (1) a) \"q\" `b`\nE\n)\"",
            &["cat", "git commit -m it's (1) a) \"q\" `b`"],
        ),
        // Only `cat` alone, in quotes, and with nothing to expand.
        (
            "a \"x$(cat <<\"E\"\n1\n\n2\n\n\nE\n)y\"",
            &["cat", "a x1\n\n2y"],
        ),
        ("a \"$(cat << 'E'\n\nE\n )\"", &["cat", "a "]),
        ("a $(cat <<'E'\n1\nE\n)", &["cat", "a ?"]),
        ("a \"$(cat <<E\n1\nE\n)\"", &["cat", "a 1"]),
        ("a \"$(cat <<E\n$X\nE\n)\"", &["cat", "a ?"]),
        ("a \"$(cat <<'E'\n1\nE\nb)\"", &["cat", "b", "a ?"]),
        (
            "bash -c \"$(cat <<'E'\na 'x y'; b\nE\n)\"",
            &["cat", "a x y", "b"],
        ),
        ("a \"$(cat <<E\nit's $(b)\nE\n)\"", &["b", "cat", "a ?"]),
        ("a HEAD~1 stash@{0} {} x=y", &["a HEAD~1 stash@{0} {} x=y"]),
        ("a *.c [ab] {x,y} ~/z $((1+2))", &["a ? ? ? ? ?"]),
        ("env -i A=1 nice -n 5 timeout -k 1 5 a b", &["a b"]),
        (
            "nohup a & setsid -w b; stdbuf -oL c; ionice -c3 d",
            &["a", "b", "c", "d"],
        ),
        ("command a; builtin b; exec c", &["a", "b", "c"]),
        ("a | xargs -0 -n 1 b c", &["a", "b c ?"]),
        ("a | xargs -I{} b {} x{}y", &["a", "b ? ?"]),
        ("xargs", &["echo ?"]),
        ("sh -c 'a; b'", &["a", "b"]),
        ("bash -lc 'a' x; bash -e -c b", &["a", "b"]),
        ("bash -c \"a $X\"", &["bash -c ?", "?"]),
        ("bash script.sh", &["bash script.sh"]),
        ("eval 'a; b' c", &["a", "b c"]),
        ("eval $X", &["eval ?", "?"]),
        (
            "find . -name x -exec a {} \\; -delete",
            &["find . -name x -exec a {} ; -delete", "a ?", "rm ?"],
        ),
        (
            "find . -execdir a + b {} +",
            &["find . -execdir a + b {} +", "a + b ?"],
        ),
        ("sudo -u x a b", &["sudo -u x a b", "a b"]),
        ("nice --odd a", &["nice --odd a", "?"]),
        ("timeout $T a", &["timeout ? a", "?"]),
        ("trap 'a' EXIT", &["a"]),
        ("$X a", &["? a"]),
        ("cd a && b", &["cd a", "b"]),
    ];
    for (line, expected) in cases {
        assert_eq!(commands(line), *expected, "{line}");
    }
}

#[test]
fn what_is_not_understood_is_said() {
    for line in [
        "f() { a; }",
        "function f { a; }",
        "alias a=b",
        "select x in a b; do c; done",
        "a $(b",
        "a 'b",
        "a `b",
        "a <<E\nb",
        "a ;; b",
        "if a; then b",
        "a $(case x in x) b;; esac)",
        "a ${!x}",
        "a ${x@P}",
        "a \"${x:-'$(b)'}\"",
        "a $((b[$(c)]))",
        "x='a[$(rm y)]'; (( x ))",
        "read x; [[ $x -eq 1 ]]",
        "printf -v 'a[$(b)]' c",
        "test -v 'a[$(b)]'",
        "declare -i x=1",
        "export 'a[$(b)]=1'",
        "shopt -s expand_aliases",
        "enable -n test",
        "export $X; a",
        "declare \"$X=1\"",
        "hash -p /tmp/x git",
        // A here-document that the line puts together is no one that was taken out of it.
        "x \"$(cat <<'E'\n1\nE\n)\"; bash -c $'a \"$(b \\x3c\\x3cE\\n)\\nE\\nrm x\\n)\"'",
        "bash -c \"$(cat <<'E'\ncat <<X\n1\nX\nE\n)\"",
        "a<(b)",
        "a @(b|c)",
        "a \"$(cat <<E\nE) b\nE\nrm x)\"",
        "cat <<A\n$(cat <<'E'\nA\nrm x\nE\n)\nA",
        "echo '$(cat <<'E'\nrm x\nE\n)",
        "a <<E\nx\\\nE\nrm y\nE",
        "sh -c 'a &> b'",
        "sh -c 'f() { a; }'",
        "a\rb",
        "HOME=/x",
    ] {
        let parsed = ShellLine::parse(line);
        assert!(parsed.is_err(), "{line}: {parsed:?}");
        assert!(!parsed.unwrap_err().what.is_empty());
    }
    let near = ShellLine::parse("a ;; b").unwrap_err();
    assert_eq!(near.at, Some(3));
}

#[test]
fn variables_set_before_a_command_are_its_own() {
    let names = |line: &str| -> Vec<String> {
        let parsed = ShellLine::parse(line).unwrap();
        let assignments = parsed.commands().last().unwrap().assignments();
        assignments.iter().map(|one| one.name.clone()).collect()
    };
    assert_eq!(names("A=1 b=$(c) d"), ["A", "b"]);
    assert_eq!(names("PATH=/x; a"), ["PATH"]);
    assert_eq!(names("x=1; a"), [""; 0]);
    assert_eq!(names("export x=1; a"), ["x"]);
    assert_eq!(names("for PATH in /x; do a; done"), ["PATH"]);
    assert_eq!(names("read PATH; a"), ["PATH"]);
    assert_eq!(names("echo ${PATH:=/x}; a"), ["PATH"]);
    assert_eq!(names("export x=\"$X\"; a"), ["x"]);
    assert_eq!(names("env A=1 B=\"$X\" c"), ["A", "B"]);
    assert_eq!(names("A=1 bash -c 'b'"), ["A"]);
}

/// A line of so many bytes at most, made of units.
fn filled(start: &str, unit: &str, end: &str) -> String {
    let count = (8 * 1024 - start.len() - end.len()) / unit.len();
    format!("{start}{}{end}", unit.repeat(count))
}

#[test]
fn a_line_may_name_a_bounded_number_of_files() {
    let message = format!("git commit -m '{}'", "one, two: three/four, ".repeat(20));
    assert!(ShellLine::parse(&message).is_ok());
    for text in ["a,", "/a,", "-c,", "@/"] {
        let line = filled("a '", text, "'");
        assert!(ShellLine::parse(&line).is_err(), "{text}");
    }
    // In many words as well.
    let word = "a,/".repeat(80) + " ";
    assert!(ShellLine::parse(&filled("a ", &word, "b")).is_err());
}

#[test]
fn a_line_takes_bounded_memory() {
    let words = "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b} ";
    let nested = |open: &str, close: &str, count| open.repeat(count) + "a" + &close.repeat(count);
    let lines = [
        "<<$[ |n ".to_owned(),
        "${<<E\n}\nE".to_owned(),
        filled("find ", "-exec a \\; ", ""),
        filled(
            "find ",
            words,
            " -exec a \\; -exec a \\; -exec a \\; -exec a \\; -exec a \\;",
        ),
        filled("", "a;", "a"),
        filled("", "a|", "a"),
        filled("a ", "$(a) ", ""),
        filled("a ", "[", ""),
        filled("a ", "{", ""),
        filled("a ", "a[", ""),
        filled("a ", "<<E ", "\nE"),
        filled("a <<E\n", "b\n", "E"),
        filled("a \"", "$x", "\""),
        filled("[[ ", "a && ", "a ]]"),
        filled("a=(", "[1]=b ", ")"),
        filled("((", "1+", "1))"),
        filled("a ", words, ""),
        filled("env nice timeout 5 sh -c 'sh -c \"", "a; ", "\"'"),
        filled("a \"$(cat <<'E'\n", "b\n", "E\n)\""),
        nested("$(a ", ")", 15),
        nested("case a in a) ", " esac", 3),
        nested("if a; then ", "; fi", 60),
        nested("{ ", "; }", 60),
        nested("\"${x:-$(a ", ")}\"", 7),
    ];
    for line in &lines {
        let counted = allocation_counter::measure(|| {
            let _ = ShellLine::parse(line);
        });
        let shown: String = line.chars().take(60).collect();
        assert!(counted.bytes_max < 32 * 1024 * 1024, "{shown}: {counted:?}");
        assert!(counted.count_total < 1_000_000, "{shown}: {counted:?}");
    }
}

#[test]
fn every_way_to_the_parser_is_looked_at_first() {
    let hostile = "<<$[ |n ";
    let within = format!("sh -c '{hostile}'");
    let words = ["sh", "-c", hostile].map(str::to_owned);
    let deep = "{ ".repeat(65) + "a" + &"; }".repeat(65);
    let long = "a".repeat(8 * 1024 + 1);
    for line in [hostile, &within, "eval '<<$[ |n '", &deep, &long] {
        let counted = allocation_counter::measure(|| {
            assert!(ShellLine::parse(line).is_err());
        });
        assert!(counted.count_total < 1_000, "{line}: {counted:?}");
    }
    assert!(ShellLine::from_words(&words).is_err());
    assert!(tree(hostile).is_err());
    assert!(tree(&deep).is_err());
    assert!(tree(&long).is_err());
}

#[test]
fn hostile_lines_neither_overflow_nor_hang() {
    let lines = [
        "(".repeat(60_000),
        "$(".repeat(30_000),
        "{ ".repeat(400) + "a;" + &" };".repeat(400),
        "if a; then ".repeat(400) + "b; " + &"fi; ".repeat(400),
        "a[".repeat(32_000),
        "${x[".repeat(60) + &"]}".repeat(60),
        "\"$(".repeat(100) + &")\"".repeat(100),
        "\"a${x:-".repeat(30) + &"}\"".repeat(30),
        format!("[[ {} a ]]", "! ".repeat(400)),
        format!("[[ {}a ]]", "a && ".repeat(400)),
        "((".repeat(200) + &"))".repeat(200),
        "$((a ".repeat(60) + &") )".repeat(60),
        "eval ".repeat(10_000) + "a",
        "env ".repeat(10_000) + "a",
        "a;".repeat(32_000),
        "coproc ".repeat(400) + "a",
        "bash -c '".repeat(200),
        "`".repeat(60_000),
        "<<A ".repeat(10_000),
        "a ".repeat(40_000),
    ];
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    let thread = small.spawn(move || {
        for line in &lines {
            let _ = ShellLine::parse(line);
            let _ = ShellLine::parse(&format!("echo {line}"));
        }
    });
    thread.unwrap().join().unwrap();
}
