use std::rc::Rc;
use toolwright::toolset;

struct Notes {
    all: Rc<Vec<String>>,
}

#[toolset]
impl Notes {
    /// Count the notes.
    #[tool]
    fn count(&self) -> usize {
        self.all.len()
    }
}

fn main() {}
