use toolwright::tool;

trait Files {
    /// Read a text file.
    #[tool]
    fn read_file(&self, path: String) -> String;
}

fn main() {}
