//! The names of tools, their listing, the parsing of their arguments and their results.

mod catalogue;
mod names;
mod parsing;
mod results;
mod schemas;

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of times that bodies ran.
#[derive(Debug, Default)]
struct Runs(AtomicUsize);

impl Runs {
    fn note(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}
