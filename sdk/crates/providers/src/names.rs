//! The names under which an API knows tools.

use std::borrow::Cow;

use hashbrown::HashSet;

use crate::Api;

/// The most characters of a name that every API allows.
const LENGTH: usize = 64;

/// Returns the name of each tool for an API, in the order of the wire names, which are all different.
///
/// A wire name (`[A-Za-z0-9_-]`, 64 characters at most) is what all but Gemini take. Gemini's begin with a letter or an
/// underscore, as `FunctionDeclaration.name` of Google's Python package `google-genai` 3.4.0 (`types.py`) says.
pub(crate) fn shown_names<'n>(api: Api, wire_names: &[&'n str]) -> Vec<Cow<'n, str>> {
    let starts_well = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let fits = |name: &str| api != Api::Gemini || starts_well(name);
    let mut taken: HashSet<Cow<'n, str>> = wire_names.iter().copied().map(Cow::Borrowed).collect();
    let shown = |name: &&'n str| {
        if fits(name) {
            return Cow::Borrowed(*name);
        }
        let found = made_up(name).find(|made| !taken.contains(made.as_str()));
        let made = found.map_or(Cow::Borrowed(*name), Cow::Owned);
        taken.insert(made.clone());
        made
    };
    wire_names.iter().map(shown).collect()
}

/// The names that may stand for one that begins wrongly: with an underscore before it, or with its hash at the end where
/// that is too long or there is such a tool.
fn made_up(name: &str) -> impl Iterator<Item = String> {
    let plain = Some(format!("_{name}")).filter(|plain| plain.len() <= LENGTH);
    let hashed = (0..=u8::MAX).map(move |salt| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(name.as_bytes()).update(&[salt]);
        let hash = hasher.finalize().to_hex();
        // A wire name is ASCII, so that every index is between two characters.
        let kept = &name[..name.len().min(LENGTH - 10)];
        format!("_{kept}_{}", &hash[..8])
    });
    plain.into_iter().chain(hashed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_fits_is_itself() {
        for api in Api::ALL {
            let names = ["fs_read", "_x", "a-b"];
            assert_eq!(shown_names(api, &names), names, "{api}");
        }
        assert_eq!(
            shown_names(Api::OpenAiChat, &["3d_view", "-x"]),
            ["3d_view", "-x"]
        );
    }

    #[test]
    fn gemini_has_names_of_its_own_for_those_that_begin_wrongly() {
        let long = "9".repeat(64);
        let names = ["-x", "3d", "_3d", &long];
        let shown = shown_names(Api::Gemini, &names);
        assert_eq!(shown[0], "_-x");
        assert!(shown[1].starts_with("_3d_"), "{}", shown[1]);
        assert_eq!(shown[2], "_3d");
        assert_eq!(shown[3].len(), 64);
        let distinct: HashSet<&str> = shown.iter().map(AsRef::as_ref).collect();
        assert_eq!(distinct.len(), names.len());
        let mut back: Vec<&str> = names.to_vec();
        back.reverse();
        let mut shown_back = shown_names(Api::Gemini, &back);
        shown_back.reverse();
        assert_eq!(shown, shown_back);
    }
}
