//! What the rules say of a shell line: of each command in it, and of each file that it uses.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::PermissionPolicy;
use super::finding::{CallFacts, Subject};
use super::judge::{Combined, Judged, Why, conclude};
use super::line_files::{Line, Listed, Naming, asks_of_git};
use super::order::Class;
use super::trace::Trace;
use toolwright::PermissionRequest;
use toolwright::permission::{HostAccess, IntoRequests};
use toolwright_shell::{Access, FileUse, LineCommand, ShellLine};

impl PermissionPolicy {
    /// What is said of a line: of each command in it, and each file that the shell opens for it.
    pub(super) fn judge_line<'p>(
        &'p self,
        called: &CallFacts<'_>,
        request: &PermissionRequest,
        sum: &mut Combined,
        trace: &mut Trace<'p>,
    ) {
        let (line, start) = match line_of(request) {
            Ok(read) => read,
            Err(what) => return self.judge_unread(called, request.target(), &what, sum, trace),
        };
        let judged = Line::new(&line, start, self.root_of(request, start));
        let base = &judged.base;
        for (at, part) in line.commands().iter().enumerate() {
            self.judge_part(called, part, at, &judged, sum, trace);
        }
        if self.restricts_files {
            let carried = Naming {
                only_reads: false,
                at: usize::MAX,
                descent: None,
                said: Class::Allow,
            };
            // Each command works in the directory, though none names it.
            if start != judged.root {
                let start = FileUse::read(start, "the directory where the line starts");
                let naming = Naming {
                    only_reads: true,
                    ..carried
                };
                self.judge_named(called, &start, &judged, naming, sum, trace);
            }
            for file in line
                .carriers()
                .iter()
                .flat_map(|part| part.named_files(start))
            {
                if file.access == Access::Write {
                    self.judge_named(called, &file, &judged, carried, sum, trace);
                }
            }
        }
        let files = line.files(start);
        for file in &files {
            match host_of(file) {
                None => self.judge_use(called, file, base, sum, trace),
                Some(Ok(host)) => self.judge_thing(called, &Subject::Host(&host), sum, trace),
                Some(Err(what)) => {
                    self.judge_unread(called, request.target(), what, sum, trace);
                }
            }
        }
        if line.commands().is_empty() && files.is_empty() {
            self.judge_thing(called, &Subject::Empty(request.target()), sum, trace);
        }
    }

    /// What cannot be read may be anything: at least a person decides.
    fn judge_unread<'p>(
        &'p self,
        called: &CallFacts<'_>,
        line: &str,
        what: &str,
        sum: &mut Combined,
        trace: &mut Trace<'p>,
    ) {
        let thing = Subject::Unread { line, what };
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
        called: &CallFacts<'_>,
        part: &LineCommand,
        at: usize,
        line: &Line<'_>,
        sum: &mut Combined,
        trace: &mut Trace<'p>,
    ) {
        let start = line.start();
        // What is known of a command is known whatever the rules are: else one more of them could widen
        // what another says.
        let reads = if self.looks_at_lists || self.restricts_files {
            part.read_only(start)
        } else {
            None
        };
        let thing = Subject::LineCommand {
            part,
            only_reads: reads.is_some(),
        };
        let said = self.said_of(called, &thing, trace);
        let mut judged = conclude(said, || self.as_the_call(called));
        // A command that asks anyway is looked at, too: a rule that names it in full would change nothing.
        let may_be_allowed = judged.class != Class::Deny || matches!(judged.why, Why::Default);
        let is_known = || part.words().iter().all(|word| word.known().is_some());
        if (judged.class == Class::Allow || (may_be_allowed && is_known()))
            && part.base_name() == Some("git")
            && let Some(why) = asks_of_git(part, at, line)
        {
            judged = Judged {
                class: judged.class.max(Class::Ask),
                why,
                of_the_call: false,
            };
        }
        self.tell(called, &thing, &judged, sum, trace);
        for (option, file) in part.outputs(start) {
            // A rule that allows the option by name says where it writes.
            let by_name = matches!(judged.why, Why::Rule(hit) if judged.class == Class::Allow
                && hit.pattern.is_some_and(|pattern| pattern.split(' ').any(|word| word.trim_matches('\'') == option)));
            if !by_name {
                self.judge_use(called, &file, &line.base, sum, trace);
            }
        }
        let descent = part.descent();
        // By what is surely said: a rule that may deny the command keeps none from denying what it reads.
        if let Some((Class::Allow, hit)) = said.surely
            && hit.by_list
        {
            let listed = Listed {
                hit,
                within: &line.root,
                at,
                descent,
            };
            for file in reads.iter().flatten() {
                self.judge_read(called, &listed, file, line, sum, trace);
            }
        }
        if self.restricts_files {
            let naming = Naming {
                only_reads: reads.is_some(),
                at,
                descent,
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
                        self.judge_named(called, file, line, naming, sum, trace);
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
                        self.judge_named(called, &file, line, naming, sum, trace);
                    }
                    // A command that is given no directory goes through the one that it runs in.
                    if reads.is_none() && descent.is_some_and(|descent| descent.implied) {
                        for directory in part.directories(start) {
                            let here = FileUse::read(&directory, ".");
                            self.judge_named(called, &here, line, naming, sum, trace);
                        }
                    }
                }
            }
        }
    }

    /// Returns the root of a line: the root that the request names, else that of the policy if the line
    /// starts in it, else the directory where the line starts.
    fn root_of(&self, request: &PermissionRequest, start: &Path) -> PathBuf {
        if let Some(root) = detail(request, "root") {
            return root.to_owned();
        }
        match self.root.canonicalize() {
            Ok(root) if start.starts_with(&root) => root,
            _ => start.to_owned(),
        }
    }
}

/// The line of a request, and where it starts; or why it cannot be read.
pub(super) fn line_of(request: &PermissionRequest) -> Result<(ShellLine, &Path), String> {
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
    let line = line.map_err(|unparsable| unparsable.to_string())?;
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
