//! The text that a model reads about bad arguments: `golden/bad-arguments.md` has calls, the errors of other crates,
//! and ours, word for word.
//!
//! `TOOLWRIGHT_BLESS=1 cargo test -p toolwright-tests --test behaviour bad_arguments` writes our
//! words anew. A row is added by its heading and its call.

mod document;
mod tools;

use std::path::Path;

use toolwright::Executor;
use toolwright::arguments::ProblemKind;
use toolwright::content::ErrorKind;

use self::document::{Row, render, rows};
use self::tools::{run_time, typed};

/// The forms of the tools, by how the document names what they say.
fn forms() -> Vec<(&'static str, Executor)> {
    let typed = typed();
    let run_time = run_time(&typed);
    vec![
        ("We say:", typed),
        ("We say of a tool made at run time:", run_time),
    ]
}

/// The text of a refusal for the model, or the repairs of a call that ran.
async fn said(executor: &Executor, row: &Row) -> String {
    let outcome = executor.call(&row.tool, row.call.as_str()).await;
    if outcome
        .error()
        .is_some_and(|error| error.kind() != ErrorKind::Failed)
    {
        return outcome.text();
    }
    let mut said = "(accepted)".to_owned();
    for repair in outcome.result().repairs() {
        said.push('\n');
        said.push_str(&repair.to_string());
    }
    if !outcome.is_success() {
        said.push('\n');
        said.push_str(&outcome.text());
    }
    said
}

#[tokio::test]
async fn what_is_said_of_bad_arguments_is_as_it_was_read() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/bad-arguments.md");
    let read = || {
        let text = std::fs::read_to_string(&file).unwrap();
        text.replace("\r\n", "\n")
    };
    let written = read();
    let forms = forms();
    let mut answers = Vec::new();
    for row in rows(&written) {
        let mut all: Vec<(&str, String)> = Vec::new();
        for (form, executor) in &forms {
            let said = said(executor, &row).await;
            // A body that fails is the typed form's alone; a form that says the same is not listed.
            if all.first().is_none_or(|(_, first)| *first != said) {
                all.push((form, said));
            }
        }
        answers.push(all);
    }
    let rendered = render(&written, &answers);
    if std::env::var_os("TOOLWRIGHT_BLESS").is_some() {
        std::fs::write(&file, &rendered).unwrap();
    }
    let written = read();
    assert!(
        rendered == written,
        "what a model is told has changed: see the top of bad_arguments.rs\n{}",
        first_difference(&rendered, &written)
    );
}

fn first_difference(new: &str, old: &str) -> String {
    let mut lines = new.lines().zip(old.lines()).enumerate();
    let different = lines.find(|(_, (new, old))| new != old);
    different.map_or_else(String::new, |(line, (new, old))| {
        format!("line {}:\n  now {new}\n  was {old}", line + 1)
    })
}

#[tokio::test]
async fn every_text_is_short_and_has_nothing_that_helps_no_model() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/bad-arguments.md");
    let written = std::fs::read_to_string(file).unwrap().replace("\r\n", "\n");
    let all = rows(&written);
    assert!(all.len() > 50, "{}", all.len());
    for (form, executor) in forms() {
        for row in &all {
            let outcome = executor.call(&row.tool, row.call.as_str()).await;
            let text = outcome.text();
            let most = if row.call.len() > 300 { 2048 } else { 1024 };
            assert!(text.len() <= most, "{form} {}: {text}", row.title);
            assert!(!text.contains("hunter2"), "{text}");
            for private in [
                "at line ",
                "column",
                "struct ",
                "Passenger",
                "Sort",
                "workspace",
                "untagged",
                "unknown field",
                "invalid type",
                "missing field",
            ] {
                assert!(
                    !text.contains(private) || row.call.contains(private),
                    "{}: {private}: {text}",
                    row.title
                );
            }
            let Some(invalid) = outcome.error().and_then(|error| error.invalid_arguments()) else {
                continue;
            };
            for problem in invalid.problems() {
                let (expected, found) = (problem.expected(), problem.found());
                assert!(!problem.message().is_empty());
                for part in [expected, found].into_iter().flatten() {
                    assert!(problem.message().contains(part), "{problem:?}");
                }
                if matches!(problem.kind(), ProblemKind::Type | ProblemKind::Constraint) {
                    assert!(expected.is_some(), "{problem:?}");
                }
            }
            let data = serde_json::to_string(invalid).unwrap();
            assert!(!data.contains("hunter2"), "{data}");
            assert_eq!(
                serde_json::from_str::<toolwright::arguments::InvalidArguments>(&data).unwrap(),
                *invalid
            );
        }
    }
}
