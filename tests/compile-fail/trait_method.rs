use toolwright::tool;

trait Files {
    fn read_file(&self, path: String) -> String;
}

struct Workspace;

impl Files for Workspace {
    /// Read a text file.
    #[tool]
    fn read_file(&self, path: String) -> String {
        path
    }
}

fn main() {}
