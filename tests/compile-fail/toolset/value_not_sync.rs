use std::cell::Cell;
use toolwright::toolset;

struct Notes {
    calls: Cell<u32>,
}

#[toolset]
impl Notes {
    /// Count the calls.
    #[tool]
    fn count(&self) -> u32 {
        self.calls.get()
    }
}

fn main() {}
