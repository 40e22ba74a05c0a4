use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: String) -> String {
    path
}

mod other {
    /// Read a text file.
    #[toolwright::tool]
    pub async fn read_file_(path: String) -> String {
        path
    }
}

/// Read a text file.
#[tool(struct_name = ReadFile)]
async fn read(path: String) -> String {
    path
}

fn main() {}
