use std::rc::Rc;
use toolwright::toolset;

async fn pause() {}

struct Notes;

#[toolset]
impl Notes {
    /// Read a note.
    #[tool]
    async fn read(&self, name: String) -> usize {
        let name = Rc::new(name);
        pause().await;
        name.len()
    }
}

fn main() {}
