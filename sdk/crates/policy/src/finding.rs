//! The match of a rule with a thing, and how close it is.

use super::argument;
use super::compiled::{CommandPatterns, CompiledRule, FilePatterns, RequestCondition};
use super::matching::{Closeness, Match, Side};
use super::order::{RuleMatch, Specificity};
use super::path::{Names, PathPattern};
use super::tools::closest;
use crate::kinds::{COMMAND_RUN, FILE_READ, FILE_WRITE, NETWORK_CONNECT};
use toolwright::arguments::CanonicalArguments;
use toolwright::permission::CallView;
use toolwright::spec::ToolSpec;
use toolwright_shell::{Access, LineCommand};

/// The tool of a call, and the call itself unless the tool is judged once for all its calls.
#[derive(Clone, Copy)]
pub(super) struct CallFacts<'c> {
    pub(super) spec: &'c ToolSpec,
    view: Option<&'c CallView<'c>>,
}

impl<'c> CallFacts<'c> {
    pub(super) fn tool(spec: &'c ToolSpec) -> Self {
        Self { spec, view: None }
    }

    pub(super) fn call(view: &'c CallView<'c>) -> Self {
        Self {
            spec: view.spec(),
            view: Some(view),
        }
    }

    /// Returns true if there is a call whose arguments may be looked at.
    pub(super) fn is_call(&self) -> bool {
        self.view.is_some()
    }

    fn arguments(&self) -> Option<&'c CanonicalArguments> {
        self.view?.arguments().ok()
    }
}

/// A thing that a rule may speak of.
#[derive(Debug)]
pub(super) enum Subject<'t> {
    /// The tool, or the call.
    Call,
    File {
        /// `None`: not known.
        access: Option<Access>,
        /// `None`: not known.
        place: Option<&'t Names<'t>>,
        shown: &'t str,
        /// True if the call says so itself, so that it may be told to the model.
        is_written: bool,
    },
    /// A command of a line.
    LineCommand {
        part: &'t LineCommand,
        /// True if it is of the list of commands that only read.
        only_reads: bool,
    },
    /// A line that runs nothing.
    Empty(&'t str),
    /// A line that cannot be read.
    Unread {
        line: &'t str,
        what: &'t str,
    },
    Host(&'t str),
    Other {
        kind: &'t str,
        target: &'t str,
    },
}

impl Subject<'_> {
    /// The kind of the request that it is, or is a part of.
    fn kind(&self) -> Option<&str> {
        match self {
            Self::Call | Self::File { access: None, .. } => None,
            Self::File {
                access: Some(Access::Read),
                ..
            } => Some(FILE_READ),
            Self::File {
                access: Some(Access::Write),
                ..
            } => Some(FILE_WRITE),
            Self::LineCommand { .. } | Self::Empty(_) | Self::Unread { .. } => Some(COMMAND_RUN),
            Self::Host(_) => Some(NETWORK_CONNECT),
            Self::Other { kind, .. } => Some(kind),
        }
    }
}

/// Returns the match of a rule with a thing, if it speaks of it.
pub(super) fn hit<'p>(
    rule: &'p CompiledRule,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
) -> Option<RuleMatch<'p>> {
    let tool = if rule.tools.is_empty() {
        None
    } else {
        Some(rule.tools.matches(called.spec.name().as_str())?)
    };
    let found = find(rule, thing)?;
    if !rule.holds_of(called.spec) {
        return None;
    }
    let known = if rule.arguments.is_empty() {
        true
    } else {
        match argument::matches(&rule.arguments, called.arguments()) {
            Match::No => return None,
            Match::Maybe => false,
            Match::Yes(_) => true,
        }
    };
    let specificity = (known && found.surely).then(|| Specificity {
        tool: tool.map(|(closeness, _)| closeness),
        kind: found.kind,
        thing: found.thing,
    });
    Some(RuleMatch {
        rule,
        specificity,
        pattern: found.pattern.or(tool.map(|(_, pattern)| pattern)),
        by_list: found.by_list,
    })
}

/// The match of the condition on requests.
#[derive(Default)]
struct RequestMatch<'p> {
    surely: bool,
    kind: Option<Closeness>,
    thing: Option<(Closeness, bool)>,
    pattern: Option<&'p str>,
    by_list: bool,
}

/// The closeness of a condition that is for one kind of request only.
const ITS_KIND: Option<Closeness> = Some(Closeness {
    exact: true,
    literal: 0,
});

impl<'p> RequestMatch<'p> {
    fn maybe(pattern: Option<&'p str>) -> Self {
        Self {
            kind: ITS_KIND,
            pattern,
            ..Self::default()
        }
    }

    fn surely(closeness: Closeness, one_sided: bool, pattern: Option<&'p str>) -> Self {
        Self {
            surely: true,
            thing: Some((closeness, one_sided)),
            ..Self::maybe(pattern)
        }
    }

    /// The one that says more.
    fn or(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if (other.surely, other.thing) > (self.surely, self.thing) => other,
            _ => self,
        }
    }
}

fn find<'p>(rule: &'p CompiledRule, thing: &Subject<'_>) -> Option<RequestMatch<'p>> {
    let side = rule.side();
    match (&rule.request, thing) {
        (RequestCondition::Nothing, Subject::Call) => Some(RequestMatch {
            surely: true,
            ..RequestMatch::default()
        }),
        (RequestCondition::Kinds { kinds, targets }, thing) => {
            let (kind, pattern) = closest(kinds, thing.kind()?)?;
            // An exact kind is as close as that of a condition which is for one kind only.
            let kind = if kind.exact { ITS_KIND } else { Some(kind) };
            let mut found = RequestMatch {
                surely: true,
                kind,
                ..RequestMatch::maybe(Some(pattern))
            };
            if !targets.is_empty() {
                let Subject::Other { target, .. } = thing else {
                    return None;
                };
                let (closeness, pattern) = closest(targets, target)?;
                found.thing = Some((closeness, false));
                found.pattern = Some(pattern);
            }
            Some(found)
        }
        (RequestCondition::Files(patterns), Subject::File { access, place, .. }) => {
            find_file(patterns, side, *access, *place)
        }
        (RequestCondition::Commands(patterns), Subject::LineCommand { part, only_reads }) => {
            find_command(patterns, side, part, *only_reads)
        }
        (RequestCondition::Commands(patterns), Subject::Unread { .. })
            if side == Side::Restrict =>
        {
            Some(match patterns.any_command() {
                Some(any) => RequestMatch::surely(Closeness::LEAST, false, Some(any)),
                None => RequestMatch::maybe(None),
            })
        }
        (RequestCondition::Hosts(patterns), Subject::Host(target)) => {
            let matches = patterns.iter().map(|pattern| {
                let matched = pattern.matches(side, target);
                found(matched, side, false, pattern.as_str())
            });
            best(matches)
        }
        _ => None,
    }
}

fn find_file<'p>(
    patterns: &'p FilePatterns,
    side: Side,
    access: Option<Access>,
    place: Option<&Names<'_>>,
) -> Option<RequestMatch<'p>> {
    let matched = |pattern: &'p PathPattern, one_sided: bool, meant: bool| {
        let mut matched = match place {
            Some(place) => pattern.matches(side, place),
            None => Match::Maybe,
        };
        // Nobody knows if it is read or written.
        if !meant && matched != Match::No {
            matched = Match::Maybe;
        }
        found(matched, side, one_sided, pattern.as_str())
    };
    let one_sided = |list: &'p [PathPattern], of: Access| {
        let list = if access.is_none_or(|access| access == of) {
            list
        } else {
            &[]
        };
        list.iter()
            .map(move |pattern| matched(pattern, true, access.is_some()))
    };
    let either = patterns
        .either
        .iter()
        .map(|pattern| matched(pattern, false, true));
    best(
        either
            .chain(one_sided(&patterns.reads, Access::Read))
            .chain(one_sided(&patterns.writes, Access::Write)),
    )
}

fn find_command<'p>(
    patterns: &'p CommandPatterns,
    side: Side,
    part: &LineCommand,
    only_reads: bool,
) -> Option<RequestMatch<'p>> {
    let matches = patterns.patterns.iter().map(|pattern| {
        let matched = pattern.matches(side, part, &patterns.environment);
        found(matched, side, false, pattern.as_str())
    });
    let listed = (patterns.read_only && only_reads).then(|| RequestMatch {
        by_list: true,
        ..RequestMatch::surely(Closeness::LEAST, false, None)
    });
    match best(matches) {
        Some(found) => Some(found.or(listed)),
        None => listed,
    }
}

fn found(matched: Match, side: Side, one_sided: bool, pattern: &str) -> Option<RequestMatch<'_>> {
    match matched {
        Match::No => None,
        // A rule allows only what surely matches.
        Match::Maybe if side == Side::Allow => None,
        Match::Maybe => Some(RequestMatch::maybe(Some(pattern))),
        Match::Yes(closeness) => Some(RequestMatch::surely(closeness, one_sided, Some(pattern))),
    }
}

fn best<'p>(matches: impl Iterator<Item = Option<RequestMatch<'p>>>) -> Option<RequestMatch<'p>> {
    matches.flatten().reduce(|best, other| best.or(Some(other)))
}
