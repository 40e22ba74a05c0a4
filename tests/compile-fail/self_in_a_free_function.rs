use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(self, path: String) -> String {
    path
}

fn main() {}
