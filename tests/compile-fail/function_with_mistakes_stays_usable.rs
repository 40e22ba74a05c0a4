use toolwright::{ToolRegistry, tool};

#[tool]
async fn read_file(path: String) -> String {
    path
}

async fn call() -> String {
    read_file(String::new()).await
}

fn main() {
    drop(call());
    drop(ToolRegistry::new().with(ReadFile));
}
