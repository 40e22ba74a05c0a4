//! The pages that people read first: the README is short, its program prints what it shows, its links lead somewhere, and
//! no page of the guide is left out of a list.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toolwright::{Executor, ToolRegistry, tool};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn page(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap()
}

/// The targets of the links of a page that are files: `[text](target)`, without its `#place`.
fn file_links(page: &str) -> impl Iterator<Item = &str> {
    let targets = page.split("](").skip(1).filter_map(|rest| {
        let (target, _) = rest.split_once(')')?;
        let (file, _) = target.split_once('#').unwrap_or((target, ""));
        Some(file)
    });
    targets.filter(|file| !file.is_empty() && !file.contains("://") && !file.contains("::"))
}

struct Notes(Vec<String>);

/// Search the notes for a word.
#[tool(name = "notes.search", read_only)]
fn search_notes(
    /// The word to look for.
    #[arg(length = 1..)]
    word: String,
    /// Number of notes to return.
    #[arg(default = 10, range = 1..=50)]
    limit: usize,
    notes: &Notes,
) -> Vec<String> {
    let fitting = notes.0.iter().filter(|note| note.contains(&word));
    fitting.take(limit).cloned().collect()
}

#[tokio::test]
async fn the_readme_shows_what_its_program_prints() {
    let readme = page("README.md");
    let executor = Executor::builder(ToolRegistry::new().with(SearchNotes))
        .resource(Notes(vec![]))
        .build()
        .unwrap();
    let call = r#"{"wrod": "Ada", "limit": 99}"#;
    assert!(readme.contains(&format!("r#\"{call}\"#")));
    let printed = executor.call("notes.search", call).await.into_text();
    assert!(
        readme.contains(&format!("```text\n{printed}\n```")),
        "{printed}"
    );
}

#[test]
fn the_readme_is_short_and_begins_with_how_to_set_up() {
    let readme = page("README.md");
    assert!(
        readme.lines().count() <= 200,
        "{} lines",
        readme.lines().count()
    );
    let first_screen: Vec<&str> = readme.lines().take(20).collect();
    for command in ["cargo add toolwright", "cargo add tokio"] {
        assert!(first_screen.iter().any(|line| line.starts_with(command)));
    }
}

#[test]
fn links_between_files_lead_somewhere() {
    let mut links = 0;
    for path in [
        "README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "examples/README.md",
        "examples/workbench/README.md",
    ] {
        let text = page(path);
        let folder = repository().join(path).parent().unwrap().to_owned();
        for link in file_links(&text) {
            assert!(
                folder.join(link).exists(),
                "{path} links to {link}, which is not there"
            );
            links += 1;
        }
    }
    assert!(links > 60, "{links} links");
}

#[test]
fn each_page_of_the_guide_is_in_its_lists() {
    let folder = fs::read_dir(repository().join("sdk/docs/guide")).unwrap();
    let mut pages: BTreeSet<String> = folder
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| name.strip_suffix(".md").unwrap().to_owned())
        .collect();
    assert!(pages.remove("README"));
    assert!(pages.len() > 12);
    let (readme, list, modules) = (
        page("README.md"),
        page("sdk/docs/guide/README.md"),
        page("sdk/src/guide.rs"),
    );
    for page in pages {
        assert!(
            readme.contains(&format!("(sdk/docs/guide/{page}.md)")),
            "README.md: {page}"
        );
        assert!(
            list.contains(&format!("](self::{page})")),
            "the guide's list: {page}"
        );
        assert!(
            modules.contains(&format!("pub mod {page} {{}}")),
            "guide.rs: {page}"
        );
        assert!(
            modules.contains(&format!("docs/guide/{page}.md\"")),
            "guide.rs: {page}"
        );
    }
}
