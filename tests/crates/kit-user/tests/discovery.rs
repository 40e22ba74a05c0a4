//! Discovery across packages, in a program that is linked with all of them.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in test functions, and here the rest helps those"
)]

use std::path::Path;

use toolwright::registry::{Collision, EmptyPackage, OnCollision, Origin, RegistryError};
use toolwright::{Executor, ToolName, ToolRegistry, discover};

fn names(registry: &ToolRegistry) -> Vec<&str> {
    registry.names().map(ToolName::as_str).collect()
}

fn empty(error: &RegistryError) -> Vec<&str> {
    let packages = error.empty_packages().iter();
    packages.map(EmptyPackage::package).collect()
}

/// The names that are wanted twice, each with the packages that want it.
fn wanted(error: &RegistryError) -> Vec<String> {
    let told = |collision: &Collision| {
        let (first, second) = collision.origins();
        let [first, second] = [first, second].map(|origin| origin.package().unwrap());
        format!("{}: {first}, {second}", collision.name())
    };
    error.collisions().iter().map(told).collect()
}

#[tokio::test]
async fn an_app_gets_the_tools_that_it_names() {
    let registry = kit_user::registry().unwrap();
    assert_eq!(
        names(&registry),
        ["letters.count", "note.heading", "notes.search", "shout"],
        "those of `kit` are linked, as `note-kit` uses it, and are not named"
    );
    let executor = Executor::new(registry).unwrap();
    let text = r#"{"text": "It is 5 p.m."}"#;
    assert_eq!(executor.call("letters.count", text).await.text(), "6");
    assert_eq!(executor.call("shout", text).await.text(), "It is 5 p.m.!");
    let heading = executor.call("note.heading", r#"{"note": "do"}"#).await;
    assert_eq!(heading.text(), "# DO");
    assert_eq!(executor.call("notes.search", "").await.text(), "the app's");
}

/// The dependencies of a package, by name.
fn dependencies(manifest: &str) -> Vec<&str> {
    let (_, after) = manifest.split_once("\n[dependencies]\n").unwrap();
    let section = after.split("\n[").next().unwrap_or(after);
    let lines = section.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| line.split(['.', ' ']).next().unwrap())
        .collect()
}

// `kit` was compiled before this package, which has the loop, and without it.
#[tokio::test]
async fn s0_16_a_crate_of_tools_depends_on_no_crate_with_a_loop() {
    let (kit, app) = (
        include_str!("../../kit/Cargo.toml"),
        include_str!("../Cargo.toml"),
    );
    assert_eq!(dependencies(kit), ["toolwright"]);
    assert!(dependencies(app).contains(&"kit"));
    for source in [
        include_str!("../../kit/src/lib.rs"),
        include_str!("../../kit/src/functions.rs"),
    ] {
        assert!(!source.contains("Executor") && !source.contains("Session"));
    }
    let executor = Executor::new(discover!(kit).unwrap()).unwrap();
    let mut texts = Vec::new();
    for call in [r#"{"text": "a"}"#, r#"{"text": "b"}"#] {
        texts.push(executor.call("kit.upper", call).await.text());
    }
    assert_eq!(texts, ["A", "B"]);
}

#[test]
fn each_form_finds_what_it_names() {
    // The library is found by its name, though this is a binary of the same package.
    let own = ["notes.search", "shout"];
    assert_eq!(names(&discover!(kit_user).unwrap()), own);
    assert_eq!(names(&discover!().unwrap()), own);
    assert_eq!(names(&discover!(crate).unwrap()), own);
    assert_eq!(names(&discover!(crate, kit_user).unwrap()), own);

    let kit = ["kit.upper", "notes.search"];
    assert_eq!(names(&discover!(kit).unwrap()), kit);
    assert_eq!(names(&discover!(kit, kit, kit = "kit").unwrap()), kit);
    assert_eq!(names(&discover!(r#kit).unwrap()), kit);

    let note = ["note.heading"];
    assert_eq!(names(&discover!(note_kit).unwrap()), note);
    assert_eq!(names(&discover!(note_kit = "note-kit").unwrap()), note);
    assert_eq!(names(&discover!(note_kit = "note_kit").unwrap()), note);

    let letters = discover!(letters = "letter-kit").unwrap();
    assert_eq!(names(&letters), ["letters.count"]);
    let several = discover!(note_kit, letters = "letter-kit", kit,).unwrap();
    assert_eq!(
        names(&several),
        ["kit.upper", "letters.count", "note.heading", "notes.search"]
    );
}

#[tokio::test]
async fn a_tool_that_is_not_announced_is_added_by_hand() {
    let registry = discover!(kit).unwrap();
    assert!(!registry.contains("kit.hidden"));
    let executor = Executor::new(registry.with(kit::functions::Hidden)).unwrap();
    assert_eq!(executor.call("kit.hidden", "").await.text(), "hidden");
}

/// The line of the source that the tool begins on, counted from 1.
fn line_of(source: &str, attribute: &str) -> u32 {
    let at = source.lines().position(|line| line.starts_with(attribute));
    u32::try_from(at.unwrap() + 1).unwrap()
}

fn assert_origin(origin: &Origin, package: &str, line: u32) {
    assert_eq!(origin.package(), Some(package));
    let file = Path::new(origin.file());
    assert!(file.ends_with(Path::new(package).join("src/functions.rs")));
    assert_eq!((origin.line(), origin.column()), (line, 1));
}

#[test]
fn all_duplicates_are_told_with_both_places() {
    let own_source = include_str!("../src/functions.rs");
    let kit_source = include_str!("../../kit/src/functions.rs");
    let error = discover!(kit, crate, letters = "letter-kit").unwrap_err();
    assert_eq!(
        wanted(&error),
        ["notes.search: kit, kit-user", "shout: kit, kit-user"]
    );
    let [search, shout] = error.collisions() else {
        panic!("there are two: {error}");
    };
    let attribute = r#"#[tool(name = "notes.search""#;
    let (first, second) = search.origins();
    assert_origin(first, "kit", line_of(kit_source, attribute));
    assert_origin(second, "kit-user", line_of(own_source, attribute));
    let (first, second) = shout.origins();
    assert_origin(
        first,
        "kit",
        line_of(kit_source, r#"#[tool(name = "kit.upper""#),
    );
    assert_origin(second, "kit-user", line_of(own_source, "#[tool(pure)]"));
    let (first, second) = shout.tools();
    assert_eq!((first.as_str(), second.as_str()), ("kit.upper", "shout"));

    let text = error.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    for (line, collision) in lines.iter().zip(error.collisions()) {
        let (first, second) = collision.origins();
        let (first_name, second_name) = collision.tools();
        let both = format!("`{first_name}` ({first}) and `{second_name}` ({second})");
        assert!(line.contains(&both), "{line}");
        assert!(line.contains("or `merge` the one registry"), "{line}");
    }
    assert!(error.empty_packages().is_empty());
}

#[tokio::test]
async fn duplicates_are_settled_by_a_rule_of_the_app() {
    let mut registry = discover!().unwrap();
    let kit = discover!(kit).unwrap();
    registry.merge(kit, OnCollision::Replace).unwrap();
    assert_eq!(names(&registry), ["kit.upper", "notes.search"]);
    let executor = Executor::new(registry).unwrap();
    assert_eq!(executor.call("notes.search", "").await.text(), "the kit's");
}

#[test]
fn a_renamed_dependency_is_told_apart_from_one_without_tools() {
    let error = discover!(letters).unwrap_err();
    assert_eq!(empty(&error), ["letters"]);
    assert_eq!(
        error.packages_with_tools(),
        ["kit", "kit-user", "letter-kit", "note-kit"]
    );
    assert_eq!(
        error.to_string(),
        "the crate `letters` brings no tools: no package of that name has any; if its package \
         has another name, write `discover!(letters = \"the-package\")`\n\
         packages that have tools here: `kit`, `kit-user`, `letter-kit`, `note-kit`"
    );

    let misspelt = discover!(letters = "letterkit").unwrap_err();
    assert_eq!(empty(&misspelt), ["letterkit"]);
    assert!(
        misspelt
            .to_string()
            .starts_with("the crate `letters` brings no tools: no package `letterkit` has any")
    );
}

#[test]
fn one_error_tells_everything() {
    let error = discover!(note_kit, toolwright, crate, letters, kit).unwrap_err();
    assert_eq!(empty(&error), ["toolwright", "letters"]);
    assert_eq!(
        wanted(&error),
        ["shout: kit-user, kit", "notes.search: kit-user, kit"]
    );
    let text = error.to_string();
    assert_eq!(text.lines().count(), 5, "{text}");
    assert_eq!(text.matches("packages that have tools here").count(), 1);
    let again = discover!(note_kit, toolwright, crate, letters, kit).unwrap_err();
    assert_eq!(again, error, "the order is the same each time");
}
