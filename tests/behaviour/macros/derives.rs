//! `#[derive(Tool)]` and `#[derive(ToolEnum)]`: structs as arguments, and closed sets of them.

use std::fmt;
use std::path::PathBuf;

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::permission::{AllowAll, Verdict};
use toolwright::tools::{Typed, TypedTool};
use toolwright::{
    Content, Executor, FileAccess, PermissionRequest, RunTool, Tool, ToolContext, ToolEnum,
    ToolRegistry, testing,
};

use crate::support::judge;

/// Read a part of a file.
///
/// # Notes
///
/// For people.
#[derive(Debug, PartialEq, Tool)]
#[tool(
    name = "fs.read",
    read_only,
    aliases("cat"),
    timeout = "5s",
    needs(Root),
    permission = FileAccess::read(path).within(&ctx.require::<Root>()?.0)
)]
struct ReadFile {
    /// Path of the file.
    path: PathBuf,
    /// First line, counted from 1.
    #[arg(default = 1, range = 1..)]
    from: u32,
    limit: Option<u32>,
}

struct Root(PathBuf);

#[derive(Debug)]
struct ReadError(String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

impl RunTool for ReadFile {
    type Output = Result<String, ReadError>;

    async fn run(self, ctx: &ToolContext) -> Result<String, ReadError> {
        tokio::task::yield_now().await;
        let root = ctx
            .resource::<Root>()
            .ok_or_else(|| ReadError("no root".to_owned()))?;
        let text = std::fs::read_to_string(root.0.join(&self.path));
        let text = text.map_err(|error| ReadError(error.to_string()))?;
        let lines = text.lines().skip(self.from as usize - 1);
        Ok(lines
            .take(self.limit.map_or(usize::MAX, |limit| limit as usize))
            .collect::<Vec<_>>()
            .join("\n"))
    }
}

/// Tell the time.
#[derive(Debug, PartialEq, Tool)]
#[tool(read_only, register = false)]
struct Now;

impl RunTool for Now {
    type Output = &'static str;

    async fn run(self, _ctx: &ToolContext) -> &'static str {
        "noon"
    }
}

/// Remove a file.
#[derive(Debug, PartialEq, Tool)]
#[tool(name = "fs.remove", destructive)]
pub(crate) struct RemoveFile {
    path: String,
}

impl RunTool for RemoveFile {
    type Output = ();

    async fn run(self, _ctx: &ToolContext) {}
}

#[derive(Debug, PartialEq, ToolEnum)]
enum Files {
    Read(ReadFile),
    Now(Now),
    #[cfg(not(any()))]
    Remove(RemoveFile),
    #[cfg(any())]
    Never(Nothing),
}

#[tokio::test]
async fn a_struct_is_a_tool() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), "one\ntwo\nthree").unwrap();
    let registry = ToolRegistry::new()
        .with_type::<ReadFile>()
        .with(Typed::<Now>::new());
    let spec = registry.get("cat").unwrap().spec();
    assert_eq!(spec.description(), "Read a part of a file.");
    assert_eq!(spec.input_schema()["properties"]["from"]["minimum"], 1);
    assert_eq!(spec.input_schema()["required"], json!(["path"]));
    let error = Executor::new(registry.clone()).unwrap_err();
    assert!(error.to_string().contains("Root"), "{error}");
    let executor = Executor::builder(registry)
        .resource(Root(folder.path().to_owned()))
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    let call = |arguments: &'static str| executor.call("fs.read", arguments);
    assert_eq!(
        call(r#"{"path": "a", "from": 2, "limit": 1}"#).await.text(),
        "two"
    );
    assert_eq!(call(r#"{"path": "a"}"#).await.text(), "one\ntwo\nthree");
    assert!(
        call(r#"{"path": "b"}"#)
            .await
            .text()
            .contains("No such file")
    );
    let wrong = call(r#"{"pth": "a", "from": 0}"#).await;
    assert!(
        wrong.text().contains("did you mean `path`?"),
        "{}",
        wrong.text()
    );
    assert!(
        wrong
            .text()
            .contains("`/from`: expected an integer of at least 1"),
        "{}",
        wrong.text()
    );
    assert_eq!(executor.call("now", "").await.text(), "noon");
}

#[tokio::test]
async fn its_permission_sees_fields_and_context() {
    let seen = |request: &PermissionRequest| request.summary().to_owned();
    let checker = judge(
        |_| Verdict::Allow,
        move |_, request| Verdict::deny(seen(request)),
    );
    let executor = Executor::builder(ToolRegistry::new().with_type::<ReadFile>())
        .resource(Root("/tmp".into()))
        .permission_checker(checker)
        .build()
        .unwrap();
    let denied = executor.call("fs.read", r#"{"path": "a.txt"}"#).await;
    assert!(denied.text().contains("a.txt"), "{}", denied.text());
}

#[test]
fn s3_11_s3_13_a_call_becomes_a_value() {
    let read = ReadFile::from_arguments(&r#"{"path": "a", "from": 3}"#.into()).unwrap();
    assert_eq!(
        read,
        ReadFile {
            path: "a".into(),
            from: 3,
            limit: None
        }
    );
    let tree = json!({"path": "a"});
    assert_eq!(ReadFile::from_arguments(&tree.into()).unwrap().from, 1);
    let invalid = ReadFile::from_arguments(&r#"{"from": 0, "limit": "x"}"#.into()).unwrap_err();
    assert_eq!(invalid.problems().len(), 3, "{invalid}");
    assert_eq!(ReadFile::spec().name().as_str(), "fs.read");
}

#[test]
fn s3_09_a_set_knows_its_names_in_any_usual_spelling() {
    let path = r#"{"path": "a"}"#;
    for name in [
        "fs.read", "fs_read", "fsRead", "FS-READ", "FsRead", "cat", "Cat",
    ] {
        assert!(
            matches!(Files::parse(name, path), Ok(Files::Read(_))),
            "{name}"
        );
    }
    assert!(matches!(Files::parse("now", ""), Ok(Files::Now(Now))));
    let error = Files::parse("fs.raed", path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(
        error.message().contains("did you mean `fs.read`?"),
        "{error}"
    );
    let error = Files::parse("cat", "{}").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
}

#[tokio::test]
async fn a_set_is_exhaustive_and_runs() {
    let ctx = testing::context().build();
    for (name, expected) in [("now", "noon"), ("fs.remove", "")] {
        let call = Files::parse(
            name,
            if name == "now" {
                ""
            } else {
                r#"{"path": "a"}"#
            },
        )
        .unwrap();
        assert_eq!(call.spec().name().as_str(), name);
        let is_read = match &call {
            Files::Read(_) => true,
            Files::Now(_) | Files::Remove(_) => false,
        };
        assert!(!is_read);
        let output = call.run(&ctx).await.unwrap();
        assert_eq!(
            output
                .content()
                .first()
                .and_then(Content::as_text)
                .unwrap_or_default(),
            expected
        );
    }
    let names: Vec<&str> = Files::specs()
        .iter()
        .map(|spec| spec.name().as_str())
        .collect();
    assert_eq!(names, ["fs.read", "fs.remove", "now"]);
    let registry = ToolRegistry::new().with_enum::<Files>();
    assert_eq!(registry.len(), 3);
}
