//! What the rules say of a shell line: of each command in it, and of each file that it uses.

use std::path::Path;

use serde_json::Value;

use super::PermissionPolicy;
use super::finding::{Called, Thing};
use super::judge::{Judged, Sum, Why, conclude};
use super::order::{Class, Hit};
use super::path::Names;
use super::shell::{Access, FileUse, Part, ShellLine, read_only};
use super::trace::Trace;
use crate::permission::file::{Base, Located};
use crate::permission::{FileAccess, HostAccess, IntoRequests, PermissionRequest};

/// A command that runs because it only reads.
struct Listed<'p, 'c> {
    /// The rule that allows such commands.
    hit: Hit<'p>,
    /// Where it may read without a rule for the file.
    within: &'c Path,
    /// Whether it reads all that is below what it names.
    goes_down: bool,
}

/// A command whose words may name files.
#[derive(Clone, Copy)]
struct Naming {
    only_reads: bool,
    /// What is said of the command itself: what says no more than that is not worth a word.
    said: Class,
}

impl PermissionPolicy {
    /// What is said of a line: of each command in it, and each file that the shell opens for it.
    pub(super) fn judge_line<'p>(
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
        let base = Base::new(start);
        for part in line.parts() {
            self.judge_part(called, part, request, &base, sum, trace);
        }
        if self.restricts_files {
            let carried = Naming {
                only_reads: false,
                said: Class::Allow,
            };
            for file in line
                .carriers()
                .iter()
                .flat_map(|part| part.named_files(start))
            {
                if file.access == Access::Write {
                    self.judge_named(called, &file, &base, carried, sum, trace);
                }
            }
        }
        let files = line.files(start);
        for file in &files {
            match host_of(file) {
                None => self.judge_use(called, file, &base, sum, trace),
                Some(Ok(host)) => self.judge_thing(called, &Thing::Host(&host), sum, trace),
                Some(Err(what)) => {
                    self.judge_unread(called, request.target(), what, sum, trace);
                }
            }
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
        self.tell(called, &thing, &judged, sum, trace);
    }

    fn judge_part<'p>(
        &'p self,
        called: &Called<'_>,
        part: &Part,
        request: &PermissionRequest,
        base: &Base<'_>,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let start = base.path();
        // What is known of a command is known whatever the rules are: else one more of them could widen
        // what another says.
        let reads = if self.looks_at_lists || self.restricts_files {
            read_only(part, start)
        } else {
            None
        };
        let thing = Thing::Part {
            part,
            only_reads: reads.is_some(),
        };
        let said = self.said_of(called, &thing, trace);
        let judged = conclude(said, || self.as_the_call(called));
        self.tell(called, &thing, &judged, sum, trace);
        // By what is surely said: a rule that may deny the command keeps none from denying what it reads.
        if let Some((Class::Allow, hit)) = said.surely
            && hit.by_list
        {
            let listed = Listed {
                hit,
                within: detail(request, "root").unwrap_or(start),
                goes_down: goes_down(part),
            };
            for file in reads.iter().flatten() {
                self.judge_read(called, &listed, file, base, sum, trace);
            }
        }
        if self.restricts_files {
            let naming = Naming {
                only_reads: reads.is_some(),
                // Of a command that may be any, each word may be any file.
                said: match part.program() {
                    Some(_) => Class::Allow,
                    None => judged.class,
                },
            };
            match &reads {
                // What it reads is known, but for where `cd` leads.
                Some(reads)
                    if part.program() != Some("cd")
                        && reads.iter().all(|file| file.path.is_some()) =>
                {
                    for file in reads {
                        self.judge_named(called, file, base, naming, sum, trace);
                    }
                }
                _ => {
                    // Each is there to be read and to be written, of which nobody knows which is meant.
                    let access = if naming.only_reads {
                        Access::Read
                    } else {
                        Access::Write
                    };
                    let files = part.named_files(start).into_iter();
                    for file in files.filter(|file| file.access == access) {
                        self.judge_named(called, &file, base, naming, sum, trace);
                    }
                }
            }
        }
    }

    /// A file that the shell opens.
    fn judge_use<'p>(
        &'p self,
        called: &Called<'_>,
        file: &FileUse,
        base: &Base<'_>,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let located = access_to(file, false).and_then(|access| access.locate(base));
        let place = located.as_ref().map(Located::place);
        let names = place.as_ref().map(Names::of);
        let thing = Thing::File {
            access: Some(file.access),
            place: names.as_ref(),
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
        listed: &Listed<'p, '_>,
        file: &FileUse,
        base: &Base<'_>,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let located = access_to(file, listed.goes_down).and_then(|access| access.locate(base));
        let place = located.as_ref().map(Located::place);
        let names = place.as_ref().map(Names::of);
        let thing = Thing::File {
            access: Some(Access::Read),
            place: names.as_ref(),
            shown: &file.shown,
            is_written: true,
        };
        let inside = place
            .as_ref()
            .is_some_and(|place| place.real.starts_with(listed.within));
        let mut judged = conclude(self.said_of(called, &thing, trace), || {
            if inside {
                return Judged {
                    class: Class::Allow,
                    why: Why::Rule(listed.hit),
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
        judged.unless_sure(file);
        self.tell(called, &thing, &judged, sum, trace);
    }

    /// A file that a word of a command may name: only what rules of files forbid counts.
    fn judge_named<'p>(
        &'p self,
        called: &Called<'_>,
        file: &FileUse,
        base: &Base<'_>,
        naming: Naming,
        sum: &mut Sum,
        trace: &mut Trace<'p>,
    ) {
        let located = access_to(file, false).and_then(|access| access.locate(base));
        let place = located.as_ref().map(Located::place);
        let names = place.as_ref().map(Names::of);
        let thing = Thing::File {
            access: naming.only_reads.then_some(Access::Read),
            place: names.as_ref(),
            shown: &file.shown,
            is_written: true,
        };
        let mut judged = conclude(self.said_of(called, &thing, trace), || Judged {
            class: Class::Allow,
            why: Why::Default,
            of_the_call: false,
        });
        judged.unless_sure(file);
        if judged.class <= naming.said {
            return;
        }
        self.tell(called, &thing, &judged, sum, trace);
    }
}

impl Judged<'_> {
    /// Of one of several files, nobody knows whether it is used: what is forbidden asks.
    fn unless_sure(&mut self, file: &FileUse) {
        if let Why::Rule(hit) = self.why
            && self.class == Class::Deny
            && !file.sure
        {
            self.class = Class::Ask;
            self.why = Why::MayDeny(hit);
        }
    }
}

/// The line of a request, and where it starts; or why it cannot be read.
pub(in crate::permission) fn line_of(
    request: &PermissionRequest,
) -> Result<(ShellLine, &Path), String> {
    // Without a directory, nothing is known of where relative paths lead.
    let start = detail(request, "directory").unwrap_or(Path::new(""));
    let line = match request.details().get("argv") {
        None => ShellLine::parse(request.target()),
        Some(words) => {
            let word = |word: &Value| word.as_str().map(str::to_owned);
            let words: Option<Option<Vec<String>>> = words
                .as_array()
                .map(|words| words.iter().map(word).collect());
            match words {
                Some(Some(words)) => ShellLine::from_words(&words),
                _ => return Err("the words of the command are no list of texts".to_owned()),
            }
        }
    };
    let line = line.map_err(|unparsable| match unparsable.at {
        Some(at) => format!("{}, at character {at}", unparsable.what),
        None => unparsable.what,
    })?;
    Ok((line, start))
}

fn detail<'r>(request: &'r PermissionRequest, key: &str) -> Option<&'r Path> {
    let path = Path::new(request.details().get(key)?.as_str()?);
    path.is_absolute().then_some(path)
}

/// The host that bash connects to in place of a file, `/dev/tcp/host/port`, if it is understood which.
fn host_of(file: &FileUse) -> Option<Result<String, &'static str>> {
    let path = file.path.as_ref()?.to_str()?;
    let rest = path
        .strip_prefix("/dev/tcp/")
        .or_else(|| path.strip_prefix("/dev/udp/"))?;
    let (host, port) = rest.split_once('/')?;
    let target = || {
        let host = HostAccess::connect(host).port(port.parse().ok()?);
        let request = host.into_requests().ok()?.pop()?;
        Some(request.target().to_owned())
    };
    Some(target().ok_or("it connects to a host that is not understood"))
}

/// The access that a tool would request to use the file, or to read it with all that is below it; none
/// if it is not known where it is.
fn access_to(file: &FileUse, below: bool) -> Option<FileAccess> {
    let path = file.path.as_deref().filter(|path| path.is_absolute())?;
    Some(match file.access {
        _ if below => FileAccess::read_tree(path),
        Access::Read => FileAccess::read(path),
        Access::Write => FileAccess::write(path),
    })
}

/// Whether a command of the list of those that only read may read the files below a directory that
/// it names. Of an option that is not known, it may.
fn goes_down(part: &Part) -> bool {
    if !matches!(part.program(), Some("grep" | "egrep" | "fgrep" | "diff")) {
        return false;
    }
    part.words().iter().skip(1).any(|word| match word.known() {
        // Where a pattern finds a name that may be an option, what is read is not known.
        None => !word.is_pattern() && word.may_start_with("-"),
        Some(text) => match text.strip_prefix("--") {
            // `--recursive`, `--directories=recurse`, and what is short for them.
            Some(long) => long.starts_with('r') || long.starts_with("de") || long.starts_with("di"),
            None => text.starts_with('-') && text.contains(['r', 'R', 'd']),
        },
    })
}
