use toolwright::tool;

type Text = str;

/// Read a text file.
#[tool]
async fn read_file(path: &Text) {
    let _ = path;
}

fn main() {}
