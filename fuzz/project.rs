//! A project of a few files, and an executor with one tool that runs shell lines in it.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use tempfile::TempDir;
use toolwright::permission::CommandAccess;
use toolwright::{Executor, ToolCall, ToolRegistry, tool};
use toolwright_policy::PermissionPolicy;

/// The directory that all policies of this process speak of.
pub static ROOT: LazyLock<TempDir> = LazyLock::new(|| {
    let root = tempfile::tempdir().expect("a directory for the project");
    for folder in ["src/deep", "tests", "secrets", ".git"] {
        fs::create_dir_all(root.path().join(folder)).expect("a folder of the project");
    }
    for file in [
        "Cargo.toml",
        "README.md",
        "src/main.rs",
        "src/deep/a.rs",
        "secrets/token",
        ".env",
    ] {
        fs::write(root.path().join(file), "text\n").expect("a file of the project");
    }
    root
});

/// A policy, and an executor under it.
pub struct Project {
    pub policy: Arc<PermissionPolicy>,
    pub executor: Executor,
}

impl Project {
    /// `None` for a text that is no policy, or one that names tools which are not there.
    pub fn new(policy: &str) -> Option<Self> {
        let policy = Arc::new(PermissionPolicy::from_toml(policy, ROOT.path()).ok()?);
        let executor = Executor::builder(ToolRegistry::new().with(ShellRun))
            .permission_checker(Arc::clone(&policy))
            .build()
            .ok()?;
        Some(Self { policy, executor })
    }
}

/// Run a shell line.
#[tool(name = "shell.run", permission = CommandAccess::shell(command).in_directory(directory))]
fn shell_run(command: String, directory: PathBuf) -> usize {
    command.len() + directory.as_os_str().len()
}

/// The call that runs a line in the project.
pub fn shell_call(line: &str) -> ToolCall<'static> {
    let arguments = serde_json::json!({ "command": line, "directory": ROOT.path() });
    ToolCall::new("shell.run", arguments)
}
