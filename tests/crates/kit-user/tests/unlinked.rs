//! Discovery in a program that mentions `note_kit` alone: the library of this package and `letter-kit` are not linked.

use toolwright::registry::EmptyPackage;
use toolwright::{ToolName, discover};

#[test]
fn a_dependency_is_linked_by_being_named() {
    let found = discover!(note_kit).unwrap();
    let names: Vec<&str> = found.names().map(ToolName::as_str).collect();
    assert_eq!(
        names,
        ["note.heading"],
        "and not those of the `kit` that it uses"
    );
}

#[test]
fn a_library_that_nothing_mentions_is_not_linked() {
    let error = discover!().unwrap_err();
    let empty: Vec<&str> = error
        .empty_packages()
        .iter()
        .map(EmptyPackage::package)
        .collect();
    assert_eq!(empty, ["kit-user"]);
    assert_eq!(error.packages_with_tools(), ["kit", "note-kit"]);
    assert_eq!(
        error.to_string(),
        "the package `kit-user` has no tools that are linked here; `#[tool]` on a free function \
         makes one, and a binary sees those of its own library only if it uses the library, as \
         `discover!(kit_user)` does\n\
         packages that have tools here: `kit`, `note-kit`"
    );
}
