use super::{Capability, CapabilityGrant};

fn grants(grant: &str, capability: &str) -> bool {
    let grant: CapabilityGrant = grant.parse().unwrap();
    grant.grants(&capability.parse().unwrap())
}

#[test]
fn a_grant_covers_what_is_equal_or_under_its_wildcards() {
    for (grant, capability) in [
        ("fs:read:/data", "fs:read:/data"),
        ("fs:read:*", "fs:read:/data"),
        ("fs:read:*", "fs:read:a:b:c"),
        ("fs:*:/data", "fs:write:/data"),
        ("*:read:/data", "fs:read:/data"),
        ("*:*:*", "net:connect:api.example.com:443"),
        ("fs:read:/data/*", "fs:read:/data/x"),
        ("fs:read:/data/*", "fs:read:/data/x/y.z"),
        ("fs:read:/data/*", "fs:read:/data/sub/*"),
        ("fs:read:/data/*", "fs:read:/data/..x/.y"),
        ("fs:read:*", "fs:read:*"),
        ("net:connect:*.example.com", "net:connect:*.example.com"),
    ] {
        assert!(grants(grant, capability), "{grant} grants {capability}");
    }
}

#[test]
fn a_grant_covers_nothing_else() {
    for (grant, capability) in [
        ("fs:read:/data", "fs:read:/data/x"),
        ("fs:read:/data", "fs:read:/database"),
        ("fs:read:/data", "fs:read:/Data"),
        ("fs:read:/data", "FS:read:/data"),
        ("fs:read:/data", "fsx:read:/data"),
        ("fsx:read:/data", "fs:read:/data"),
        ("fs:read:/data", "fs:readall:/data"),
        ("fs:read:/data", "fs:read:*"),
        ("fs:read:/data/*", "fs:read:/data"),
        ("fs:read:/data/*", "fs:read:/data/"),
        ("fs:read:/data/*", "fs:read:/database/x"),
        ("fs:read:/data/*", "fs:read:*"),
        ("fs:read:/data/*", "fs:read:/data/../etc/passwd"),
        ("fs:read:/data/*", "fs:read:/data/x/.."),
        ("fs:read:/data/*", "fs:read:/data/."),
        ("fs:read:/data/*", r"fs:read:/data/x\..\..\etc"),
        ("fs:*:/data", "fs:read:/data/x"),
        ("net:connect:a", "net:connect:a:443"),
        ("net:connect:*.example.com", "net:connect:api.example.com"),
        ("fs:read:/da*", "fs:read:/data"),
    ] {
        assert!(
            !grants(grant, capability),
            "{grant} does not grant {capability}"
        );
    }
}

#[test]
fn the_scope_is_all_that_follows_the_second_colon() {
    let capability = Capability::new("net:connect:[::1]:443 a/ü*").unwrap();
    assert_eq!(capability.domain(), "net");
    assert_eq!(capability.action(), "connect");
    assert_eq!(capability.scope(), "[::1]:443 a/ü*");
    assert_eq!(capability.to_string(), "net:connect:[::1]:443 a/ü*");
    assert_eq!(Capability::new("a:b::").unwrap().scope(), ":");
}

#[test]
fn what_is_no_capability_is_told_with_all_its_faults() {
    let told = |text: &str| text.parse::<Capability>().unwrap_err().to_string();
    assert_eq!(
        told("fs"),
        "`fs` cannot be a capability: `domain:action:scope` is three segments, such as \
         `fs:read:/data`, and here there is one"
    );
    assert_eq!(
        told("fs:*"),
        "`fs:*` cannot be a capability: `domain:action:scope` is three segments, such as \
         `fs:read:/data`, and here there are two; the action has a `*`, which only a grant may \
         have: name the action"
    );
    assert_eq!(
        told("f s::"),
        "`f s::` cannot be a capability: the domain has ' ': use ASCII letters, digits, `_`, `-` \
         and `.`; the action is empty; the scope is empty"
    );
    assert_eq!(
        told("fs:re*:a\n"),
        "`fs:re*:a\\n` cannot be a capability: the action has a `*`, which only a grant may have: \
         name the action; the scope has '\\n': use printable text"
    );
    assert_eq!(
        told("fs:read: /a"),
        "`fs:read: /a` cannot be a capability: the scope begins or ends with a space: leave it out"
    );
    for text in [
        "",
        ":",
        "::",
        ":::",
        "fs:read",
        "fs:read:",
        ":read:/",
        "fs::/",
        "*:read:/",
        "fs:*:/",
        "ü:read:/",
        "fs:read:\u{a0}",
        "fs:read:\u{2028}",
        "fs:read:a\u{202e}b",
        "fs:read:a\0",
        "fs:read: ",
        " fs:read:/",
    ] {
        assert_eq!(text.parse::<Capability>().unwrap_err().text(), text);
    }
}

#[test]
fn trap_a_wildcard_in_a_grant_stands_for_a_whole_segment() {
    let told = |text: &str| text.parse::<CapabilityGrant>().unwrap_err().to_string();
    assert_eq!(
        told("f*:**:x"),
        "`f*:**:x` cannot be a grant of a capability: the domain has a `*` beside other text: \
         write `*` alone for any domain, or name it in full; the action has a `*` beside other \
         text: write `*` alone for any action, or name it in full"
    );
    for text in ["*", "*:*", "fs:*", "*:*:", "*:*: *", "fs:rea?:x"] {
        assert!(text.parse::<CapabilityGrant>().is_err(), "{text}");
    }
}

#[test]
fn each_capability_is_a_grant_of_itself() {
    let capability = Capability::new("fs:read:/data").unwrap();
    let grant = CapabilityGrant::from(capability.clone());
    assert!(grant.grants(&capability));
    assert_eq!(grant.as_str(), capability.as_str());
}

#[test]
fn both_are_text_in_serialised_form() {
    let capability = Capability::new("fs:read:/data").unwrap();
    let text = serde_json::to_string(&capability).unwrap();
    assert_eq!(text, r#""fs:read:/data""#);
    assert_eq!(
        serde_json::from_str::<Capability>(&text).unwrap(),
        capability
    );
    let grant: CapabilityGrant = serde_json::from_str(r#""fs:*:*""#).unwrap();
    assert_eq!(serde_json::to_string(&grant).unwrap(), r#""fs:*:*""#);
    for (text, named) in [
        (r#""fs:*:/""#, "action"),
        (r#""fs""#, "three segments"),
        ("7", "7"),
    ] {
        let error = serde_json::from_str::<Capability>(text).unwrap_err();
        assert!(error.to_string().contains(named), "{error}");
    }
}
