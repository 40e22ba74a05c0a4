use toolwright::toolset;

/// Read a note.
#[toolset]
async fn read(name: String) -> String {
    name
}

fn main() {}
