//! What a person reads before deciding: the call, and all that is asked of it.

use toolwright::{Pending, PendingRequest, PermissionRequest, RequestPreview, RequestPreviewKind};

use crate::terminal::Told;
use crate::terminal::safe;

/// How many lines are shown of one thing.
#[derive(Debug, Clone, Copy)]
pub(super) enum Length {
    /// For one call of a prompt.
    Usual,
    /// For one of several.
    Short,
    /// Whatever it takes.
    Whole,
}

impl Length {
    fn of_arguments(self) -> usize {
        match self {
            Self::Usual => 15,
            Self::Short => 5,
            Self::Whole => usize::MAX,
        }
    }

    fn of_preview(self) -> usize {
        match self {
            Self::Usual => 40,
            Self::Short => 8,
            Self::Whole => usize::MAX,
        }
    }
}

/// The most characters of a line that is shown in short: a file in one line is the rest of the screen.
const LINE: usize = 400;

/// Tells of a call and what is asked of it. `true`: something is left out.
pub(super) fn tell(pending: &Pending, length: Length) -> (Vec<Told>, bool) {
    let mut sheet = Sheet {
        told: Vec::new(),
        length,
        cut: false,
    };
    let call = pending.ticket().call();
    let title = call
        .title()
        .map(|title| format!(" ({})", safe::line(title)));
    let title = title.unwrap_or_default();
    sheet.ours(format!("{}{title} wants to run:", call.tool()));
    match call.arguments() {
        Some(arguments) => {
            let json = safe::json(arguments);
            let lines = json.lines().map(|line| Told::Theirs(line.to_owned()));
            sheet.theirs(lines, length.of_arguments());
        }
        None => sheet.ours("Its arguments cannot be shown.".to_owned()),
    }
    if let Some(purpose) = call.purpose() {
        sheet.ours("The model says why:".to_owned());
        sheet.theirs(
            safe::lines(purpose).map(Told::Theirs),
            length.of_arguments(),
        );
    }
    let left = pending.left();
    for (number, request) in pending.ticket().requests().iter().enumerate() {
        if left.contains(&number) {
            sheet.request(request);
        }
    }
    (sheet.told, sheet.cut)
}

/// Tells what one request asks for.
pub(super) fn tell_request(request: &PendingRequest, length: Length) -> Vec<Told> {
    let mut sheet = Sheet {
        told: Vec::new(),
        length,
        cut: false,
    };
    sheet.request(request);
    sheet.told
}

/// What keeps an answer from being taken.
pub(super) fn problem(text: &str) -> Vec<Told> {
    let mut told = vec![Told::Ours("That cannot be taken:".to_owned())];
    told.extend(safe::lines(text).map(Told::Theirs));
    told
}

struct Sheet {
    told: Vec<Told>,
    length: Length,
    cut: bool,
}

impl Sheet {
    fn ours(&mut self, text: String) {
        self.told.push(Told::Ours(text));
    }

    fn theirs(&mut self, lines: impl Iterator<Item = Told>, most: usize) {
        let mut lines = lines.peekable();
        let mut shown = 0;
        while let Some(mut line) = lines.next_if(|_| shown < most) {
            shown += 1;
            if !matches!(self.length, Length::Whole) {
                self.cut |= shorten(line.text_mut());
            }
            self.told.push(line);
        }
        let more = lines.count();
        if more > 0 {
            self.cut = true;
            let lines = if more == 1 { "line" } else { "lines" };
            self.ours(format!("({more} more {lines})"));
        }
    }

    fn request(&mut self, request: &PendingRequest) {
        self.ours("It asks to:".to_owned());
        self.theirs(safe::lines(request.summary()).map(Told::Theirs), usize::MAX);
        let permission = PermissionRequest::from_pending(request);
        if let Some(preview) = permission.and_then(|permission| permission.preview()) {
            self.preview(&preview);
        }
        if let Some(why) = request.why() {
            self.ours("You are asked because".to_owned());
            self.theirs(safe::lines(why).map(Told::Theirs), usize::MAX);
        }
    }

    fn preview(&mut self, preview: &RequestPreview) {
        let (title, of_a_diff) = match preview.kind() {
            RequestPreviewKind::Diff => ("The change:", true),
            RequestPreviewKind::Command => ("The command:", false),
            _ => ("In full:", false),
        };
        self.ours(title.to_owned());
        let lines = preview.text().lines().enumerate().map(|(number, line)| {
            let shown = safe::lines(line).next().unwrap_or_default();
            match line.as_bytes().first() {
                // The first two lines name the file.
                Some(b'+') if of_a_diff && number > 1 => Told::Added(shown),
                Some(b'-') if of_a_diff && number > 1 => Told::Removed(shown),
                _ => Told::Theirs(shown),
            }
        });
        self.theirs(lines, self.length.of_preview());
        if preview.omitted() > 0 {
            self.ours(format!("({} more bytes are not shown)", preview.omitted()));
        }
    }
}

/// Cuts a line that is too long to be shown in short. `true`: it was.
fn shorten(line: &mut String) -> bool {
    let Some((end, _)) = line.char_indices().nth(LINE) else {
        return false;
    };
    line.truncate(end);
    line.push_str(" …");
    true
}
