use std::cell::Cell;
use toolwright::{ToolRegistry, toolset};

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

fn main() {
    let _ = ToolRegistry::new().with_set(Notes(Cell::new(1)));
}
