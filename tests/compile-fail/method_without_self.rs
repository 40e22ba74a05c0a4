use toolwright::tool;

struct Workspace;

impl Workspace {
    /// Read a text file.
    #[tool]
    async fn read_file(path: String) -> String {
        path
    }
}

fn main() {}
