use toolwright::{PermissionRequest, tool};

fn consume(path: String) -> PermissionRequest {
    PermissionRequest::new("deploy", path, "Deploy")
}

/// Read a text file.
#[tool(permission = consume(path))]
async fn read_file(path: String) {
    let _ = path;
}

fn main() {}
