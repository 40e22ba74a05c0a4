use super::*;

fn pattern(text: &str) -> HostPattern {
    HostPattern::new(text).unwrap()
}

fn at(text: &str, side: Side, target: &str) -> Match {
    pattern(text).matches(side, target)
}

fn is_yes(found: Match) -> bool {
    matches!(found, Match::Yes(_))
}

#[test]
fn patterns_speak_of_what_the_table_says() {
    for (text, yes, no) in [
        (
            "Example.com.",
            &["example.com", "example.com:443"][..],
            &[
                "a.example.com",
                "example.com.evil.net",
                "notexample.com",
                "93.184.216.34",
            ][..],
        ),
        (
            "*.example.com",
            &["a.example.com", "a.b.example.com:80"],
            &["example.com", "notexample.com", "a.example.com.evil.net"],
        ),
        (
            "bücher.example",
            &["xn--bcher-kva.example"],
            &["bucher.example"],
        ),
        (
            "*.bücher.example",
            &["a.xn--bcher-kva.example"],
            &["xn--bcher-kva.example"],
        ),
        (
            "10.0.0.0/8",
            &["10.1.2.3", "10.255.255.255:1"],
            &["11.0.0.0", "ten.example"],
        ),
        ("0.0.0.0/0", &["1.2.3.4"], &["example.com"]),
        (
            "fd00::/8",
            &["[fdab::1]", "[fd00::]:80"],
            &["[fc00::1]", "10.0.0.1"],
        ),
        ("[2001:db8::1]", &["[2001:db8::1]:9"], &["[2001:db8::2]"]),
        ("*", &["example.com", "10.0.0.1:80", "[fdab::1]"], &[]),
        (
            "*:22",
            &["example.com:22", "[fdab::1]:22"],
            &["example.com:80"],
        ),
        ("example.com:443", &["example.com:443"], &["example.com:80"]),
        ("10.0.0.0/8:80", &["10.0.0.1:80"], &["10.0.0.1:443"]),
        (
            "[2001:db8::1]:80",
            &["[2001:db8::1]:80"],
            &["[2001:db8::1]:443"],
        ),
        ("[fd00::]/8:80", &["[fd00::1]:80"], &["[fd00::1]:443"]),
    ] {
        for side in [Side::Allow, Side::Restrict] {
            for target in yes {
                assert!(is_yes(at(text, side, target)), "{text} {target} {side:?}");
            }
            for target in no {
                assert_eq!(
                    at(text, side, target),
                    Match::No,
                    "{text} {target} {side:?}"
                );
            }
        }
    }
}

#[test]
fn a_rule_that_restricts_takes_for_one_what_leads_to_one_place() {
    for (text, target) in [
        ("localhost", "127.0.0.1"),
        ("localhost", "127.8.9.1:80"),
        ("localhost", "[::1]:80"),
        ("localhost", "0.0.0.0"),
        ("localhost", "[::]"),
        ("localhost", "app.localhost"),
        ("localhost", "[::ffff:127.0.0.1]"),
        ("127.0.0.1", "localhost:80"),
        ("127.0.0.1", "[::1]"),
        ("127.0.0.0/8", "localhost"),
        ("::1", "127.0.0.1"),
        ("[::ffff:127.0.0.1]", "localhost"),
        ("10.0.0.0/8", "[::ffff:10.0.0.1]"),
        ("10.0.0.0/8", "[64:ff9b::a00:1]"),
        ("169.254.169.254", "[::ffff:169.254.169.254]:80"),
        ("[::ffff:10.0.0.1]", "10.0.0.1"),
        ("::ffff:10.0.0.0/104", "10.9.9.9"),
    ] {
        assert!(is_yes(at(text, Side::Restrict, target)), "{text} {target}");
        assert_eq!(at(text, Side::Allow, target), Match::No, "{text} {target}");
    }
    for (text, target) in [("10.0.0.0/8", "localhost"), ("example.com", "127.0.0.1")] {
        assert_eq!(
            at(text, Side::Restrict, target),
            Match::No,
            "{text} {target}"
        );
    }
}

#[test]
fn what_is_not_known_asks() {
    assert_eq!(
        at("example.com:22", Side::Restrict, "example.com"),
        Match::Maybe
    );
    assert_eq!(at("example.com:22", Side::Allow, "example.com"), Match::No);
    for target in [
        "",
        "0x7f.1",
        "exa mple.com",
        "a:b:c",
        "example.com:http",
        "example.com:99999",
    ] {
        assert_eq!(
            at("x.org", Side::Restrict, target),
            Match::Maybe,
            "{target}"
        );
        assert_eq!(at("*", Side::Allow, target), Match::No, "{target}");
        assert!(is_yes(at("*", Side::Restrict, target)), "{target}");
    }
    // An address without brackets, whose end may be a port.
    for (text, target) in [
        ("::1", "::1:80"),
        ("localhost:80", "::1:80"),
        ("fd00::1", "fd00::1:443"),
        ("10.0.0.1", "::ffff:10.0.0.1:80"),
    ] {
        assert_eq!(at(text, Side::Restrict, target), Match::Maybe, "{text}");
        assert_eq!(at(text, Side::Allow, target), Match::No, "{text}");
    }
    assert_eq!(at("::1:80", Side::Allow, "::1:80"), Match::No);
    assert!(is_yes(at("::1:80", Side::Restrict, "::1:80")));
    assert_eq!(at("::1", Side::Restrict, "[::1:80]"), Match::No);
    assert_eq!(at("::1:22", Side::Restrict, "::2:22"), Match::No);
    // A request made by hand, in another spelling.
    assert!(is_yes(at(
        "example.com",
        Side::Restrict,
        "EXAMPLE.com.:443"
    )));
    assert_eq!(
        at("example.com", Side::Allow, "EXAMPLE.com.:443"),
        Match::No
    );
    assert_eq!(
        at("example.com", Side::Allow, "example.com:0443"),
        Match::No
    );
}

#[test]
fn ranges_end_where_they_say() {
    for (text, yes, no) in [
        (
            "0.0.0.0/0",
            &["0.0.0.0", "255.255.255.255:65535", "10.0.0.1:0"][..],
            &["[fd00::1]", "example.com"][..],
        ),
        ("10.0.0.1/32", &["10.0.0.1"], &["10.0.0.0", "10.0.0.2"]),
        (
            "10.0.0.0/31",
            &["10.0.0.0", "10.0.0.1"],
            &["9.255.255.255", "10.0.0.2"],
        ),
        ("::/0", &["[fd00::1]", "[ffff::]:1"], &["10.0.0.1", "a.b"]),
        ("fd00::1/128", &["[fd00::1]"], &["[fd00::]", "[fd00::2]"]),
        ("*:65535", &["a.b:65535"], &["a.b:65534", "a.b:0"]),
    ] {
        for side in [Side::Allow, Side::Restrict] {
            for target in yes {
                assert!(is_yes(at(text, side, target)), "{text} {target} {side:?}");
            }
            for target in no {
                assert_eq!(at(text, side, target), Match::No, "{text} {target}");
            }
        }
    }
}

#[test]
fn closer_names_more_of_the_host() {
    let order = |patterns: &[&str], target: &str| {
        let found: Vec<_> = patterns
            .iter()
            .map(|text| match at(text, Side::Allow, target) {
                Match::Yes(closeness) => closeness,
                other => panic!("{text} {other:?}"),
            })
            .collect();
        assert!(found.is_sorted_by(|a, b| a < b), "{found:?}");
    };
    order(
        &[
            "*",
            "*:443",
            "*.com",
            "*.b.com",
            "*.b.com:443",
            "a.b.com",
            "a.b.com:443",
        ],
        "a.b.com:443",
    );
    order(&["*", "10.0.0.0/8", "10.1.0.0/16", "10.1.1.1"], "10.1.1.1");
}

#[test]
fn what_covers_surely_covers() {
    for (one, other) in [
        ("*", "example.com:80"),
        ("*.com", "example.com"),
        ("*.com", "*.example.com"),
        ("*.com", "*.com:80"),
        ("10.0.0.0/8", "10.1.0.0/16"),
        ("example.com", "EXAMPLE.com"),
    ] {
        assert!(pattern(one).covers(&pattern(other)), "{one} {other}");
    }
    for (one, other) in [
        ("*:80", "*"),
        ("*.com", "com"),
        ("example.com", "*.example.com"),
        ("10.1.0.0/16", "10.0.0.0/8"),
        ("0.0.0.0/0", "::/0"),
        ("localhost", "127.0.0.1"),
    ] {
        assert!(!pattern(one).covers(&pattern(other)), "{one} {other}");
    }
}

#[test]
fn an_error_says_what_is_wrong_and_what_would_be_right() {
    for (text, part) in [
        ("", "empty"),
        ("https://example.com", "`//`"),
        ("example.com/path", "a path is no part"),
        ("10.0.0.1/8", "write `10.0.0.0/8`"),
        ("10.0.0.0/33", "0 to 32"),
        ("fd00::/129", "0 to 128"),
        ("10.0.0.0/+8", "0 to 32"),
        ("*.10.0.0.1", "10.0.0.0/8"),
        ("exa*mple.com", "`*.example.com`"),
        ("*.*.com", "`*.example.com`"),
        ("*example.com", "`*.example.com`"),
        ("10.*", "`*.example.com`"),
        ("example.com:http", "1 to 65535"),
        ("example.com:0", "1 to 65535"),
        ("example.com:+80", "1 to 65535"),
        ("example.com:65536", "1 to 65535"),
        ("[fe80::1%eth0]", "brackets"),
        ("fe80::1%eth0", "`%`"),
        ("example.com:", "1 to 65535"),
        ("127.1", "four decimal"),
        ("user@example.com", "without a user"),
        ("*.", "empty"),
    ] {
        let error = HostPattern::new(text).unwrap_err();
        assert!(error.message.contains(part), "{text}: {}", error.message);
        assert!(error.message.contains(&format!("`{text}`")), "{text}");
    }
}
