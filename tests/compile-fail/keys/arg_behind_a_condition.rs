use toolwright::tool;

/// Reads a text file.
#[tool]
async fn read_file(#[cfg_attr(unix, arg(length = 1..))] path: String) -> String {
    path
}

fn main() {}
