use toolwright::tool;

/// Read a text file.
#[tool(needs(std::cell::Cell<u32>))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
