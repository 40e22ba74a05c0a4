#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

use super::super::matching::{Match, Side};
use super::CommandPattern;
use toolwright_shell::ShellLine;

fn pattern(text: &str) -> CommandPattern {
    CommandPattern::new(text, false).unwrap()
}

/// Returns what a pattern says of the first command of a line.
fn says(side: Side, pattern: &CommandPattern, line: &str) -> &'static str {
    let line = ShellLine::parse(line).unwrap();
    match pattern.matches(side, &line.commands()[0], &[]) {
        Match::No => "no",
        Match::Maybe => "maybe",
        Match::Yes(_) => "yes",
    }
}

#[test]
fn an_allowed_command_begins_with_the_words() {
    let cases = [
        ("git log", "git log", "yes"),
        ("git log", "git log -3 --stat", "yes"),
        ("git log *", "git log -3", "yes"),
        ("git log", "git 'lo'g", "yes"),
        ("git log", "git logx", "no"),
        ("git log", "git", "no"),
        ("git log", "git -c a=b log", "no"),
        ("git log", "/usr/bin/git log", "no"),
        ("git log", "./git log", "no"),
        ("git log", "git $X", "maybe"),
        ("git log", "$X log", "maybe"),
        ("git log", "PATH=/tmp git log", "no"),
        ("git log", "LC_ALL=C git log", "yes"),
        ("git log", "LC_ALL=/tmp/x git log", "no"),
        ("git log", "TZ=$X git log", "no"),
        ("git log", "nice -n 5 git log", "yes"),
        ("git log", "env -i git log", "yes"),
        ("git log", "env GIT_PAGER=x git log", "no"),
        ("git log", "timeout 5 git log", "yes"),
        ("nohup ./server", "nohup ./server -v", "yes"),
        ("nohup", "nohup ./server", "no"),
        ("git * x", "git y x", "yes"),
        ("git * x", "git \"$y\" x", "yes"),
        ("git * x", "git $y x", "maybe"),
        ("*", "anything at all", "yes"),
        ("grep foo", "xargs grep foo", "yes"),
    ];
    for (text, line, expected) in cases {
        assert_eq!(
            says(Side::Allow, &pattern(text), line),
            expected,
            "{text}: {line}"
        );
    }
}

#[test]
fn an_exact_command_is_the_whole_one() {
    let exact = CommandPattern::new("make test", true).unwrap();
    assert_eq!(says(Side::Allow, &exact, "make test"), "yes");
    assert_eq!(says(Side::Allow, &exact, "make test x"), "no");
    assert_eq!(says(Side::Allow, &exact, "make"), "no");
    assert_eq!(says(Side::Allow, &exact, "xargs make test"), "maybe");
    assert_eq!(says(Side::Restrict, &exact, "make test"), "yes");
    assert_eq!(says(Side::Restrict, &exact, "make test x"), "no");
    assert_eq!(says(Side::Restrict, &exact, "make test $X"), "maybe");
}

#[test]
fn a_forbidden_command_is_so_in_every_spelling() {
    let cases = [
        ("rm -rf", "rm -rf x", "yes"),
        ("rm -rf", "rm -fr x", "yes"),
        ("rm -rf", "rm -r -f x", "yes"),
        ("rm -rf", "rm -r x -f", "yes"),
        ("rm -rf", "rm -Rf x", "yes"),
        ("rm -rf", "rm --recursive --force x", "yes"),
        ("rm -rf", "rm --recur -f x", "maybe"),
        ("git commit --no-verify", "git commit -nm x", "yes"),
        ("git push", "git --no-advice push", "yes"),
        ("docker rm", "docker -D --tlskey k rm x", "yes"),
        ("kubectl delete", "kubectl --as-uid 1 delete pod x", "yes"),
        ("npm publish", "npm -q publish", "yes"),
        ("rm -rf", "rm -r x", "no"),
        ("rm -rf", "rm -r -- -f", "no"),
        ("rm -rf", "rm -r $X", "maybe"),
        ("rm -rf", "rm -r ./*.o", "no"),
        ("rm -rf", "rm -r *", "maybe"),
        ("rm -rf", "/bin/rm -rf x", "yes"),
        ("rm -rf", "\\rm -rf x", "yes"),
        ("rm -rf", "r''m -rf x", "yes"),
        ("rm -rf", "$X -rf x", "maybe"),
        ("rm -rf", "{rm,-rf,x}", "maybe"),
        ("rm -rf", "env rm -rf x", "yes"),
        ("rm -rf", "xargs rm -rf", "yes"),
        ("rm -rf", "xargs rm", "maybe"),
        ("rm -rf", "ssh host rm -rf x", "maybe"),
        ("rm -rf", "ssh host 'cd /; rm -rf x'", "maybe"),
        ("rm -rf", "echo rm -rf x", "no"),
        ("rm", "git rm x", "no"),
        ("rm", "rtk rm x", "maybe"),
        ("git push", "git push", "yes"),
        ("git push", "git -c a=b push", "yes"),
        ("git push", "git -C dir --no-pager push origin", "yes"),
        ("git push", "git --odd value push", "maybe"),
        ("git push", "git --odd=value push", "yes"),
        ("git push", "git commit -m push", "no"),
        ("git push", "git $X", "maybe"),
        ("git push", "git \"pu$X\"", "maybe"),
        ("git push", "git \"co$X\"", "no"),
        ("git push", "foo git push", "maybe"),
        ("git push", "bash -c 'git push'", "yes"),
        ("git push --force", "git push origin main -f", "yes"),
        ("git push -f", "git push --force", "yes"),
        ("git push --force", "git push --force-with-lease", "no"),
        ("git push --force", "git push -o fancy", "no"),
        ("git push --force", "git push -ofancy", "maybe"),
        ("npm run deploy", "npm run -w pkg deploy", "yes"),
        ("npm run deploy", "npm run --odd pkg deploy", "maybe"),
        ("npm run deploy", "npm run --silent deploy", "yes"),
        ("npm run deploy", "npm run test deploy", "no"),
        ("cargo publish", "cargo +nightly publish", "yes"),
        ("env", "env FOO=1 ls", "yes"),
        ("bash -c", "bash -c 'ls'", "yes"),
        ("bash -c", "bash -lc 'ls'", "yes"),
        ("find -delete", "find . -name x -delete", "yes"),
        ("find -delete", "find . -name x", "no"),
        ("rm", "RM x", "yes"),
        ("source", ". x", "yes"),
        ("test", "[ -f x ]", "yes"),
        ("curl -X POST", "curl -XPOST x", "yes"),
        ("curl -X POST", "curl x --request=POST", "yes"),
        ("curl -X POST", "curl x --request POST", "yes"),
        ("curl -X POST", "curl x -X \"$M\"", "maybe"),
        ("curl -X POST", "curl -X GET POST", "maybe"),
        ("curl -X POST", "curl -X GET x", "no"),
        ("rm -rf /", "rm -rf //", "yes"),
        ("rm -rf /", "rm -rf x /.", "maybe"),
        ("cat .env", "cat ./.env", "yes"),
        ("cat .env", "cat x .env", "maybe"),
        ("dd if=/dev/zero", "dd of=x if=/dev/zero", "maybe"),
        ("git * push", "git -c push", "yes"),
        ("rm -rf", "ssh host 'ls;rm -rf x'", "maybe"),
        ("rm -rf", "awk 'BEGIN{system(\"rm -rf x\")}'", "maybe"),
        ("rm -rf", "git submodule foreach rm -rf x", "maybe"),
        ("rm -rf", "git commit -m 'no rm -rf x'", "no"),
        ("git push", "git -c alias.p=push p", "maybe"),
        ("*", "anything", "yes"),
    ];
    for (text, line, expected) in cases {
        assert_eq!(
            says(Side::Restrict, &pattern(text), line),
            expected,
            "{text}: {line}"
        );
    }
}

#[test]
fn a_text_that_is_no_pattern_says_why() {
    let message = |text: &str| CommandPattern::new(text, false).unwrap_err().message;
    assert!(
        message("npm run test:*").contains("write `npm run test`"),
        "{}",
        message("npm run test:*")
    );
    assert!(message("git log | cat").contains("operators"));
    assert!(message("git log; ls").contains("not one command"));
    assert!(message("A=1 git log").contains("`environment`"));
    assert!(message("git log > x").contains("opens files"));
    assert!(message("git $X").contains("not known"));
    assert!(message("").contains("not one command"));
    assert!(message("git 'log").contains("quote"));
    assert!(message("~/bin/x").contains("not known"));
    for odd in ["rm\u{a0}-rf", "rm\u{200b}", "rm\u{feff} x", "r\u{202e}m"] {
        assert!(message(odd).contains("looks like a space"), "{odd:?}");
    }
    assert!(CommandPattern::new("git *", true).is_err());
    assert!(CommandPattern::new("echo 'a*' '$X' 'a b'", false).is_ok());
}

#[test]
fn what_covers_what() {
    let covers = |a: &str, b: &str| pattern(a).covers(&pattern(b));
    assert!(covers("git", "git log"));
    assert!(covers("*", "git log"));
    assert!(covers("git * x", "git y x z"));
    assert!(!covers("git log", "git"));
    assert!(!covers("git y x", "git * x"));
    let exact = CommandPattern::new("git log", true).unwrap();
    assert!(pattern("git").covers(&exact));
    assert!(!exact.covers(&pattern("git log")));
    assert_eq!(exact.as_str(), "git log");
}
