//! Whole expansions, to be read: `../golden/NAME.rs` becomes `../golden/NAME.expanded.rs`.
//!
//! `TOOLWRIGHT_BLESS=1 cargo test -p toolwright-macros` writes them anew.

use super::accepted;
use std::path::Path;

fn compare(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tool/golden");
    let read = |file: &Path| std::fs::read_to_string(file).unwrap().replace("\r\n", "\n");
    let file = syn::parse2(accepted(&read(&folder.join(format!("{name}.rs"))))).unwrap();
    let expanded = prettyplease::unparse(&file);
    let golden = folder.join(format!("{name}.expanded.rs"));
    if std::env::var_os("TOOLWRIGHT_BLESS").is_some() {
        std::fs::write(&golden, &expanded).unwrap();
    }
    assert_eq!(
        expanded,
        read(&golden),
        "the expansion of {name} has changed: see the top of this test's file"
    );
}

#[test]
fn asynchronous() {
    compare("read_file");
}

/// Everything that the other one leaves out.
#[test]
fn synchronous() {
    compare("slugify");
}
