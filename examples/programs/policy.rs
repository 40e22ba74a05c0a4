//! A policy is data: rules, here in TOML, that allow, ask or deny. It explains each of its decisions.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use toolwright::{Executor, FileAccess, ToolCall, ToolRegistry, tool};
use toolwright_policy::PermissionPolicy;

const POLICY: &str = r#"
default = "ask"

[trees]
allowed = ["notes"]
forbidden = ["**/*.key"]

[[deny]]
reason = "the archive is closed"
writes = ["notes/archive"]
"#;

struct Root(PathBuf);

/// Read a file.
#[tool(name = "fs.read", read_only, permission = FileAccess::read(path).within(&root.0))]
fn read(path: PathBuf, root: &Root) -> std::io::Result<String> {
    fs::read_to_string(root.0.join(path))
}

/// Write a file.
#[tool(name = "fs.write", permission = FileAccess::write(path).within(&root.0))]
fn write(path: PathBuf, text: String, root: &Root) -> std::io::Result<()> {
    fs::write(root.0.join(path), text)
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    fs::create_dir_all(root.join("notes/archive"))?;
    fs::write(root.join("notes/archive/old"), "buy milk")?;

    let policy = Arc::new(PermissionPolicy::from_toml(POLICY, &root)?);
    let executor = Executor::builder(ToolRegistry::new().with(Read).with(Write))
        .resource(Root(root))
        .permission_checker(Arc::clone(&policy))
        .build()?;
    let session = executor.session("s-1");
    for (name, arguments) in [
        ("fs.read", r#"{"path": "notes/archive/old"}"#),
        ("fs.write", r#"{"path": "notes/archive/old", "text": ""}"#),
        ("fs.read", r#"{"path": "notes/../notes/my.key"}"#),
        ("fs.write", r#"{"path": "plan", "text": "rest"}"#),
    ] {
        let call = ToolCall::new(name, arguments);
        let preview = session.preview(&call)?;
        let explanation = policy.explain(&preview.call(), preview.requests());
        println!("> {name} {arguments}\n{explanation}");
        println!("The model reads: {}", session.call(call).await.text());
    }
    Ok(())
}
