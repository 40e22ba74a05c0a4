//! The modules of the runtime use each other in one direction. The tables say which may use which; a line of
//! code that uses another module, an arrow of a table that no code needs, and a circle each fail here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

mod type_names;

/// The folders and files of `sdk/src/executor`, from the ground up, and what each may use.
const EXECUTOR: &str = include_str!("module_arrows/executor.txt");

/// The modules of `sdk/src`, and what each may use.
const MODULES: &str = include_str!("module_arrows/modules.txt");

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The Rust files below a folder, by their paths as modules: `["call", "state"]` for `call/state.rs`.
fn files(root: &Path) -> BTreeMap<Vec<String>, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let module = path.strip_prefix(root).unwrap().with_extension("");
            let parts = module.iter().map(|part| part.to_str().unwrap().to_owned());
            let mut module: Vec<String> = parts.collect();
            if module.iter().any(|part| part == "tests") {
                continue;
            }
            if matches!(module.last().unwrap().as_str(), "mod" | "lib") {
                module.pop();
            }
            found.insert(module, code(&fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

/// A text without its comments, its literals of text and its tests.
fn code(text: &str) -> String {
    let text = match text.find("\nmod tests {") {
        Some(tests) => &text[..text[..tests].rfind("#[cfg(test)]").unwrap_or(tests)],
        None => text,
    };
    without_literals(text, false)
}

/// A text without its literals of text, line by line as it was; the comments stay if they are wanted.
pub(super) fn without_literals(text: &str, comments: bool) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = rest.next() {
        match c {
            '/' if rest.peek() == Some(&'/') => {
                let comment = rest.by_ref().take_while(|c| *c != '\n');
                if comments {
                    out.push('/');
                    out.extend(comment);
                } else {
                    comment.for_each(drop);
                }
                out.push('\n');
            }
            '"' => {
                let hashes = out.chars().rev().take_while(|c| *c == '#').count();
                let is_raw = out.chars().rev().nth(hashes) == Some('r');
                let mut literal = String::new();
                if is_raw {
                    let end = format!("\"{}", "#".repeat(hashes));
                    while !literal.ends_with(&end) {
                        literal.push(rest.next().unwrap());
                    }
                } else {
                    while let Some(c) = rest.next().filter(|c| *c != '"') {
                        literal.extend((c == '\\').then(|| rest.next()).flatten());
                        literal.push(c);
                    }
                }
                out.extend(literal.chars().filter(|c| *c == '\n'));
                out.push(' ');
            }
            // A character; anything else after an apostrophe is a lifetime.
            '\'' if before != '\'' => {
                let mut ahead = rest.clone();
                match (ahead.next(), ahead.next(), ahead.next()) {
                    (Some('\\'), Some(_), _) => {
                        rest.next();
                        rest.next();
                        rest.by_ref().find(|c| *c == '\'');
                    }
                    (Some(_), Some('\''), _) => {
                        rest.next();
                        rest.next();
                    }
                    _ => out.push('\''),
                }
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The paths that a tree of a `use` names.
fn expand(tree: &str, all: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let Some((before, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap();
        let parts = path.split("::").map(|part| part.trim().to_owned());
        all.push(parts.filter(|part| !part.is_empty()).collect());
        return;
    };
    let inner = &inner[..inner.rfind('}').unwrap()];
    let (mut depth, mut start) = (0_i32, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner[start..at].trim();
                if !part.is_empty() {
                    expand(&format!("{before}{part}"), all);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// All paths of a code: those of its `use` lines, and those that stand in it.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut rest = String::new();
    for (number, statement) in code.split("use ").enumerate() {
        let is_use = number > 0 && !rest.ends_with(is_word);
        match statement.split_once(';') {
            Some((tree, after)) if is_use => {
                expand(
                    &tree.split_whitespace().collect::<Vec<_>>().join(" "),
                    &mut all,
                );
                rest.push_str(after);
            }
            _ => rest.push_str(statement),
        }
    }
    let mut path: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut colons = 0;
    for c in rest.chars().chain([' ']) {
        if is_word(c) {
            if word.is_empty() && colons != 2 {
                all.push(std::mem::take(&mut path));
            }
            colons = 0;
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            path.push(std::mem::take(&mut word));
        }
        match c {
            ':' => colons += 1,
            _ => colons = 0,
        }
        if colons == 0 && !path.is_empty() {
            all.push(std::mem::take(&mut path));
        }
    }
    all.retain(|path| path.len() > 1);
    all
}

/// The modules that each of `files` uses. `base` is the path of the folder in the crate.
fn arrows(root: &Path, base: &[&str]) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let files = files(root);
    let exported = exported(&files);
    let mut all = BTreeMap::new();
    for (module, code) in &files {
        let mut used = BTreeSet::new();
        for path in paths(code) {
            if let Some(target) = target(&files, &exported, module, &path, base)
                && target != *module
            {
                used.insert(target);
            }
        }
        all.insert(module.clone(), used);
    }
    all
}

/// The names that the uppermost file exports, and the paths where they are from.
fn exported(files: &BTreeMap<Vec<String>, String>) -> BTreeMap<String, Vec<String>> {
    let top = files.get(&Vec::new()).map_or("", String::as_str);
    let is_of_module = |path: &Vec<String>| files.contains_key(&path[..1]);
    let all = paths(top).into_iter().filter(is_of_module);
    all.map(|path| (path.last().unwrap().clone(), path))
        .collect()
}

/// The file that a path in a module leads to, if it is one of `files`.
fn target(
    files: &BTreeMap<Vec<String>, String>,
    exported: &BTreeMap<String, Vec<String>>,
    module: &[String],
    path: &[String],
    base: &[&str],
) -> Option<Vec<String>> {
    let mut full: Vec<String>;
    let mut rest = path;
    match path[0].as_str() {
        "crate" => {
            rest = &path[1..];
            for part in base {
                if rest.first().map(String::as_str) != Some(part) {
                    return None;
                }
                rest = &rest[1..];
            }
            full = Vec::new();
        }
        "self" => {
            rest = &path[1..];
            full = module.to_vec();
        }
        "super" => {
            full = module.to_vec();
            while rest.first().is_some_and(|part| part == "super") {
                full.pop()?;
                rest = &rest[1..];
            }
        }
        first => {
            full = module.to_vec();
            let mut child = full.clone();
            child.push(first.to_owned());
            if !files.keys().any(|file| file.starts_with(&child)) {
                return None;
            }
        }
    }
    full.extend(rest.iter().cloned());
    if let Some(name) = full.first()
        && let Some(from) = exported.get(name)
        && !files.keys().any(|file| file.starts_with(&full[..1]))
    {
        full.clone_from(from);
    }
    (0..=full.len())
        .rev()
        .map(|length| full[..length].to_vec())
        .find(|prefix| files.contains_key(prefix))
        .filter(|found| !found.is_empty())
}

/// The same between what stands at the top.
fn of_folders(all: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>) -> Arrows {
    let mut folders = Arrows::new();
    for (module, used) in all {
        // The module above all folders lists and exports them.
        let Some(folder) = module.first() else {
            continue;
        };
        let to = folders.entry(folder.clone()).or_default();
        to.extend(
            used.iter()
                .map(|used| used[0].clone())
                .filter(|used| used != folder),
        );
    }
    folders
}

fn table(text: &str) -> Arrows {
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (module, used) = line.split_once(':').expect(line);
            let used = used.split_whitespace().map(str::to_owned).collect();
            (module.to_owned(), used)
        })
        .collect()
}

/// The groups of more than one that reach each other.
fn circles<K: Ord + Clone>(all: &BTreeMap<K, BTreeSet<K>>) -> BTreeSet<Vec<K>> {
    let reach = |from: &K| {
        let mut seen = BTreeSet::new();
        let mut left = vec![from.clone()];
        while let Some(at) = left.pop() {
            for next in all.get(&at).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    left.push(next.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&K, BTreeSet<K>> = all.keys().map(|from| (from, reach(from))).collect();
    let in_one = |one: &K, other: &K| {
        let goes = |from: &K, to: &K| reached.get(from).is_some_and(|seen| seen.contains(to));
        goes(one, other) && goes(other, one)
    };
    all.keys()
        .map(|one| {
            all.keys()
                .filter(|other| in_one(one, other))
                .cloned()
                .collect::<Vec<K>>()
        })
        .filter(|group| group.len() > 1)
        .collect()
}

/// Holds the code to a table, both ways.
fn hold(found: &Arrows, allowed: &Arrows, table: &str) {
    let each = |all: &Arrows| -> BTreeSet<String> {
        let arrows = all
            .iter()
            .flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
        arrows.map(|(from, to)| format!("{from} -> {to}")).collect()
    };
    let (found, allowed) = (each(found), each(allowed));
    let new: Vec<&String> = found.difference(&allowed).collect();
    assert!(new.is_empty(), "not allowed by {table}: {new:#?}");
    let gone: Vec<&String> = allowed.difference(&found).collect();
    assert!(
        gone.is_empty(),
        "no code needs these of {table}, so take them out: {gone:#?}"
    );
}

#[test]
fn the_executor_is_built_from_the_ground_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src/executor");
    let all = arrows(&root, &["executor"]);
    assert!(all.len() > 50, "{} files", all.len());
    hold(
        &of_folders(&all),
        &table(EXECUTOR),
        "module_arrows/executor.txt",
    );
    assert_eq!(
        circles(&of_folders(&all)),
        BTreeSet::new(),
        "circles of folders"
    );
    assert_eq!(circles(&all), BTreeSet::new(), "circles of files");
}

/// The ends of calls once differed in what they told; now one file makes the outcome of each.
#[test]
fn one_file_of_the_executor_makes_outcomes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src/executor");
    let makes = [
        "ToolResult::new(",
        "ToolOutcome::of(",
        "Suspension::new(",
        "ToolOutcome::Completed(",
    ];
    let found = files(&root)
        .into_iter()
        .filter(|(_, code)| makes.iter().any(|made| code.contains(made)));
    let parts: Vec<Vec<String>> = found.map(|(module, _)| module).collect();
    assert_eq!(parts, [["call", "outcome"]]);
}

#[test]
fn modules_use_what_the_table_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src");
    let all = of_folders(&arrows(&root, &[]));
    assert!(all.len() > 10, "{} modules", all.len());
    hold(&all, &table(MODULES), "module_arrows/modules.txt");
    assert_eq!(circles(&all), BTreeSet::new(), "circles of modules");
}

/// The tables are lists from the ground up: a line names what stands above it, and no line below it.
#[test]
fn tables_name_what_stands_above() {
    for text in [MODULES, EXECUTOR] {
        let mut above = BTreeSet::new();
        let lines = text.lines();
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (module, used) = line.split_once(':').expect(line);
            for used in used.split_whitespace() {
                assert!(above.contains(used), "`{module}` stands above `{used}`");
            }
            above.insert(module);
        }
    }
}

/// The sources of the crates beside the runtime.
fn other_crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let companions = fs::read_dir(root.join("sdk/crates")).unwrap();
    let companions = companions.map(|entry| entry.unwrap().path());
    companions
        .map(|path| path.join("src"))
        .chain([root.join("macros/src")])
        .collect()
}

#[test]
fn modules_of_the_other_crates_use_each_other_in_one_direction() {
    for root in other_crates() {
        let all = of_folders(&arrows(&root, &[]));
        assert!(!all.is_empty(), "{}", root.display());
        assert_eq!(circles(&all), BTreeSet::new(), "{}", root.display());
    }
}

/// The names that stand at the root of the crate, modules not counted; the macro of a trait's name counts with it.
#[test]
fn few_names_stand_at_the_root() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src/lib.rs");
    let text = fs::read_to_string(root).unwrap();
    // Re-exports inside of a module are indented.
    let names: BTreeSet<&str> = text
        .split("\npub use ")
        .skip(1)
        .filter_map(|rest| rest.split(';').next())
        .flat_map(|path| match path.split_once('{') {
            Some((_, list)) => list.trim_end_matches('}').split(',').collect(),
            None => path.rsplit("::").take(1).collect::<Vec<_>>(),
        })
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    assert!(
        names.contains("Executor") && names.contains("toolset"),
        "{names:?}"
    );
    assert!(names.len() <= 30, "{} names: {names:?}", names.len());
}

/// The reader of paths, on lines that once misled it.
#[test]
fn paths_are_found_in_all_their_forms() {
    let text = "use super::{a::B, c::{self, D as E}};\n// use crate::no::No;\nfn f() -> impl Fn() + use<'_> {\n\
                let x = \"crate::no::No\"; g(r#\"crate::\"no\"#, '\"', crate::h::i(j::k), <L as crate::m::N>::O)\n}\n\
                #[cfg(test)]\nmod tests {\n use crate::no::No;\n}\n";
    let found: BTreeSet<String> = paths(&code(text))
        .iter()
        .map(|path| path.join("::"))
        .collect();
    let expected = [
        "crate::h::i",
        "crate::m::N",
        "j::k",
        "super::a::B",
        "super::c::D",
        "super::c::self",
    ];
    assert_eq!(found, expected.map(str::to_owned).into());
}
