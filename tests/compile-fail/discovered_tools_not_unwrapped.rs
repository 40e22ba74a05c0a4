use toolwright::{Executor, tool};

/// Read a text file.
#[tool]
async fn read_file(path: String) -> String {
    path
}

fn main() {
    let _ = Executor::new(toolwright::discover!());
}
