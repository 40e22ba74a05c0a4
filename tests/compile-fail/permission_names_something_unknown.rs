use toolwright::{FileAccess, tool};

/// Read a text file.
#[tool(permission = FileAccess::read(pth))]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
