use toolwright::toolset;

struct Notes<T>(T);

#[toolset]
impl<T: Send + Sync + 'static> Notes<T> {
    /// Keep a note.
    #[tool]
    fn keep(&self, note: T) -> usize {
        drop(note);
        0
    }
}

fn main() {}
