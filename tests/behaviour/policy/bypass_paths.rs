//! Paths that try to get around a policy, and as many that do not, from `tests/data/policy`.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toolwright::arguments::Arguments;
use toolwright::permission::{CallView, IntoRequests, Verdict};
use toolwright::{FileAccess, Tool, tool};
use toolwright_policy::PermissionPolicy;

const CASES: &str = include_str!("../../data/policy/paths.toml");
const POLICY: &str = include_str!("../../data/policy/paths-policy.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    world: World,
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct World {
    directories: Vec<String>,
    files: Vec<String>,
    links: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    path: String,
    #[serde(default)]
    access: Access,
    #[serde(default)]
    confined: bool,
    #[serde(default)]
    later: BTreeMap<String, String>,
    expect: Expected,
    why: String,
    see: Option<String>,
    os: Option<String>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Access {
    #[default]
    Read,
    Write,
    ReadTree,
    WriteTree,
}

#[derive(Deserialize, Debug, PartialEq, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Expected {
    Allow,
    Ask,
    Deny,
}

/// Use a file.
#[tool(name = "file.use")]
fn use_file(path: String) {
    drop(path);
}

/// A path of the corpus.
fn path_of(text: &str, top: &Path) -> PathBuf {
    let text = text.replace("{top}", top.to_str().unwrap());
    let mut parts = text.split(r"\xff");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(0xff);
        bytes.extend(part.as_bytes());
    }
    OsString::from_vec(bytes).into()
}

fn make_links(links: &BTreeMap<String, String>, top: &Path) {
    for (link, target) in links {
        symlink(path_of(target, top), top.join(path_of(link, top))).unwrap();
    }
}

fn make(world: &World, top: &Path) {
    for directory in &world.directories {
        std::fs::create_dir_all(top.join(path_of(directory, top))).unwrap();
    }
    for file in &world.files {
        std::fs::write(top.join(path_of(file, top)), "x").unwrap();
    }
    make_links(&world.links, top);
}

/// The directory that the corpus starts from, and the policy that was made then.
struct Place {
    top: PathBuf,
    policy: PermissionPolicy,
    _directory: tempfile::TempDir,
}

impl Place {
    fn new(world: &World) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let top = directory.path().canonicalize().unwrap();
        make(world, &top);
        Self {
            policy: PermissionPolicy::from_toml(POLICY, top.join("ws")).unwrap(),
            top,
            _directory: directory,
        }
    }
}

fn judge(case: &Case, place: &Place) -> Expected {
    let Place { top, policy, .. } = place;
    let root = top.join("ws");
    let mut path = path_of(&case.path, top);
    if !case.confined {
        path = root.join(path);
    }
    let mut access = match case.access {
        Access::Read => FileAccess::read(path),
        Access::Write => FileAccess::write(path),
        Access::ReadTree => FileAccess::read_tree(path),
        Access::WriteTree => FileAccess::write_tree(path),
    };
    if case.confined {
        access = access.within(&root);
    }
    // An executor ends the call with this error, which says that it was denied.
    let Ok(requests) = access.into_requests() else {
        return Expected::Deny;
    };
    let arguments = Arguments::from(r#"{"path": ""}"#);
    let call = CallView::new(UseFile.spec(), &arguments);
    match policy.explain(&call, &requests).verdict {
        Verdict::Allow => Expected::Allow,
        Verdict::Ask(_) => Expected::Ask,
        Verdict::Deny(_) => Expected::Deny,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_path_of_the_corpus_is_judged_as_expected() {
    let corpus: Corpus = toml::from_str(CASES).unwrap();
    let usual = Place::new(&corpus.world);
    let mut wrong = Vec::new();
    for case in &corpus.case {
        let os = case.os.as_deref();
        if os.is_some_and(|os| os != std::env::consts::OS) {
            continue;
        }
        let found = if case.later.is_empty() {
            judge(case, &usual)
        } else {
            let own = Place::new(&corpus.world);
            make_links(&case.later, &own.top);
            judge(case, &own)
        };
        if found != case.expect {
            wrong.push(format!(
                "{:?}: {found:?}, not {:?}: {}",
                case.path, case.expect, case.why
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_corpus_is_large_and_allows_as_much_as_it_keeps() {
    let corpus: Corpus = toml::from_str(CASES).unwrap();
    let of = |expected| {
        corpus
            .case
            .iter()
            .filter(|case| case.expect == expected)
            .count()
    };
    let (allowed, all) = (of(Expected::Allow), corpus.case.len());
    assert!(all >= 35, "{all}");
    assert!(allowed * 10 >= all * 4, "{allowed} of {all}");
    for case in &corpus.case {
        assert!(!case.why.is_empty());
        let thread = case.see.as_deref().unwrap_or("owner/repo#1");
        let (repository, number) = thread.split_once('#').unwrap();
        assert_eq!(repository.split('/').count(), 2, "{thread}");
        assert!(number.parse::<u32>().is_ok(), "{thread}");
    }
}
