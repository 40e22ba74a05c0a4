//! Names for providers: `[A-Za-z0-9_-]`, at most 64 characters, reversible and without collisions.

use std::collections::BTreeSet;

use crate::id::ToolName;

/// The most characters that every provider allows.
const LENGTH: usize = 64;

/// The wire names of tools, in the order of `names`. They depend on the set of names alone, not on
/// the order of registration.
pub(super) fn wire_names<'n>(
    names: impl Iterator<Item = &'n ToolName> + Clone,
    aliases: impl Iterator<Item = &'n ToolName>,
) -> Vec<String> {
    // What can be called by some name already means that tool.
    let mut taken: BTreeSet<String> = aliases.map(|alias| alias.as_str().to_owned()).collect();
    let plain = |name: &ToolName| name.as_str().replace('.', "_");
    let mut wanted: BTreeSet<String> = BTreeSet::new();
    let mut contested: BTreeSet<String> = BTreeSet::new();
    for name in names.clone() {
        let wire = plain(name);
        if wire == name.as_str() {
            taken.insert(wire);
        } else if !wanted.insert(wire.clone()) {
            contested.insert(wire);
        }
    }
    names
        .map(|name| {
            let wire = plain(name);
            let own = wire == name.as_str();
            if wire.len() <= LENGTH && (own || !taken.contains(&wire) && !contested.contains(&wire))
            {
                return wire;
            }
            let mut salt = 0;
            loop {
                let hashed = hashed(&wire, name, salt);
                if !wanted.contains(&hashed) && taken.insert(hashed.clone()) {
                    return hashed;
                }
                salt += 1;
            }
        })
        .collect()
}

/// As much of the name as fits, and eight hexadecimal digits of its hash.
fn hashed(wire: &str, name: &ToolName, salt: u8) -> String {
    let kept = &wire[..wire.len().min(LENGTH - 9)];
    format!("{kept}_{:08x}", fnv1a(name.as_str(), salt))
}

/// FNV-1a, 32 bits: short, and the same on every machine and in every version.
fn fnv1a(text: &str, salt: u8) -> u32 {
    text.bytes()
        .chain((salt > 0).then_some(salt))
        .fold(0x811c_9dc5, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(names: &[&str], aliases: &[&str]) -> Vec<String> {
        let parse = |all: &[&str]| -> Vec<ToolName> {
            all.iter().map(|name| name.parse().unwrap()).collect()
        };
        wire_names(parse(names).iter(), parse(aliases).iter())
    }

    #[test]
    fn known_hashes() {
        // From the reference vectors of FNV-1a.
        assert_eq!(fnv1a("", 0), 0x811c_9dc5);
        assert_eq!(fnv1a("a", 0), 0xe40c_292c);
        assert_eq!(fnv1a("foobar", 0), 0xbf9c_f968);
    }

    #[test]
    fn names_are_safe_and_distinct() {
        let long_a = format!("{}.a", "x".repeat(80));
        let long_b = format!("{}.b", "x".repeat(80));
        let names = ["a.b", "a_b", "c.d.e", "c.d_e", "fs.read", &long_a, &long_b, "q"];
        let wires = wire(&names, &["fs_read"]);
        let distinct: BTreeSet<&String> = wires.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{wires:?}");
        for wire in &wires {
            assert!((1..=LENGTH).contains(&wire.len()), "{wire}");
            assert!(wire.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
        }
        assert_eq!(wires[1], "a_b");
        assert_eq!(wires[7], "q");
        assert!(wires[0].starts_with("a_b_"));
        assert!(!wires.contains(&"fs_read".to_owned()));
    }

    #[test]
    fn the_order_of_names_changes_nothing() {
        let forth = wire(&["a.b", "a_b", "a-b"], &[]);
        let mut back = wire(&["a-b", "a_b", "a.b"], &[]);
        back.reverse();
        assert_eq!(forth, back);
    }
}
