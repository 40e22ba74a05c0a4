use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    #[tool]
    async fn read(&self, name: String) -> String {
        name
    }
}

fn main() {}
