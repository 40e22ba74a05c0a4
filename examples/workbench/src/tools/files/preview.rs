//! The previews of changes, for a person who decides about them.
//!
//! Each is made only when somebody is asked, of the files as they are then. A preview decides nothing, so nothing
//! here refuses: a change that cannot be shown is described.

use std::io;
use std::path::Path;
use std::sync::Arc;

use toolwright::permission::RequestPreview;

use super::diff::{self, Content, MAX_BYTES};
use super::{count, edit, shown};
use crate::files::{Files, Kind, Last, Place};

/// The most entries of a tree that are listed.
const MAX_ENTRIES: usize = 1000;

pub(super) fn of_write(
    path: &Path,
    content: &str,
    files: &dyn Files,
) -> impl Fn() -> RequestPreview + Send + Sync + 'static {
    let (path, content, files) = (path.to_owned(), content.to_owned(), files.share());
    move || write(&path, &content, &files)
}

fn write(path: &Path, content: &str, files: &Arc<dyn Files>) -> RequestPreview {
    let size = count(content.len(), "byte", "bytes");
    let told = |what: &str| RequestPreview::plain(format!("{what}; the new content has {size}"));
    let Some(place) = resolve(path, Last::Followed, files) else {
        return told("where it leads cannot be told");
    };
    if content.len() > MAX_BYTES {
        return told("too large to be compared");
    }
    match diff::read(&**files, &place) {
        Ok(Content::Text(before)) if before == content => told("nothing changes"),
        Ok(Content::Text(before)) => {
            RequestPreview::diff(diff::unified(place.as_path(), &before, content))
        }
        Ok(Content::NoText) => told("what is there is not text"),
        Ok(Content::TooLarge) => told("what is there is too large to be compared"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match content {
            "" => told("a new file"),
            content => RequestPreview::diff(diff::unified(place.as_path(), "", content)),
        },
        Err(_) => told("what is there cannot be read"),
    }
}

pub(super) fn of_edit(
    path: &Path,
    old: &str,
    new: &str,
    all: bool,
    files: &dyn Files,
) -> impl Fn() -> RequestPreview + Send + Sync + 'static {
    let (path, files) = (path.to_owned(), files.share());
    let (old, new) = (old.to_owned(), new.to_owned());
    move || {
        let place = resolve(&path, Last::Followed, &files);
        let read = place.map(|place| (diff::read(&*files, &place), place));
        let Some((Ok(Content::Text(before)), place)) = read else {
            return RequestPreview::plain("as the file is now, it cannot be edited");
        };
        match edit::replaced(&path, &before, &old, &new, all) {
            Ok(after) => RequestPreview::diff(diff::unified(place.as_path(), &before, &after)),
            Err(wrong) => {
                RequestPreview::plain(format!("as the file is now, it would fail: {wrong}"))
            }
        }
    }
}

pub(super) fn of_remove(
    path: &Path,
    recursive: bool,
    files: &dyn Files,
) -> impl Fn() -> RequestPreview + Send + Sync + 'static {
    let (path, files) = (path.to_owned(), files.share());
    move || RequestPreview::plain(removed(&path, recursive, &files))
}

fn removed(path: &Path, recursive: bool, files: &Arc<dyn Files>) -> String {
    let Some(place) = resolve(path, Last::Kept, files) else {
        return "where it leads cannot be told".to_owned();
    };
    let mut told = Vec::new();
    let found = match files.find(&place) {
        Ok(found) => found.kind,
        Err(_) => return "there is nothing to be removed".to_owned(),
    };
    let mut left = vec![(place, found)];
    while let Some((place, kind)) = left.pop() {
        let name = shown(place.as_path());
        told.push(match kind {
            Kind::File => name,
            Kind::Directory => name + "/",
            Kind::Link => format!("{name} (the link, not what it leads to)"),
            Kind::Other => format!("{name} (neither a file nor a directory)"),
        });
        if told.len() == MAX_ENTRIES {
            told.push("and more".to_owned());
            break;
        }
        if kind == Kind::Directory && recursive {
            let entries = files.entries(&place).unwrap_or_default();
            let below = entries.into_iter().rev();
            left.extend(below.map(|(name, kind)| (place.join(&name), kind)));
        }
    }
    told.join("\n")
}

fn resolve(path: &Path, last: Last, files: &Arc<dyn Files>) -> Option<Place> {
    files.resolve(path, last).ok().flatten()
}
