//! The submodules that the index of a `git` repository names.
//!
//! `git` goes into these whether `.gitmodules` names them or not. The format is that of `gitformat-index`:
//! <https://git-scm.com/docs/index-format>.

use std::path::PathBuf;

/// The times, the device, the inode, the mode, the owner and the size of an entry, in bytes.
const STAT: usize = 40;

/// The place of the mode among them.
const MODE: usize = 24;

/// The bytes of a SHA-1. An index with longer names of objects is not understood.
const OBJECT: usize = 20;

/// The bits of a mode that say what an entry is, and their value for a submodule.
const KIND: u32 = 0o170_000;
const SUBMODULE: u32 = 0o160_000;

const EXTENDED: u16 = 0x4000;

/// Returns the paths of the submodules, seen from the working directory; `None` if the bytes are not
/// understood, or if a part of the index is in another file.
pub(super) fn submodules(bytes: &[u8]) -> Option<Vec<PathBuf>> {
    let mut index = Index { bytes, at: 0 };
    if index.take(4)? != b"DIRC" {
        return None;
    }
    let version = index.number()?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut found = Vec::new();
    let mut name = Vec::new();
    for _ in 0..index.number()? {
        let start = index.at;
        let fields = index.take(STAT)?;
        let mode = u32::from_be_bytes(fields.get(MODE..MODE + 4)?.try_into().ok()?);
        index.take(OBJECT)?;
        let flags = u16::from_be_bytes(index.take(2)?.try_into().ok()?);
        if flags & EXTENDED != 0 {
            index.take(2)?;
        }
        if version == 4 {
            let kept = name.len().checked_sub(index.offset()?)?;
            name.truncate(kept);
            name.extend_from_slice(index.text()?);
        } else {
            name.clear();
            name.extend_from_slice(index.text()?);
            while !(index.at - start).is_multiple_of(8) {
                index.take(1)?;
            }
        }
        if mode & KIND == SUBMODULE {
            found.push(PathBuf::from(String::from_utf8(name.clone()).ok()?));
        }
    }
    // The checksum has the length of the name of an object.
    while index.bytes.len().checked_sub(index.at)? > OBJECT {
        if index.take(4)? == b"link" {
            return None;
        }
        let length = index.number()?;
        index.take(usize::try_from(length).ok()?)?;
    }
    Some(found)
}

struct Index<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Index<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    /// Returns the bytes up to the next NUL, which is taken too.
    fn text(&mut self) -> Option<&'b [u8]> {
        let length = self
            .bytes
            .get(self.at..)?
            .iter()
            .position(|byte| *byte == 0)?;
        let text = self.take(length)?;
        self.take(1)?;
        Some(text)
    }

    /// Returns a number of as many bytes as it needs: seven bits in each, and 1 added for each that goes on.
    fn offset(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        loop {
            let byte = *self.take(1)?.first()?;
            value = value.checked_add(usize::from(byte & 0x7f))?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value = value.checked_add(1)?.checked_mul(128)?;
        }
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use super::*;

    fn git(directory: &Path, arguments: &[&str]) -> bool {
        let names = ["-c", "user.name=a", "-c", "user.email=a@b"];
        let mut git = Command::new("git");
        git.args(names).args(arguments).current_dir(directory);
        let output = git.env("GIT_CONFIG_GLOBAL", "/dev/null").output();
        output.is_ok_and(|output| output.status.success())
    }

    #[test]
    fn submodules_are_found_in_each_version() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        assert!(git(root, &["init", "-q"]));
        assert_eq!(submodules(&fs::read(root.join(".git/HEAD")).unwrap()), None);
        for name in ["a", "b.txt", "d/e/f", "d/e/g", "z"] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        for inner in ["d/e/module", "other"] {
            let path = root.join(inner);
            fs::create_dir_all(&path).unwrap();
            assert!(git(&path, &["init", "-q"]));
            assert!(git(&path, &["commit", "-q", "--allow-empty", "-m", "a"]));
        }
        assert!(git(root, &["add", "-A"]));
        assert!(git(root, &["add", "--intent-to-add", "."]));
        let expected = ["d/e/module", "other"].map(PathBuf::from);
        for version in ["2", "4"] {
            assert!(git(root, &["update-index", "--index-version", version]));
            let bytes = fs::read(root.join(".git/index")).unwrap();
            assert_eq!(
                submodules(&bytes).as_deref(),
                Some(&expected[..]),
                "{version}"
            );
            for end in 0..bytes.len() {
                // Nothing panics, and what is cut has fewer at most.
                let found = submodules(&bytes[..end]).unwrap_or_default();
                assert!(found.len() <= 2, "{end}");
            }
        }
        assert!(git(root, &["update-index", "--split-index"]));
        let bytes = fs::read(root.join(".git/index")).unwrap();
        assert_eq!(submodules(&bytes), None);
    }
}
