//! The text that a person reads before deciding: the whole call, and all that is asked of it.

use serde_json::Value;
use toolwright::PermissionRequest;
use toolwright::permission::{RequestPreview, RequestPreviewKind};
use toolwright::ticket::{OpenTicket, PendingRequest};

use crate::terminal::{Told, safe};

/// The most characters of a tool's title that stand within our own words.
const TITLE: usize = 40;

/// The most lines in a row that are shown though they are the same.
const ALIKE: usize = 3;

/// All that is to be read of calls or requests.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) told: Vec<Told>,
    /// Something cannot be shown, so that nobody can know what they would allow.
    pub(super) lacks: bool,
}

impl Sheet {
    /// Makes the sheet of a call and of all that is asked of it.
    pub(super) fn of(pending: &OpenTicket) -> Self {
        let mut sheet = Self::default();
        sheet.call(pending);
        sheet
    }

    /// Makes the sheet of one request.
    pub(super) fn of_request(request: &PendingRequest) -> Self {
        let mut sheet = Self::default();
        sheet.request(request);
        sheet
    }

    pub(super) fn ours(&mut self, text: impl Into<String>) {
        self.told.push(Told::Ours(text.into()));
    }

    /// Adds a call, and what is asked of it.
    pub(super) fn call(&mut self, pending: &OpenTicket) {
        let call = pending.ticket().call();
        let title = call.title().map(safe::line);
        match title {
            None => self.ours(format!("{} wants to run:", call.tool())),
            Some(title) if title.chars().count() <= TITLE => {
                self.ours(format!("{} ({title}) wants to run:", call.tool()));
            }
            // It would go on at the left edge.
            Some(title) => {
                self.ours(format!("{} wants to run. Its title:", call.tool()));
                self.theirs([title]);
                self.ours("Its arguments:");
            }
        }
        if let Some(arguments) = call.arguments() {
            self.theirs(safe::json_lines(arguments));
        } else {
            self.ours("Its arguments cannot be shown.");
            self.lacks = true;
        }
        if let Some(purpose) = call.purpose() {
            self.ours("The model says why:");
            self.theirs(safe::lines(purpose));
        }
        let left = pending.left();
        for (number, request) in pending.ticket().requests().iter().enumerate() {
            if left.contains(&number) {
                self.request(request);
            }
        }
    }

    fn theirs(&mut self, lines: impl IntoIterator<Item = String>) {
        self.add(lines.into_iter().map(Told::Theirs));
    }

    /// Adds lines. Many that are the same are shown once, with how many there are: they would push
    /// away what stands before or after them.
    fn add(&mut self, lines: impl Iterator<Item = Told>) {
        let mut lines = lines.peekable();
        while let Some(line) = lines.next() {
            let mut more = 0;
            while lines.next_if_eq(&line).is_some() {
                more += 1;
            }
            if more < ALIKE {
                self.told.extend(std::iter::repeat_n(line, more + 1));
            } else {
                self.told.push(line);
                let note = safe::mark(&format!("{more} more lines like this"));
                self.told.push(Told::Theirs(note));
            }
        }
    }

    fn request(&mut self, request: &PendingRequest) {
        self.ours("It asks to:");
        self.theirs(safe::lines(request.summary()));
        match PermissionRequest::from_pending(request) {
            Some(permission) => self.permission(request.summary(), &permission),
            // Its summary may be short of what it is about.
            None => self.theirs(safe::json_lines(request.subject())),
        }
        if let Some(why) = request.why() {
            self.ours("You are asked because");
            self.theirs(safe::lines(why));
        }
    }

    /// Adds the target of the request, unless the summary or the preview shows it, the details and the
    /// preview.
    fn permission(&mut self, summary: &str, permission: &PermissionRequest) {
        let preview = permission.preview();
        let target = permission.target();
        let is_shown = preview.as_ref().is_some_and(|preview| {
            preview.kind() == RequestPreviewKind::Command && preview.text().contains(target)
        });
        if !is_shown && !names(summary, permission) {
            self.ours(format!("which is `{}` of:", safe::line(permission.kind())));
            self.theirs(safe::lines(target));
        }
        let details = permission.details().iter();
        // The root is workbench's own, and `argv` is the target in words.
        let details = details.filter(|(key, _)| !matches!(key.as_str(), "root" | "argv"));
        self.theirs(details.map(|(key, value)| format!("{}: {}", safe::line(key), detail(value))));
        if let Some(preview) = preview {
            self.preview(&preview);
        }
    }

    fn preview(&mut self, preview: &RequestPreview) {
        let (title, of_a_diff) = match preview.kind() {
            RequestPreviewKind::Diff => ("The change:", true),
            RequestPreviewKind::Command => ("The command:", false),
            _ => ("In full:", false),
        };
        self.ours(title);
        let lines = preview.text().split_terminator('\n').enumerate();
        let told = lines.map(|(number, line)| {
            // The first two lines name the file.
            let sign = line.chars().next().filter(|_| of_a_diff && number > 1);
            match sign {
                Some(sign @ ('+' | '-' | ' ')) => {
                    let shown = format!("{sign}{}", safe::tabbed(&line[1..]));
                    match sign {
                        '+' => Told::Added(shown),
                        '-' => Told::Removed(shown),
                        _ => Told::Theirs(shown),
                    }
                }
                _ => Told::Theirs(safe::tabbed(line)),
            }
        });
        self.add(told);
        if preview.omitted() > 0 {
            self.ours(format!(
                "({} more bytes cannot be shown)",
                preview.omitted()
            ));
            self.lacks = true;
        }
    }

    /// Tells why it cannot be allowed here, where something cannot be shown.
    pub(super) fn tell_lack(&mut self) {
        if self.lacks {
            self.ours("Not all can be shown, so it cannot be allowed here.");
            self.ours("`--policy FILE` or `--yes` can allow it.");
        }
    }
}

/// Returns true if a summary has the target of a request as a word of its own, or its path below the
/// root.
fn names(summary: &str, permission: &PermissionRequest) -> bool {
    let target = permission.target();
    let root = permission.details().get("root").and_then(Value::as_str);
    let below = root.and_then(|root| target.strip_prefix(root)?.strip_prefix('/'));
    [Some(target), below].into_iter().flatten().any(|name| {
        let is_apart = |c: Option<char>| c.is_none_or(|c| matches!(c, ' ' | '`' | '"' | '\''));
        let mut found = summary.match_indices(name);
        !name.is_empty()
            && found.any(|(at, _)| {
                is_apart(summary[..at].chars().next_back())
                    && is_apart(summary[at + name.len()..].chars().next())
            })
    })
}

fn detail(value: &Value) -> String {
    match value {
        Value::String(text) => safe::line(text),
        value => safe::json_line(value),
    }
}

/// Returns the lines that say why an answer cannot be taken.
pub(super) fn problem(text: &str) -> Vec<Told> {
    let mut told = vec![Told::Ours("That cannot be taken:".to_owned())];
    told.extend(safe::lines(text).map(Told::Theirs));
    told
}
