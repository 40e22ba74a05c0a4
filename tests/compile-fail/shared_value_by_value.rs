use std::sync::{Arc, Mutex};
use toolwright::tool;

struct Workspace {
    root: Mutex<String>,
}

/// Read a text file.
#[tool]
async fn read_file(path: String, workspace: Arc<Workspace>) -> String {
    path + &workspace.root.lock().unwrap()
}

fn main() {}
