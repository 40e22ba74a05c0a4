//! A tree of files in memory, for tests of tools.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolwright::ToolError;

use super::{Files, Found, Kind, Last, Place};

/// It is at `/fake`, where there is nothing. Clones are one tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fake {
    nodes: Arc<Mutex<BTreeMap<PathBuf, Node>>>,
    /// The content that is written into a file just before it is next replaced.
    meanwhile: Arc<Mutex<Option<Vec<u8>>>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    File(Vec<u8>),
    Directory,
    Link(PathBuf),
}

impl Fake {
    /// A tree of these files, with the directories that they lie in.
    pub(crate) fn new<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Self {
        let fake = Self::default();
        for (path, content) in files {
            fake.put(path, Node::File(content.into()));
        }
        fake
    }

    pub(crate) fn with_link(self, path: &str, to: &str) -> Self {
        self.put(path, Node::Link(to.into()));
        self
    }

    /// Somebody else writes that into the next file that is replaced.
    pub(crate) fn disturbed(self, content: &str) -> Self {
        *lock(&self.meanwhile) = Some(content.into());
        self
    }

    /// The content of a file.
    pub(crate) fn content(&self, path: &str) -> Option<String> {
        match lock(&self.nodes).get(Path::new(path)) {
            Some(Node::File(content)) => String::from_utf8(content.clone()).ok(),
            _ => None,
        }
    }

    /// All paths there are.
    pub(crate) fn paths(&self) -> Vec<String> {
        let nodes = lock(&self.nodes);
        nodes
            .keys()
            .map(|path| path.display().to_string())
            .collect()
    }

    fn put(&self, path: &str, node: Node) {
        let mut nodes = lock(&self.nodes);
        for above in Path::new(path).ancestors().skip(1) {
            if !above.as_os_str().is_empty() {
                nodes.insert(above.to_owned(), Node::Directory);
            }
        }
        nodes.insert(path.into(), node);
    }

    fn node(&self, place: &Place) -> io::Result<Node> {
        if place.is_root() {
            return Ok(Node::Directory);
        }
        let nodes = lock(&self.nodes);
        nodes
            .get(place.as_path())
            .cloned()
            .ok_or(ErrorKind::NotFound.into())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files for Fake {
    fn root(&self) -> &Path {
        Path::new("/fake")
    }

    fn share(&self) -> Arc<dyn Files> {
        Arc::new(self.clone())
    }

    fn resolve(&self, path: &Path, last: Last) -> Result<Option<Place>, ToolError> {
        let mut left: Vec<PathBuf> = parts(path);
        let mut real = PathBuf::new();
        while let Some(part) = left.pop() {
            if part == Path::new("/") {
                match left.pop() {
                    Some(name) if name == Path::new("fake") => real.clear(),
                    _ => return Ok(None),
                }
            } else if part == Path::new("..") {
                if !real.pop() {
                    return Ok(None);
                }
            } else {
                real.push(part);
                let followed = last == Last::Followed || !left.is_empty();
                if let Some(Node::Link(to)) = lock(&self.nodes).get(&real)
                    && followed
                {
                    left.extend(parts(to));
                    real.pop();
                }
            }
        }
        Ok(Place::new(&real))
    }

    fn find(&self, place: &Place) -> io::Result<Found> {
        let (kind, size) = match self.node(place)? {
            Node::File(content) => (Kind::File, content.len() as u64),
            Node::Directory => (Kind::Directory, 0),
            Node::Link(_) => (Kind::Link, 0),
        };
        Ok(Found {
            kind,
            size,
            read_only: false,
        })
    }

    fn open(&self, place: &Place) -> io::Result<Box<dyn Read + Send>> {
        match self.node(place)? {
            Node::File(content) => Ok(Box::new(Cursor::new(content))),
            _ => Err(ErrorKind::InvalidInput.into()),
        }
    }

    fn entries(&self, place: &Place) -> io::Result<Vec<(OsString, Kind)>> {
        if self.node(place)? != Node::Directory {
            return Err(ErrorKind::NotADirectory.into());
        }
        let paths: Vec<PathBuf> = lock(&self.nodes).keys().cloned().collect();
        let inside = paths
            .iter()
            .filter(|path| path.parent() == Some(place.as_path()));
        let mut entries = Vec::new();
        for path in inside {
            let name = path.file_name().unwrap_or_default().to_owned();
            entries.push((name.clone(), self.find(&place.join(&name))?.kind));
        }
        entries.sort();
        Ok(entries)
    }

    fn write(&self, place: &Place, content: &[u8]) -> io::Result<()> {
        if let Ok(Node::Directory | Node::Link(_)) = self.node(place) {
            return Err(ErrorKind::InvalidInput.into());
        }
        let path = place.as_path().display().to_string();
        self.put(&path, Node::File(content.to_owned()));
        Ok(())
    }

    fn replace(&self, place: &Place, old: &[u8], new: &[u8]) -> io::Result<bool> {
        if let Some(other) = lock(&self.meanwhile).take() {
            self.write(place, &other)?;
        }
        if self.node(place)? != Node::File(old.to_owned()) {
            return Ok(false);
        }
        self.write(place, new)?;
        Ok(true)
    }

    fn remove(&self, place: &Place, kind: Kind) -> io::Result<()> {
        if self.find(place)?.kind != kind {
            return Err(ErrorKind::NotADirectory.into());
        }
        if kind == Kind::Directory && !self.entries(place)?.is_empty() {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        lock(&self.nodes).remove(place.as_path());
        Ok(())
    }
}

/// The parts of a path, the first at the end.
fn parts(path: &Path) -> Vec<PathBuf> {
    let parts = path.components().rev();
    parts
        .filter(|part| *part != Component::CurDir)
        .map(|part| part.as_os_str().into())
        .collect()
}
