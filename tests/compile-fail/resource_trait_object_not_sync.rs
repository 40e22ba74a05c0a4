use toolwright::tool;

trait Files {
    fn read(&self, path: String) -> String;
}

/// Read a text file.
#[tool]
async fn read_file(path: String, files: &dyn Files) -> String {
    files.read(path)
}

fn main() {}
