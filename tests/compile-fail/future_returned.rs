use toolwright::tool;

/// Read a text file.
#[tool]
fn read_file(path: String) -> impl Future<Output = String> {
    async move { path }
}

fn main() {}
