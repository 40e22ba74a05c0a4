use toolwright::{Executor, tool};

/// Run a command.
#[tool]
async fn executor(command: String) -> String {
    command
}

fn main() {
    let _ = Executor::new(toolwright::ToolRegistry::new());
}
