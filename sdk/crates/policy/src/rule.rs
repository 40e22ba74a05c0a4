//! Rules as they are declared, in code or in TOML.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use serde::Serialize;
use serde_json::{Number, Value};

use toolwright::spec::{Effect, ToolAnnotations};

/// The keys of the conditions that are lists of texts, in code and in TOML.
pub(super) const LISTS: [&str; 11] = [
    "tools",
    "capabilities",
    "paths",
    "reads",
    "writes",
    "commands",
    "exact-commands",
    "environment",
    "hosts",
    "kinds",
    "targets",
];

/// A rule of a [`PermissionPolicy`](super::PermissionPolicy): a verdict, and what it speaks of.
///
/// A rule says *what about* by conditions. Of one kind of condition any has to hold (of
/// [`argument`](Self::argument), each); of several kinds all have to. A rule without conditions
/// speaks of every tool.
///
/// | condition | speaks of |
/// |---|---|
/// | [`tools`](Self::tools) | tools by name: `fs.read`, `fs.*`, `*`, and `!fs.remove` for what is left out |
/// | [`effects`](Self::effects) | tools by what they do to the world |
/// | [`hints`](Self::hints) | tools by what they say of themselves |
/// | [`capabilities`](Self::capabilities) | tools by what they must be granted: `fs:read:*` |
/// | [`argument`](Self::argument) | calls by an argument |
/// | [`paths`](Self::paths), [`reads`](Self::reads), [`writes`](Self::writes) | files that are read or written |
/// | [`commands`](Self::commands), [`exact_commands`](Self::exact_commands), [`read_only_commands`](Self::read_only_commands) | the commands of a shell line, each for itself |
/// | [`hosts`](Self::hosts) | hosts that are connected to |
/// | [`kinds`](Self::kinds), [`targets`](Self::targets) | requests of any kind, an app's own too |
///
/// Conditions on the tool and on the call go with every rule. Conditions on a request are of four
/// sorts, of which a rule has one: paths, commands, hosts, or kinds. A rule with such a condition
/// speaks of requests, and one without speaks of tools and calls.
///
/// ```
/// use toolwright_policy::{PermissionPolicy, Rule};
///
/// let policy = PermissionPolicy::builder("/srv/app")
///     .rule(Rule::allow().tools(["fs.*", "!fs.remove"]).paths(["src", "docs/**/*.md"]))
///     .rule(Rule::allow().commands(["cargo test", "git log"]))
///     .rule(Rule::deny().writes(["vendor"]).because("vendored code comes from upstream"))
///     .build()?;
/// # Ok::<(), toolwright_policy::PolicyError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a rule does nothing until it is part of a policy"]
pub struct Rule {
    pub(super) verdict: RuleVerdict,
    pub(super) reason: Option<String>,
    /// The line in the policy file, counted from 1.
    pub(super) line: Option<usize>,
    /// The tree that the rule was made of.
    pub(super) tree: Option<Tree>,
    /// The lists of texts, by their [keys](LISTS).
    pub(super) lists: BTreeMap<&'static str, Vec<String>>,
    pub(super) effects: Option<Vec<Effect>>,
    pub(super) hints: Option<Vec<AnnotationTest>>,
    pub(super) arguments: Vec<(String, ArgumentTest)>,
    /// The commands that the SDK knows to read only.
    pub(super) read_only_commands: bool,
}

/// Appends what a condition lists. A list of nothing, which would speak of everything, is kept to be told of.
macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident $key:literal;)*) => {
        $(
            $(#[$doc])*
            pub fn $name<T: Into<String>>(mut self, $name: impl IntoIterator<Item = T>) -> Self {
                let list = self.lists.entry($key).or_default();
                list.extend($name.into_iter().map(Into::into));
                self
            }
        )*
    };
}

impl Rule {
    /// Makes a rule that allows what it speaks of.
    pub fn allow() -> Self {
        Self::of(RuleVerdict::Allow)
    }

    /// A person decides about what it speaks of.
    pub fn ask() -> Self {
        Self::of(RuleVerdict::Ask)
    }

    /// Makes a rule that denies what it speaks of, whatever other rules say.
    pub fn deny() -> Self {
        Self::of(RuleVerdict::Deny)
    }

    pub(super) fn of(verdict: RuleVerdict) -> Self {
        Self {
            verdict,
            reason: None,
            line: None,
            tree: None,
            lists: BTreeMap::new(),
            effects: None,
            hints: None,
            arguments: Vec::new(),
            read_only_commands: false,
        }
    }

    /// Says why, in words that follow a colon. The model reads the reason of a denial, and a
    /// person that of an ask. Default: a sentence that names the pattern that matched. In a file it is the
    /// key `reason`.
    #[doc(alias = "reason")]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    lists! {
        /// Tools by their own names, never by aliases: `fs.read`, or up to a `*` at the end, as in
        /// `fs.*`. A `!` in front leaves tools out; with nothing else, of all tools.
        tools "tools";
        /// Tools by a capability that they need, as [`CapabilityGrant`](toolwright::spec::CapabilityGrant)
        /// says: `fs:read:*`.
        capabilities "capabilities";
        /// Files and directories, to read or to write. A plain path is the tree at and below it, and
        /// one with `*`, `?`, `[..]` or `{..}` is a glob, in which `**` is any number of directories.
        /// A relative path starts at the policy's root, `~/` is the home directory.
        paths "paths";
        /// Files and directories to read, as in [`paths`](Self::paths).
        reads "reads";
        /// Files and directories to write, create or remove, as in [`paths`](Self::paths).
        writes "writes";
        /// Commands by their first words: `git log` is `git log` with anything behind it.
        commands "commands";
        /// Commands with these words and no others.
        exact_commands "exact-commands";
        /// Variables that may be set before a command (`RUST_LOG=debug cargo test`). For rules that
        /// allow commands: one that lists none allows no command before which a variable is set.
        environment "environment";
        /// Hosts: `example.org`, `*.example.org`, `example.org:443`.
        hosts "hosts";
        /// Requests by their kind: `deploy`, or up to a `*` at the end, as in `file.*`.
        kinds "kinds";
        /// Requests of the rule's kinds by their target, or up to a `*` at the end. Not for files,
        /// commands and hosts, which take more than a comparison of texts.
        targets "targets";
    }

    /// Tools by what they do to the world.
    pub fn effects(mut self, effects: impl IntoIterator<Item = Effect>) -> Self {
        self.effects.get_or_insert_default().extend(effects);
        self
    }

    /// Tools by what they say of themselves, or do not say.
    pub fn hints(mut self, hints: impl IntoIterator<Item = AnnotationTest>) -> Self {
        self.hints.get_or_insert_default().extend(hints);
        self
    }

    /// Calls by an argument, found by a JSON pointer (RFC 6901) in the call's
    /// [canonical arguments](toolwright::arguments::CanonicalArguments). May be given several times; each test has
    /// to hold. The value of a secret is unknown to rules: one that denies by it asks. So is what an
    /// object holds that has a member which the schema does not name: it may be another name of any.
    pub fn argument(mut self, pointer: impl Into<String>, test: ArgumentTest) -> Self {
        self.arguments.push((pointer.into(), test));
        self
    }

    /// The commands of a short list that the SDK knows to read files only, such as `ls`, `cat` and
    /// `grep`, with the options and forms that do (`find` with tests of names, `sed -n 1,20p`, `date`
    /// without `-s`). In a rule that allows, the files that such a command names are judged as if they
    /// were read by a tool: what no rule speaks of may be read in the directory that the command
    /// runs in, and elsewhere asks.
    ///
    /// A plain pattern, `src/*.rs`, is every file that it matches when the line is judged. As for any
    /// path in a line, what is put there between then and the command's run is not seen.
    ///
    /// Commands that have settings which run programs are not on the list, however they are called:
    /// `git` and `rg` are for [`commands`](Self::commands) to allow, `env` shows what is secret, and
    /// `python3 -c` and the like run anything.
    pub fn read_only_commands(mut self) -> Self {
        self.read_only_commands = true;
        self
    }

    /// Returns what it says.
    pub fn verdict(&self) -> RuleVerdict {
        self.verdict
    }

    /// Returns the list of a key, which is one of [`LISTS`].
    pub(super) fn list(&self, key: &str) -> &[String] {
        debug_assert!(LISTS.contains(&key), "{key}");
        self.lists.get(key).map_or(&[], Vec::as_slice)
    }

    /// Sets the list of a key, unless that is empty. Returns false if there is no such list.
    pub(super) fn set_list(&mut self, key: &str, list: Vec<String>) -> bool {
        let key = LISTS.into_iter().find(|known| *known == key);
        if !list.is_empty() {
            self.lists.extend(key.map(|key| (key, list)));
        }
        key.is_some()
    }

    /// Returns the keys of the conditions that were given with nothing in them.
    pub(super) fn empty(&self) -> impl Iterator<Item = &'static str> {
        let lists = self.lists.iter().filter(|(_, list)| list.is_empty());
        let no_effects = self.effects.as_ref().is_some_and(Vec::is_empty);
        let no_hints = self.hints.as_ref().is_some_and(Vec::is_empty);
        let others = [(no_effects, "effects"), (no_hints, "hints")].into_iter();
        let others = others.filter_map(|(empty, key)| empty.then_some(key));
        lists.map(|(key, _)| *key).chain(others)
    }

    /// Returns a text that two rules share if they have the same conditions, in whatever order.
    pub(super) fn conditions(&self) -> String {
        fn set<T: Debug>(list: &[T]) -> BTreeSet<String> {
            list.iter().map(|item| format!("{item:?}")).collect()
        }
        let lists = self.lists.iter().map(|(key, list)| (key, set(list)));
        let lists: Vec<_> = lists.collect();
        let effects = self.effects.as_deref().map(set);
        let hints = self.hints.as_deref().map(set);
        let arguments = set(&self.arguments);
        let reads = self.read_only_commands;
        format!("{lists:?}{effects:?}{hints:?}{arguments:?}{reads}")
    }
}

/// The trees that rules are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Tree {
    Allowed,
    ReadOnly,
    Forbidden,
}

impl Tree {
    /// The rules that some trees of the sort are.
    pub(super) fn rules(self, paths: Vec<String>) -> Vec<Rule> {
        let rules = match self {
            Self::Allowed => vec![Rule::allow().paths(paths)],
            Self::ReadOnly => vec![
                Rule::allow().reads(paths.clone()),
                Rule::deny().writes(paths),
            ],
            Self::Forbidden => vec![Rule::deny().paths(paths)],
        };
        let of_tree = |rule| Rule {
            tree: Some(self),
            ..rule
        };
        rules.into_iter().map(of_tree).collect()
    }
}

/// The verdict of a rule, or of several: the greater one counts over several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RuleVerdict {
    /// It may run.
    Allow,
    /// A person decides.
    Ask,
    /// It may not run.
    Deny,
}

impl RuleVerdict {
    /// The name: `allow`, `ask` or `deny`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// The decision on what no rule speaks of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DefaultDecision {
    /// Tools that are declared pure or read-only run if they request nothing. They may also read files
    /// inside of the root that a request names, unless the policy names trees that may be read: outside
    /// of these each tool asks. All else asks, and so does each tool that is marked `needs_approval` or
    /// `destructive`; a tree does not answer for one that needs approval, another rule does.
    #[default]
    ReadOnly,
    /// A person decides.
    Ask,
    /// Nothing runs.
    Deny,
}

/// A hint that a tool gives or does not give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct AnnotationTest {
    pub(super) name: AnnotationName,
    /// True if the tool has to give it.
    pub(super) given: bool,
}

impl AnnotationTest {
    /// A hint that a tool gives.
    pub fn given(name: AnnotationName) -> Self {
        Self { name, given: true }
    }

    /// A hint that a tool does not give.
    pub fn missing(name: AnnotationName) -> Self {
        Self { name, given: false }
    }

    /// Returns true if a tool gives it, or does not, as it says.
    pub(super) fn holds(self, hints: ToolAnnotations) -> bool {
        let given = match self.name {
            AnnotationName::Destructive => hints.is_destructive(),
            AnnotationName::OpenWorld => hints.is_open_world(),
            AnnotationName::NeedsApproval => hints.wants_approval(),
            AnnotationName::Streaming => hints.supports_streaming(),
        };
        given == self.given
    }
}

/// The hints by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnnotationName {
    /// It may destroy something.
    Destructive,
    /// It reaches out to an open world.
    OpenWorld,
    /// Its author wants a person to approve it.
    NeedsApproval,
    /// It streams its output.
    Streaming,
}

impl AnnotationName {
    /// The name in a policy's file.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::OpenWorld => "open-world",
            Self::NeedsApproval => "needs-approval",
            Self::Streaming => "streaming",
        }
    }
}

/// A test of the value of an argument.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ArgumentTest {
    /// This value.
    Equals(Value),
    /// Any of these values.
    OneOf(Vec<Value>),
    /// A number from here to there, both included.
    Range {
        /// The least.
        min: Option<Number>,
        /// The greatest.
        max: Option<Number>,
    },
    /// There, or not there. A `null` is there.
    Present(bool),
}
