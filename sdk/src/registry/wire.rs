//! Names for providers: `[A-Za-z0-9_-]`, at most 64 characters, reversible and without collisions.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::id::ToolName;

/// The most characters that every provider allows.
pub(super) const LENGTH: usize = 64;

/// The wire names of tools, in the order of `names`; a name that is safe as it stands is its own.
/// They depend on the set of names alone, not on the order of registration. Aliases come with the
/// tool that they lead to: a tool's own may be its wire name too.
pub(super) fn wire_names<'n>(
    names: impl Iterator<Item = &'n ToolName> + Clone,
    aliases: impl Iterator<Item = (&'n ToolName, &'n ToolName)>,
) -> Vec<Cow<'n, str>> {
    let plain = |name: &'n ToolName| match name.as_str() {
        name if name.contains('.') => Cow::Owned(name.replace('.', "_")),
        name => Cow::Borrowed(name),
    };
    let plains: Vec<Cow<'n, str>> = names.clone().map(plain).collect();
    // A name that already leads to a tool keeps its meaning.
    let mut taken: HashMap<Cow<'n, str>, &'n ToolName> = HashMap::new();
    let mut wanted: HashMap<&str, u32> = HashMap::new();
    if plains
        .iter()
        .any(|wire| matches!(wire, Cow::Owned(_)) || wire.len() > LENGTH)
    {
        taken.extend(aliases.map(|(alias, tool)| (Cow::Borrowed(alias.as_str()), tool)));
        for (name, wire) in names.clone().zip(&plains) {
            match wire {
                Cow::Borrowed(own) => drop(taken.insert(Cow::Borrowed(own), name)),
                Cow::Owned(made) => *wanted.entry(made).or_default() += 1,
            }
        }
    }
    names
        .zip(&plains)
        .map(|(name, wire)| {
            let free = match wire {
                Cow::Borrowed(_) => true,
                Cow::Owned(made) => {
                    taken.get(&**made).is_none_or(|tool| *tool == name)
                        && wanted.get(&**made) == Some(&1)
                }
            };
            if free && wire.len() <= LENGTH {
                return wire.clone();
            }
            (0..=u8::MAX)
                .map(|salt| hashed(wire, name, salt))
                .find(|hashed| {
                    !wanted.contains_key(&**hashed)
                        && taken.try_insert(Cow::Owned(hashed.clone()), name).is_ok()
                })
                // 256 hashes that are all taken: the name itself is unique, if not safe.
                .map_or_else(|| wire.clone(), Cow::Owned)
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
    use std::collections::BTreeSet;

    use super::*;

    fn wire(names: &[&str], aliases: &[&str]) -> Vec<String> {
        let parse = |all: &[&str]| -> Vec<ToolName> {
            all.iter().map(|name| name.parse().unwrap()).collect()
        };
        let (names, aliases) = (parse(names), parse(aliases));
        let other = ToolName::new("other.tool").unwrap();
        wire_names(names.iter(), aliases.iter().map(|alias| (alias, &other)))
            .into_iter()
            .map(Cow::into_owned)
            .collect()
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
        let names = [
            "a.b", "a_b", "c.d.e", "c.d_e", "fs.read", &long_a, &long_b, "q",
        ];
        let wires = wire(&names, &["fs_read"]);
        let distinct: BTreeSet<&String> = wires.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{wires:?}");
        for wire in &wires {
            assert!((1..=LENGTH).contains(&wire.len()), "{wire}");
            assert!(
                wire.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
            );
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
