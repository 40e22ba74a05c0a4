use toolwright::tool;

/// Read a text file.
#[tool]
async unsafe fn read_file(path: String) -> String {
    path
}

fn main() {}
