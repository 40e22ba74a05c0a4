use toolwright::toolset;

struct Notes<T>(T);

#[toolset]
impl<T> Notes<T> {
    /// Count the notes.
    #[tool]
    fn count(&self) -> usize {
        let _ = &self.0;
        0
    }
}

fn main() {}
