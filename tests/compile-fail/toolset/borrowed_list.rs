use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Read some notes.
    #[tool]
    async fn read(&self, titles: &Vec<String>) -> usize {
        titles.len()
    }
}

fn main() {}
