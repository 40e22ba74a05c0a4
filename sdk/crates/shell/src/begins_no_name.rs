//! Words that are one text of which the beginning is known, such as `"a message for $x"`.

use std::path::PathBuf;

use super::word::Unknown;

/// The most names of a directory that are looked at.
const NAMES: usize = 1_000;

/// Returns true if a word is one text whose beginning is known and begins the name of no file there is, as in
/// `"a message for $x"`. What follows an option's name, a `=` or the like may be a file all the same.
pub(super) fn begins_no_name(unknown: &Unknown, directories: &[PathBuf]) -> bool {
    let begins = unknown.prefix.split('/').next().unwrap_or_default();
    let one = unknown.each && !unknown.splits && !directories.is_empty();
    let may_be_more = |c: char| matches!(c, '=' | ':' | '@' | ',');
    if !one || begins.is_empty() || begins.starts_with('-') || unknown.prefix.contains(may_be_more)
    {
        return false;
    }
    directories.iter().all(|directory| {
        if unknown.prefix.contains('/') {
            return directory.join(begins).symlink_metadata().is_err();
        }
        let Ok(entries) = std::fs::read_dir(directory) else {
            return false;
        };
        entries.enumerate().all(|(count, entry)| {
            let name = entry.map(|entry| entry.file_name());
            count < NAMES && name.is_ok_and(|name| !name.to_string_lossy().starts_with(begins))
        })
    })
}
