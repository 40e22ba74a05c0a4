use super::{Candidate, Selector, SelectorChoice};
use crate::id::ToolName;

fn name(name: &str) -> ToolName {
    name.parse().unwrap()
}

/// A tool by its canonical name and aliases.
struct Tool(Vec<ToolName>, Option<&'static str>, bool);

impl Tool {
    fn new(names: &[&str]) -> Self {
        Self(names.iter().map(|text| name(text)).collect(), None, false)
    }

    fn candidate(&self) -> Candidate<'_> {
        Candidate {
            name: &self.0[0],
            aliases: &self.0[1..],
            wire_name: "wire_name",
            server: self.1,
            explicit_only: self.2,
        }
    }
}

fn choice(patterns: &[&str], tool: &Tool) -> SelectorChoice {
    Selector::new(patterns).unwrap().choose(&tool.candidate())
}

#[test]
fn a_denial_wins_wherever_it_stands() {
    let read = Tool::new(&["fs.read", "read"]);
    for patterns in [
        &["*", "!fs.*"][..],
        &["!fs.*", "*"],
        &["!read", "fs.read"],
        &["fs.read", "!rea*"],
        &["!wire_name", "*"],
        &["!*", "fs.read"],
    ] {
        assert_eq!(
            choice(patterns, &read),
            SelectorChoice::Denied,
            "{patterns:?}"
        );
    }
    assert_eq!(choice(&["!fs.write"], &read), SelectorChoice::Left);
    assert_eq!(choice(&[], &read), SelectorChoice::Left);
}

#[test]
fn only_a_name_selects_what_is_explicit_only() {
    let mut wipe = Tool::new(&["disk.wipe", "wipe"]);
    wipe.2 = true;
    wipe.1 = Some("disk");
    for pattern in ["*", "disk.*", "wip*", "@disk", "@disk/*", "disk.wipe*"] {
        assert_eq!(
            choice(&[pattern], &wipe),
            SelectorChoice::NotNamed,
            "{pattern}"
        );
    }
    for pattern in ["disk.wipe", "wipe", "@disk/wipe", "wire_name"] {
        assert_eq!(
            choice(&["*", pattern], &wipe),
            SelectorChoice::Selected,
            "{pattern}"
        );
    }
    assert_eq!(
        choice(&["disk.wipe", "!disk.*"], &wipe),
        SelectorChoice::Denied
    );
    let all = Selector::all();
    assert!(all.covers(&wipe.candidate()));
}

#[test]
fn a_server_has_only_its_own() {
    let mut issue = Tool::new(&["github.create_issue"]);
    issue.1 = Some("github");
    let of_app = Tool::new(&["github.create_issue"]);
    for pattern in [
        "@github",
        "@github/*",
        "@github/create_*",
        "@github/create_issue",
    ] {
        assert_eq!(
            choice(&[pattern], &issue),
            SelectorChoice::Selected,
            "{pattern}"
        );
        assert_eq!(
            choice(&[pattern], &of_app),
            SelectorChoice::Left,
            "{pattern}"
        );
    }
    for pattern in [
        "@git",
        "@github2",
        "@github/issue",
        "@github/github.create_issue",
        "@GitHub",
    ] {
        assert_eq!(
            choice(&[pattern], &issue),
            SelectorChoice::Left,
            "{pattern}"
        );
    }
    assert_eq!(choice(&["*", "!@github"], &issue), SelectorChoice::Denied);
    assert_eq!(
        choice(&["*", "!@github"], &of_app),
        SelectorChoice::Selected
    );
}

#[test]
fn what_is_no_pattern_is_told_all_at_once() {
    let wrong = [
        "", "!", "@", "!@/x", "@a/", "fs.?", "[a-z]", "{a,b}", "fs read", "@g*", "!!a", "ä",
    ];
    let error = Selector::new(wrong).unwrap_err();
    let told: Vec<&str> = error
        .patterns()
        .iter()
        .map(super::InvalidPattern::pattern)
        .collect();
    assert_eq!(told, wrong);
    assert_eq!(error.to_string().lines().count(), 1 + wrong.len());
    let unlikely = Selector::new(["\u{1b}[2J"]).unwrap_err().to_string();
    assert!(!unlikely.contains('\u{1b}'), "{unlikely:?}");
}

#[test]
fn patterns_are_read_from_text_and_data() {
    let selector: Selector = "fs.*, !fs.write\n@github".parse().unwrap();
    assert_eq!(selector.to_string(), "fs.*, !fs.write, @github");
    let written = serde_json::to_string(&selector).unwrap();
    assert_eq!(written, r#"["fs.*","!fs.write","@github"]"#);
    assert_eq!(
        serde_json::from_str::<Selector>(&written).unwrap(),
        selector
    );
    assert!(serde_json::from_str::<Selector>(r#"["a b"]"#).is_err());
    assert_eq!("".parse::<Selector>().unwrap(), Selector::none());
}

#[test]
fn what_does_nothing_is_told_with_what_was_probably_meant() {
    let mut issue = Tool::new(&["github.create_issue"]);
    issue.1 = Some("github");
    let mut wipe = Tool::new(&["disk.wipe"]);
    wipe.2 = true;
    let tools = [issue, wipe, Tool::new(&["fs.read"])];
    let tools: Vec<Candidate<'_>> = tools.iter().map(Tool::candidate).collect();
    let table = [
        ("fs.raed", Some("fs.read")),
        ("!fs.raed", Some("!fs.read")),
        ("@githb", Some("@github")),
        ("!@githb/create_*", Some("!@github/create_*")),
        ("@github/creat_issue", Some("@github/create_issue")),
        ("web.*", None),
        ("@slack", None),
    ];
    for (pattern, near) in table {
        let unmatched = Selector::new([pattern]).unwrap().unmatched(&tools);
        assert_eq!(unmatched.len(), 1, "{pattern}");
        assert_eq!(unmatched[0].nearest(), near, "{pattern}");
    }
    let unmatched = Selector::new(["disk.*", "!disk.*", "*"])
        .unwrap()
        .unmatched(&tools);
    assert_eq!(unmatched.len(), 1);
    assert_eq!(unmatched[0].explicit_only(), [name("disk.wipe")]);
    assert!(unmatched[0].to_string().contains("by its name alone"));
}
