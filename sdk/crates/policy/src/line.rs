//! The judgement of the rules on a shell line: on each command in it, and on each file that it uses.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::PermissionPolicy;
use super::finding::Subject;
use super::judge::Judging;
use super::judged::{Judged, Why, conclude};
use super::line_files::{Line, Naming, asks_of_git};
use super::rule::RuleVerdict;
use toolwright::PermissionRequest;
use toolwright::permission::{HostAccess, IntoRequests};
use toolwright_shell::{Access, FileUse, LineCommand, ShellLine};

impl Judging<'_, '_> {
    /// Judges a line: each command in it, and each file that the shell opens for it.
    pub(super) fn line(&mut self, request: &PermissionRequest) {
        let (line, start) = match line_of(request) {
            Ok(read) => read,
            Err(what) => return self.unread(request.target(), &what),
        };
        let judged = Line::new(&line, start, root_of(self.policy, request, start));
        for (at, part) in line.commands().iter().enumerate() {
            self.part(part, at, &judged);
        }
        if self.policy.restricts_files {
            let carried = Naming {
                only_reads: false,
                at: usize::MAX,
                descent: None,
                said: RuleVerdict::Allow,
            };
            // Each command works in the directory, though none names it.
            if start != judged.root {
                let start = FileUse::read(start, "the directory where the line starts");
                let naming = Naming {
                    only_reads: true,
                    ..carried
                };
                self.named(&start, &judged, naming);
            }
            let carriers = line.carriers().iter();
            for file in carriers.flat_map(|part| part.named_files(start, Access::Write)) {
                self.named(&file, &judged, carried);
            }
        }
        let files = line.files(start);
        for file in &files {
            match host_of(file) {
                None => self.used(file, &judged),
                Some(Ok(host)) => self.thing(&Subject::Host(&host)),
                Some(Err(what)) => self.unread(request.target(), what),
            }
        }
        if line.commands().is_empty() && files.is_empty() {
            self.thing(&Subject::Empty(request.target()));
        }
    }

    /// Judges a line that cannot be read. It may do anything, so at least a person decides.
    fn unread(&mut self, line: &str, what: &str) {
        let thing = Subject::Unread { line, what };
        let mut judged = conclude(self.said_of(&thing), || self.as_the_call());
        if judged.class == RuleVerdict::Allow {
            judged = Judged::new(RuleVerdict::Ask, Why::Unread);
        }
        self.tell(&thing, &judged);
    }

    fn part(&mut self, part: &LineCommand, at: usize, line: &Line<'_>) {
        let start = line.start();
        // Facts about a command must not depend on the rules: else one more rule could widen
        // what another says.
        let reads = if self.policy.looks_at_lists || self.policy.restricts_files {
            part.read_only(start)
        } else {
            None
        };
        let thing = Subject::LineCommand {
            part,
            only_reads: reads.is_some(),
        };
        let said = self.said_of(&thing);
        let mut judged = conclude(said, || self.as_the_call());
        // A command that asks anyway is looked at, too: a rule that names it in full would change nothing.
        let may_be_allowed =
            judged.class != RuleVerdict::Deny || matches!(judged.why, Why::Default);
        let is_known = || part.words().iter().all(|word| word.known().is_some());
        if (judged.class == RuleVerdict::Allow || (may_be_allowed && is_known()))
            && part.base_name() == Some("git")
            && let Some(why) = asks_of_git(part, at, line)
        {
            judged = Judged::new(judged.class.max(RuleVerdict::Ask), why);
        }
        self.tell(&thing, &judged);
        for (option, file) in part.outputs(start) {
            // A rule that allows the option by name says where it writes.
            let by_name = matches!(judged.why, Why::Rule(hit) if judged.class == RuleVerdict::Allow
                && hit.pattern.is_some_and(|pattern| pattern.split(' ').any(|word| word.trim_matches('\'') == option)));
            if !by_name {
                self.used(&file, line);
            }
        }
        let descent = part.descent();
        // By what is surely said: a rule that may deny the command keeps none from denying what it reads.
        if let Some((RuleVerdict::Allow, hit)) = said.surely
            && hit.by_list
        {
            for file in reads.iter().flatten() {
                self.read(hit, file, (at, descent), line);
            }
        }
        if !self.policy.restricts_files {
            return;
        }
        let naming = Naming {
            only_reads: reads.is_some(),
            at,
            descent,
            // Each word of an unknown command may be any file.
            said: match part.program() {
                Some(_) => RuleVerdict::Allow,
                None => judged.class,
            },
        };
        match &reads {
            // The files that it reads are known, except where `cd` leads.
            Some(reads)
                if part.program() != Some("cd") && reads.iter().all(|file| file.path.is_some()) =>
            {
                for file in reads {
                    self.named(file, line, naming);
                }
            }
            _ => {
                // Each may be read or written, of which nobody knows which is meant.
                let access = if naming.only_reads {
                    Access::Read
                } else {
                    Access::Write
                };
                for file in part.named_files(start, access) {
                    self.named(&file, line, naming);
                }
                // A command that is given no directory goes through the one that it runs in.
                if reads.is_none() && descent.is_some_and(|descent| descent.implied) {
                    for directory in part.directories(start) {
                        self.named(&FileUse::read(&directory, "."), line, naming);
                    }
                }
            }
        }
    }
}

/// Returns the root of a line: the root that the request names, else that of the policy if the line
/// starts in it, else the directory where the line starts.
fn root_of(policy: &PermissionPolicy, request: &PermissionRequest, start: &Path) -> PathBuf {
    if let Some(root) = detail(request, "root") {
        return root.to_owned();
    }
    // The start is a real path, and so is whatever it begins with.
    if start.starts_with(&policy.root) {
        return policy.root.clone();
    }
    match policy.root.canonicalize() {
        Ok(root) if start.starts_with(&root) => root,
        _ => start.to_owned(),
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
