//! What the rules say of calls and of requests. The one place where that is decided: checks and
//! explanations both come from here.

use std::path::{Component, Path};

use serde_json::Value;

use super::compiled::{COMMAND_RUN, CompiledRule, FILE_READ, FILE_WRITE, NETWORK_CONNECT};
use super::explain::Trace;
use super::finding::{Called, Thing, hit};
use super::order::{Class, Hit, Said, decide};
use super::rule::Unmatched;
use super::shell::{Access, FileUse, Part, ShellLine, read_only};
use super::{PermissionPolicy, words};
use crate::permission::{Containment, FileAccess, IntoRequests, PermissionRequest, Verdict};

/// What is said of one thing, and why.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judged<'p> {
    pub(super) class: Class,
    pub(super) why: Why<'p>,
    /// Whether no rule speaks of the thing itself, so that what is said of the call applies.
    pub(super) of_the_call: bool,
}

/// Why something is said of a thing.
#[derive(Debug, Clone, Copy)]
pub(super) enum Why<'p> {
    Rule(Hit<'p>),
    /// A rule that denies may speak of it.
    MayDeny(Hit<'p>),
    /// No rule speaks of it.
    Default,
    /// It lies outside of what the tool is confined to.
    Outside,
    /// A line that cannot be read.
    Unread,
    /// A command of the list of those that only read, which reads where no rule lets it.
    ReadsElsewhere,
}

/// What is said of several things: the strictest, and why.
#[derive(Debug)]
pub(super) struct Sum {
    pub(super) class: Class,
    reasons: Vec<String>,
}

impl Sum {
    pub(super) fn new() -> Self {
        Self {
            class: Class::Allow,
            reasons: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, class: Class, reason: impl FnOnce() -> String) {
        if class > self.class {
            self.class = class;
            self.reasons.clear();
        }
        if class == self.class && class != Class::Allow {
            let reason = reason();
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
    }

    pub(super) fn into_reasons(self) -> Vec<String> {
        self.reasons
    }

    pub(super) fn verdict(&self) -> Verdict {
        match self.class {
            Class::Allow => Verdict::Allow,
            Class::Ask => Verdict::ask(self.reasons.join(" and ")),
            Class::Deny => Verdict::deny(self.reasons.join(" and ")),
        }
    }
}

impl PermissionPolicy {
    /// What is said of a tool, or of a call where there is one.
    pub(super) fn judge_call<'p>(
        &'p self,
        called: &Called<'_>,
        trace: &mut Trace<'p>,
    ) -> Judged<'p> {
        let rules = self.rules.iter();
        let rules = rules.filter(|rule| {
            !rule.is_of_requests() && (called.is_call() || rule.arguments.is_empty())
        });
        let thing = Thing::Call;
        let said = trace.decide(rules, called, &thing);
        let judged = conclude(said, || {
            let class = match self.unmatched {
                Unmatched::ReadOnly if called.spec.effect().is_read_only() => Class::Allow,
                Unmatched::ReadOnly | Unmatched::Ask => Class::Ask,
                Unmatched::Deny => Class::Deny,
            };
            Judged {
                class,
                why: Why::Default,
                of_the_call: false,
            }
        });
        trace.note(self, called, &thing, &judged);
        judged
    }

    /// The verdict on a tool or a call.
    pub(super) fn call_verdict(&self, called: &Called<'_>, judged: &Judged<'_>) -> Verdict {
        let mut sum = Sum::new();
        sum.add(judged.class, || {
            words::reason(self, called, &Thing::Call, judged)
        });
        match judged.why {
            Why::Default => sum.verdict().as_fallback(),
            _ => sum.verdict(),
        }
    }

    /// What is said of a request.
    pub(super) fn judge_request<'p>(
        &'p self,
        called: &Called<'_>,
        request: &PermissionRequest,
        trace: &mut Trace<'p>,
    ) -> Sum {
        let mut sum = Sum::new();
        let target = request.target();
        if request.containment() == Containment::Outside {
            let thing = Thing::Other {
                kind: request.kind(),
                target,
            };
            let judged = Judged {
                class: Class::Deny,
                why: Why::Outside,
                of_the_call: false,
            };
            trace.note(self, called, &thing, &judged);
            sum.add(judged.class, || {
                words::reason(self, called, &thing, &judged)
            });
            return sum;
        }
        match request.kind() {
            FILE_READ => self.judge_file(called, request, Access::Read, &mut sum, trace),
            FILE_WRITE => self.judge_file(called, request, Access::Write, &mut sum, trace),
            COMMAND_RUN => self.judge_line(called, request, &mut sum, trace),
            NETWORK_CONNECT => self.judge_thing(called, &Thing::Host(target), &mut sum, trace),
            kind => self.judge_thing(called, &Thing::Other { kind, target }, &mut sum, trace),
        }
        sum
    }

    fn judge_thing<'p>(
        &'p self,
        called: &Called<'_>,
        thing: &Thing<'_>,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let said = self.said_of(called, thing, trace);
        let judged = conclude(said, || self.as_the_call(called));
        trace.note(self, called, thing, &judged);
        sum.add(judged.class, || words::reason(self, called, thing, &judged));
    }

    fn judge_file<'p>(
        &'p self,
        called: &Called<'_>,
        request: &PermissionRequest,
        access: Access,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let place = FileAccess::place_of(request).filter(|place| is_settled(place.real));
        let thing = Thing::File {
            access: Some(access),
            place: place.as_ref(),
            shown: request.target(),
            is_written: false,
        };
        self.judge_thing(called, &thing, sum, trace);
    }

    /// What the rules that speak of requests say of a thing.
    fn said_of<'p>(
        &'p self,
        called: &Called<'_>,
        thing: &Thing<'_>,
        trace: &mut Trace<'p>,
    ) -> Said<'p> {
        let rules = self.rules.iter().filter(|rule| rule.is_of_requests());
        trace.decide(rules, called, thing)
    }

    /// What is said of the call, for a thing of which nothing is said.
    fn as_the_call(&self, called: &Called<'_>) -> Judged<'_> {
        Judged {
            of_the_call: true,
            ..self.judge_call(called, &mut Trace::off())
        }
    }

    /// What is said of a line: of each command in it, and each file that the shell opens for it.
    fn judge_line<'p>(
        &'p self,
        called: &Called<'_>,
        request: &PermissionRequest,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let (line, start) = match line_of(request) {
            Ok(read) => read,
            Err(what) => return self.judge_unread(called, request.target(), &what, sum, trace),
        };
        for part in line.parts() {
            self.judge_part(called, part, request, start, sum, trace);
        }
        let files = line.files(start);
        for file in &files {
            self.judge_use(called, file, sum, trace);
        }
        if line.parts().is_empty() && files.is_empty() {
            self.judge_thing(called, &Thing::Empty(request.target()), sum, trace);
        }
    }

    /// What cannot be read may be anything: at least a person decides.
    fn judge_unread<'p>(
        &'p self,
        called: &Called<'_>,
        line: &str,
        what: &str,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let thing = Thing::Unread { line, what };
        let mut judged = conclude(self.said_of(called, &thing, trace), || {
            self.as_the_call(called)
        });
        if judged.class == Class::Allow {
            judged = Judged {
                class: Class::Ask,
                why: Why::Unread,
                of_the_call: false,
            };
        }
        trace.note(self, called, &thing, &judged);
        sum.add(judged.class, || {
            words::reason(self, called, &thing, &judged)
        });
    }

    fn judge_part<'p>(
        &'p self,
        called: &Called<'_>,
        part: &Part,
        request: &PermissionRequest,
        start: &Path,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let reads = if self.looks_at_lists {
            read_only(part, start)
        } else {
            None
        };
        let thing = Thing::Part {
            part,
            only_reads: reads.is_some(),
        };
        let judged = conclude(self.said_of(called, &thing, trace), || {
            self.as_the_call(called)
        });
        trace.note(self, called, &thing, &judged);
        sum.add(judged.class, || {
            words::reason(self, called, &thing, &judged)
        });
        if let Why::Rule(hit) = judged.why
            && judged.class == Class::Allow
            && hit.by_list
        {
            let within = detail(request, "root").unwrap_or(start);
            for file in reads.iter().flatten() {
                self.judge_read(called, &hit, file, within, sum, trace);
            }
        }
        if self.restricts_files {
            for file in part.named_files(start) {
                self.judge_named(called, &file, reads.is_some(), sum, trace);
            }
        }
    }

    /// A file that the shell opens.
    fn judge_use<'p>(
        &'p self,
        called: &Called<'_>,
        file: &FileUse,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let request = request_of(file);
        let place = request.as_ref().and_then(FileAccess::place_of);
        let thing = Thing::File {
            access: Some(file.access),
            place: place.as_ref(),
            shown: &file.shown,
            is_written: true,
        };
        self.judge_thing(called, &thing, sum, trace);
    }

    /// A file that a command reads which runs because it only reads: without a rule, files of its
    /// own directory may be read.
    fn judge_read<'p>(
        &'p self,
        called: &Called<'_>,
        list: &Hit<'p>,
        file: &FileUse,
        within: &Path,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let request = request_of(file);
        let place = request.as_ref().and_then(FileAccess::place_of);
        let thing = Thing::File {
            access: Some(Access::Read),
            place: place.as_ref(),
            shown: &file.shown,
            is_written: true,
        };
        let inside = place
            .as_ref()
            .is_some_and(|place| place.real.starts_with(within));
        let judged = conclude(self.said_of(called, &thing, trace), || {
            if inside {
                return Judged {
                    class: Class::Allow,
                    why: Why::Rule(*list),
                    of_the_call: false,
                };
            }
            let judged = self.as_the_call(called);
            if matches!(judged.why, Why::Rule(_)) || judged.class == Class::Deny {
                return judged;
            }
            Judged {
                class: Class::Ask,
                why: Why::ReadsElsewhere,
                of_the_call: false,
            }
        });
        trace.note(self, called, &thing, &judged);
        sum.add(judged.class, || {
            words::reason(self, called, &thing, &judged)
        });
    }

    /// A file that a word of a command may name: only what rules of files forbid counts.
    fn judge_named<'p>(
        &'p self,
        called: &Called<'_>,
        file: &FileUse,
        only_reads: bool,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let Some(request) = request_of(file) else {
            return;
        };
        let place = FileAccess::place_of(&request);
        let thing = Thing::File {
            access: only_reads.then_some(Access::Read),
            place: place.as_ref(),
            shown: &file.shown,
            is_written: true,
        };
        let judged = conclude(self.said_of(called, &thing, trace), || Judged {
            class: Class::Allow,
            why: Why::Default,
            of_the_call: false,
        });
        if judged.class == Class::Allow {
            return;
        }
        trace.note(self, called, &thing, &judged);
        sum.add(judged.class, || {
            words::reason(self, called, &thing, &judged)
        });
    }
}

/// What the rules say, or else what is said of the call; and where a rule may deny, at least an ask.
fn conclude<'p>(said: Said<'p>, otherwise: impl FnOnce() -> Judged<'p>) -> Judged<'p> {
    let judged = match said.surely {
        Some((class, hit)) => Judged {
            class,
            why: Why::Rule(hit),
            of_the_call: false,
        },
        None => otherwise(),
    };
    match said.may_deny {
        Some(hit) if judged.class < Class::Ask => Judged {
            class: Class::Ask,
            why: Why::MayDeny(hit),
            of_the_call: false,
        },
        _ => judged,
    }
}

/// The hits of rules on a thing.
pub(super) fn hits<'p>(
    rules: impl Iterator<Item = &'p CompiledRule>,
    called: &Called<'_>,
    thing: &Thing<'_>,
) -> impl Iterator<Item = Hit<'p>> {
    rules.filter_map(|rule| hit(rule, called, thing))
}

/// Decides without a record.
pub(super) fn decide_quickly<'p>(
    rules: impl Iterator<Item = &'p CompiledRule>,
    called: &Called<'_>,
    thing: &Thing<'_>,
) -> Said<'p> {
    decide(hits(rules, called, thing))
}

/// The line of a request, and where it starts; or why it cannot be read.
fn line_of(request: &PermissionRequest) -> Result<(ShellLine, &Path), String> {
    // Without a directory, nothing is known of where relative paths lead.
    let start = detail(request, "directory").unwrap_or(Path::new(""));
    let line = match request.details().get("argv") {
        None => ShellLine::parse(request.target()).map_err(|unparsable| match unparsable.at {
            Some(at) => format!("{}, at character {at}", unparsable.what),
            None => unparsable.what,
        })?,
        Some(words) => {
            let word = |word: &Value| word.as_str().map(str::to_owned);
            let words: Option<Option<Vec<String>>> = words
                .as_array()
                .map(|words| words.iter().map(word).collect());
            match words {
                Some(Some(words)) => ShellLine::from_words(&words),
                _ => return Err("its words are no list of texts".to_owned()),
            }
        }
    };
    Ok((line, start))
}

fn detail<'r>(request: &'r PermissionRequest, key: &str) -> Option<&'r Path> {
    let path = Path::new(request.details().get(key)?.as_str()?);
    path.is_absolute().then_some(path)
}

/// Whether a path is one that rules can be compared with: whoever made the request has resolved it.
fn is_settled(path: &Path) -> bool {
    path.is_absolute() && !path.components().any(|part| part == Component::ParentDir)
}

/// The request that a tool would make to use the file; none if it is not known where it is.
fn request_of(file: &FileUse) -> Option<PermissionRequest> {
    let path = file.path.as_deref().filter(|path| path.is_absolute())?;
    let access = match file.access {
        Access::Read => FileAccess::read(path),
        Access::Write => FileAccess::write(path),
    };
    access.into_requests().ok()?.pop()
}
