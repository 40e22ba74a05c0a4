//! The files that options of known programs write: a command that is allowed by its first words writes
//! with them where it likes.

use super::files::{Access, FileUse, of_word};
use super::{LineCommand, Word};
use std::path::Path;

/// The options of a program that name a file which it writes: letters, and long names.
fn options(part: &LineCommand) -> Option<(&'static str, &'static [&'static str])> {
    match part.base_name()? {
        "git" => match part.git_command()?.0 {
            "archive" | "bundle" => Some(("o", &["output"])),
            "format-patch" => Some(("o", &["output", "output-directory"])),
            _ => Some(("", &["output"])),
        },
        "sort" | "curl" | "tree" => Some(("o", &["output"])),
        "wget" => Some(("O", &["output-document"])),
        _ => None,
    }
}

impl LineCommand {
    /// Returns the files that the command writes because an option of it says so, as `sort -o FILE`, each with the
    /// word that has the option. Known are options of `git`, `sort`, `curl`, `tree` and `wget`. The line starts in the
    /// directory.
    pub fn outputs(&self, start: &Path) -> Vec<(&str, FileUse)> {
        let Some((letters, long)) = options(self) else {
            return Vec::new();
        };
        let directories = self.directories(start);
        let directory = match directories.as_slice() {
            [directory] => Some(directory.as_path()),
            _ => None,
        };
        let mut words = self.words().iter().skip(1).peekable();
        let mut files = Vec::new();
        while let Some(word) = words.next() {
            let Some(text) = word.known() else {
                continue;
            };
            if text == "--" {
                break;
            }
            let value = match text.strip_prefix("--") {
                Some(name) => {
                    let (name, value) = match name.split_once('=') {
                        Some((name, value)) => (name, Some(value)),
                        None => (name, None),
                    };
                    let is_one = long.iter().any(|long| long.starts_with(name));
                    is_one.then_some(value)
                }
                None => text.strip_prefix('-').and_then(|given| {
                    let at = given.find(|c| letters.contains(c))?;
                    let value = given.get(at + 1..).filter(|value| !value.is_empty());
                    Some(value)
                }),
            };
            let target = match value {
                None => continue,
                Some(Some(value)) => Word::Known(value.to_owned()),
                Some(None) => match words.peek() {
                    Some(next) => (*next).clone(),
                    None => continue,
                },
            };
            if target.known() == Some("-") {
                continue;
            }
            let mut found = of_word(&target, directory);
            if let Some(text) = target.known() {
                found.retain(|(_, shown)| shown == text);
            }
            for (path, shown) in found {
                files.push((text, FileUse::new(Access::Write, path, shown)));
            }
        }
        files
    }
}
