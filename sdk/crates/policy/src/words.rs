//! Things and reasons in words.

use super::PermissionPolicy;
use super::compiled::RequestCondition;
use super::finding::{CallFacts, Subject};
use super::judged::{Judged, Why};
use super::order::RuleMatch;
use super::rule::{DefaultDecision, RuleVerdict};
use crate::kinds::{COMMAND_RUN, FILE_READ, FILE_WRITE, NETWORK_CONNECT};
use toolwright::permission::DefaultPolicy;
use toolwright::text::one_line;
use toolwright_shell::Access;

/// The most characters of what is judged.
const SHOWN: usize = 200;

/// Returns what is judged.
pub(super) fn subject(called: &CallFacts<'_>, thing: &Subject<'_>) -> String {
    let shown = |text: &str| one_line(text, SHOWN);
    match thing {
        Subject::Call if called.is_call() => format!("the call of `{}`", called.spec.name()),
        Subject::Call => format!("the tool `{}`", called.spec.name()),
        Subject::File {
            access,
            shown: path,
            ..
        } => match access {
            Some(Access::Read) => format!("reading `{}`", shown(path)),
            Some(Access::Write) => format!("writing `{}`", shown(path)),
            None => format!("the word `{}`, which may name a file", shown(path)),
        },
        Subject::LineCommand { part, .. } => {
            let names = part.assignments().iter().map(|set| shown(&set.name));
            let names: Vec<String> = names.collect();
            let set = if names.is_empty() {
                String::new()
            } else {
                format!(" with `{}` set", names.join("`, `"))
            };
            let unknown = if part.text() == ".." {
                ", which is not known"
            } else {
                ""
            };
            format!("the command `{}`{unknown}{set}", shown(part.text()))
        }
        Subject::Empty(line) | Subject::Unread { line, .. } => {
            format!("the line `{}`", shown(line))
        }
        Subject::Host(host) => format!("a connection to `{}`", shown(host)),
        Subject::Other { kind, target } => {
            let target = shown(target);
            match *kind {
                FILE_READ => format!("reading `{target}`"),
                FILE_WRITE => format!("writing `{target}`"),
                COMMAND_RUN => format!("the line `{target}`"),
                NETWORK_CONNECT => format!("a connection to `{target}`"),
                kind => format!("`{}` of `{target}`", shown(kind)),
            }
        }
    }
}

/// The reason why it is asked about, denied or allowed: a clause that may follow "because".
pub(super) fn reason(
    policy: &PermissionPolicy,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
    judged: &Judged<'_>,
) -> String {
    // A verdict on the call has the same words for each of its requests.
    let said_of = if judged.of_the_call {
        &Subject::Call
    } else {
        thing
    };
    match judged.why {
        Why::Rule(hit) | Why::MayDeny(hit) if hit.specificity.is_none() => {
            unsure(&hit, called, said_of, judged)
        }
        Why::Rule(hit) | Why::MayDeny(hit) => {
            if let Some(reason) = &hit.rule.reason {
                return reason.clone();
            }
            let what = meant(&hit, called, said_of);
            match judged.class {
                RuleVerdict::Allow => format!("the policy allows {what}"),
                RuleVerdict::Ask => format!("the policy asks before {what}"),
                RuleVerdict::Deny => format!("the policy denies {what}"),
            }
        }
        Why::Default => match (judged.class, policy.unmatched) {
            (RuleVerdict::Allow, _) if matches!(thing, Subject::Call) => {
                "the tool is declared pure or read-only".to_owned()
            }
            (RuleVerdict::Allow, _) => {
                "the tool is declared pure or read-only, and reads in the root that it names"
                    .to_owned()
            }
            (RuleVerdict::Deny, _) => {
                format!("no rule of the policy allows {}", told(called, thing))
            }
            (RuleVerdict::Ask, DefaultDecision::ReadOnly) if matches!(thing, Subject::Call) => {
                let objection = DefaultPolicy::objection(called.spec);
                format!(
                    "{}, and no rule of the policy speaks of it",
                    objection.unwrap_or("it may change things")
                )
            }
            (RuleVerdict::Ask, _) => {
                format!("no rule of the policy speaks of {}", told(called, thing))
            }
        },
        Why::Outside => "that leads outside of what the tool is confined to".to_owned(),
        Why::Unread => match thing {
            Subject::Unread { what, .. } => one_line(what, SHOWN),
            _ => "the line cannot be judged".to_owned(),
        },
        Why::OutsideTrees => format!(
            "{} leaves the trees that the policy allows, and no rule of it speaks of that",
            told(called, thing)
        ),
        Why::ToolChanged => format!(
            "the definition of `{}` has changed since it was approved, and the policy speaks of its calls alone",
            called.spec.name()
        ),
        Why::NeedsApproval => format!(
            "{}, and no rule of the policy lets it run without",
            // The first that the default objects to.
            DefaultPolicy::objection(called.spec).unwrap_or("it needs approval")
        ),
        Why::ReadsElsewhere => format!(
            "{} is not known to stay in the directory of the command, and no rule of the policy \
             speaks of it",
            subject(called, thing)
        ),
        Why::Below(hit) => {
            let says = restricts(&hit, hit.rule.verdict, called, thing);
            format!("the command goes through the directory above it, and the policy {says}")
        }
        Why::TooManyBelow => format!(
            "the command goes through more files below `{}` than are looked at here, and the policy asks \
             about some files or denies them",
            shown_of(thing)
        ),
        Why::UnreadBelow => format!(
            "the command goes through `{}`, which cannot be read here, and the policy asks about some files \
             or denies them",
            shown_of(thing)
        ),
        Why::MayChange => format!(
            "the command goes through `{}`, where another command of the line may put files that the \
             policy asks about or denies",
            shown_of(thing)
        ),
        Why::OtherRepository => "`git` runs programs that a repository's settings name, and this may be \
                                 another repository than that of the root"
            .to_owned(),
        Why::ComparesFiles => {
            "`git diff` with `--no-index`, or with files from outside of the repository, reads any files"
                .to_owned()
        }
    }
}

fn shown_of(thing: &Subject<'_>) -> String {
    match thing {
        Subject::File { shown, .. } => one_line(shown, SHOWN),
        _ => String::new(),
    }
}

/// The reason why a rule asks if nobody knows before the run that it is about the subject.
fn unsure(
    hit: &RuleMatch<'_>,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
    judged: &Judged<'_>,
) -> String {
    match thing {
        Subject::Unread { what, .. } => one_line(what, SHOWN),
        // Many rules may speak of it, and none is more to the point than another.
        Subject::LineCommand { part, .. }
            if part
                .words()
                .first()
                .is_none_or(|word| word.known().is_none()) =>
        {
            format!(
                "it is not known which command `{}` runs",
                one_line(part.text(), SHOWN)
            )
        }
        _ => {
            let verdict = match judged.why {
                Why::MayDeny(_) => RuleVerdict::Deny,
                _ => RuleVerdict::Ask,
            };
            let says = restricts(hit, verdict, called, thing);
            format!("the policy {says}, and it is not known whether this is that")
        }
    }
}

/// Returns what a rule that restricts does, and why.
fn restricts(
    hit: &RuleMatch<'_>,
    verdict: RuleVerdict,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
) -> String {
    let says = match verdict {
        RuleVerdict::Deny => "denies",
        _ => "asks before",
    };
    let because = match &hit.rule.reason {
        Some(reason) => format!(" ({reason})"),
        None => String::new(),
    };
    format!("{says} {}{because}", meant(hit, called, thing))
}

/// Returns what is judged, for the model too: it knows what it sent, and where that leads is none of its
/// business.
fn told(called: &CallFacts<'_>, thing: &Subject<'_>) -> String {
    match thing {
        Subject::File {
            access,
            is_written: false,
            ..
        } => match access {
            Some(Access::Write) => "writing there".to_owned(),
            _ => "reading there".to_owned(),
        },
        Subject::Other { kind, .. } => format!("`{}`", one_line(kind, SHOWN)),
        thing => subject(called, thing),
    }
}

/// Returns what a rule speaks of, as far as it matched.
fn meant(hit: &RuleMatch<'_>, called: &CallFacts<'_>, thing: &Subject<'_>) -> String {
    let pattern = one_line(hit.pattern.unwrap_or("*"), SHOWN);
    match (&hit.rule.request, thing) {
        (RequestCondition::Files(_), Subject::File { access, .. }) => {
            let verb = match access {
                Some(Access::Read) => "reading",
                Some(Access::Write) => "writing",
                None => "using",
            };
            let exact = hit
                .specificity
                .and_then(|specificity| specificity.thing)
                .is_some_and(|(closeness, _)| closeness.exact);
            if exact {
                format!("{verb} `{pattern}`")
            } else if pattern.contains(['*', '?', '[', '{']) {
                format!("{verb} what matches `{pattern}`")
            } else {
                format!("{verb} below `{pattern}`")
            }
        }
        (RequestCondition::Commands(_), _) if hit.by_list => "commands that only read".to_owned(),
        (RequestCondition::Commands(_), Subject::Unread { .. }) if hit.specificity.is_none() => {
            "some commands".to_owned()
        }
        (RequestCondition::Commands(_), _) => format!("the command `{pattern}`"),
        (RequestCondition::Hosts(_), _) => format!("connections to `{pattern}`"),
        (RequestCondition::Kinds { targets, .. }, Subject::Other { kind, .. }) => {
            let kind = one_line(kind, SHOWN);
            if targets.is_empty() {
                format!("`{kind}`")
            } else {
                format!("`{kind}` of `{pattern}`")
            }
        }
        (RequestCondition::Kinds { .. }, _) => format!("requests of the kind `{pattern}`"),
        _ if hit.rule.arguments.is_empty() => format!("the tool `{}`", called.spec.name()),
        _ => format!("calls of `{}` with such arguments", called.spec.name()),
    }
}
