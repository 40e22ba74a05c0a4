//! Versions of tools: their order, and the name with the version.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::ToolSpec;
use crate::id::ToolName;

/// The name of a tool and its version: what tells one definition from all others. See
/// [`ToolSpec::id`].
///
/// Written as `name@version`, or as the name alone where the tool declares no version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolId {
    name: ToolName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

impl ToolId {
    /// The canonical name.
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// The version, if the tool declares one.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }
}

impl fmt::Display for ToolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(f, "{}@{version}", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

impl ToolSpec {
    /// The name and the version.
    ///
    /// ```
    /// use toolwright::{ToolName, ToolSpec};
    ///
    /// let spec = ToolSpec::new(ToolName::new("clock.now")?, "Tell the time.").with_version("1.2.0");
    /// assert_eq!(spec.id().to_string(), "clock.now@1.2.0");
    /// # Ok::<(), toolwright::id::InvalidToolName>(())
    /// ```
    pub fn id(&self) -> ToolId {
        ToolId {
            name: self.name.clone(),
            version: self.version().map(str::to_owned),
        }
    }
}

/// The order of two versions, as [Semantic Versioning 2.0.0, §11][semver] has it, for less strict texts
/// too: a leading `v` and what follows a `+` do not count, and numbers that are missing count as 0. What
/// does not begin with numbers comes before all that does. Texts that are of one rank by this go by
/// their bytes, so that only equal texts are equal.
///
/// [semver]: https://semver.org/spec/v2.0.0.html#spec-item-11
pub(crate) fn compare_versions(one: &str, other: &str) -> Ordering {
    let by_rank = Rank::of(one).cmp(&Rank::of(other));
    by_rank.then_with(|| one.cmp(other))
}

/// The parts of a version that decide its rank, in the order in which they do.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank<'v> {
    /// Without zeros at the end.
    numbers: Vec<Digits<'v>>,
    /// False for a pre-release, which ranks below its release.
    is_release: bool,
    pre_release: Vec<Identifier<'v>>,
}

/// The digits of a number without leading zeros, with their count: however long it is, the count decides first.
type Digits<'v> = (usize, &'v str);

/// An identifier of a pre-release. Numbers rank below words.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identifier<'v> {
    Number(Digits<'v>),
    Word(&'v str),
}

impl<'v> Rank<'v> {
    fn of(version: &'v str) -> Option<Self> {
        let (version, _build) = version.split_once('+').unwrap_or((version, ""));
        let version = version.strip_prefix('v').unwrap_or(version);
        let (numbers, pre_release) = match version.split_once('-') {
            Some((numbers, pre_release)) => (numbers, Some(pre_release)),
            None => (version, None),
        };
        let mut numbers: Vec<Digits<'_>> = numbers.split('.').map(number).collect::<Option<_>>()?;
        while numbers.pop_if(|(count, _)| *count == 0).is_some() {}
        let identifier = |text| number(text).map_or(Identifier::Word(text), Identifier::Number);
        Some(Self {
            numbers,
            is_release: pre_release.is_none(),
            pre_release: pre_release
                .map_or_else(Vec::new, |all| all.split('.').map(identifier).collect()),
        })
    }
}

fn number(text: &str) -> Option<Digits<'_>> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = text.trim_start_matches('0');
    is_number.then_some((digits.len(), digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rising(versions: &[&str]) {
        for (at, one) in versions.iter().enumerate() {
            for (after, other) in versions.iter().enumerate() {
                let order = compare_versions(one, other);
                assert_eq!(order, at.cmp(&after), "{one} and {other}");
            }
        }
    }

    #[test]
    fn the_order_is_that_of_semantic_versioning() {
        // The example of §11.4.
        rising(&[
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "2.0.0",
            "2.1.0",
            "2.1.1",
            "2.10.0",
            "99999999999999999999999.0.0",
            "100000000000000000000000.0.0",
        ]);
    }

    #[test]
    fn other_texts_have_their_place_too() {
        rising(&[
            "", "beta", "latest", "0", "v0.9", "1-rc", "1", "1.0", "1.0.0", "1.0.0+b", "v1",
            "1.0.1", "2", "v10", "2025.9", "2025.10",
        ]);
    }

    /// Any three texts have a consistent order, so sorting does not depend on where it begins.
    #[test]
    fn the_order_is_total() {
        let parts = [
            "", "0", "1", "01", "10", "a", "-", ".", "+", "v", "1.0", "-a", "-1", ".1",
        ];
        let mut versions = Vec::new();
        for one in parts {
            for other in parts {
                versions.push(format!("{one}{other}"));
            }
        }
        versions.sort();
        versions.dedup();
        let mut sorted = versions.clone();
        sorted.sort_by(|one, other| compare_versions(one, other));
        for (at, one) in sorted.iter().enumerate() {
            for (after, other) in sorted.iter().enumerate() {
                assert_eq!(
                    compare_versions(one, other),
                    at.cmp(&after),
                    "{one} {other}"
                );
            }
        }
    }
}
