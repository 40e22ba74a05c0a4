//! What a tool is called, what is listed of it, how it is parsed and what it gives back.

mod catalogue;
mod names;
mod parsing;
mod results;
mod schemas;

use std::sync::atomic::{AtomicUsize, Ordering};

/// How often bodies ran.
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
