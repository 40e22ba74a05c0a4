use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// How many there can be.
    #[tool]
    const MOST: usize = 3;
}

fn main() {}
