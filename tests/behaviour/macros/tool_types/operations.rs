//! A call that does several things, each named by a tag.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::content::ErrorKind;
use toolwright::tools::TypedTool;
use toolwright::{
    Content, Executor, FileAccess, RunTool, Tool, ToolContext, ToolError, ToolOutput, ToolRegistry,
    tool_type,
};

use super::call;
use crate::support::{place, places};

/// Read several things at once: parts of files, directories and images.
#[derive(Debug, Tool)]
#[tool(register = false,
    name = "fs.read_many",
    read_only,
    needs(Root),
    permission = operations
        .iter()
        .map(|operation| Ok(FileAccess::read(operation.path()).within(&ctx.require::<Root>()?.0)))
        .collect::<Result<Vec<_>, ToolError>>(),
    examples({"operations": [{"mode": "line", "path": "a.txt"}, {"mode": "image", "path": "a.png"}]})
)]
struct ReadMany {
    /// Things to read, in this order.
    #[arg(length = 1..=8)]
    operations: Vec<Operation>,
}

/// A thing to read.
#[tool_type]
#[derive(Debug)]
#[serde(tag = "mode", rename_all = "snake_case")]
enum Operation {
    /// Read a range of lines of a text file.
    Line {
        /// Path of the file.
        path: PathBuf,
        /// First line, counted from 1.
        #[arg(default = 1, range = 1..)]
        from: usize,
        /// Last line; the end of the file when absent.
        #[arg(range = 1..)]
        to: Option<usize>,
    },
    /// List a directory.
    Directory {
        /// Path of the directory.
        path: PathBuf,
    },
    /// Look at an image.
    Image(Image),
}

/// The place of an image.
#[tool_type]
#[derive(Debug)]
struct Image {
    /// Path of the image.
    path: PathBuf,
    /// The kind of the image.
    #[arg(default = "image/png", pattern = "^image/")]
    media_type: String,
}

struct Root(PathBuf);

impl Operation {
    fn path(&self) -> &Path {
        match self {
            Self::Line { path, .. } | Self::Directory { path } => path,
            Self::Image(image) => &image.path,
        }
    }

    fn read(&self, root: &Root) -> Result<Content, std::io::Error> {
        let path = root.0.join(self.path());
        match self {
            Self::Line { from, to, .. } => {
                let text = std::fs::read_to_string(path)?;
                let lines = text.lines().take(to.unwrap_or(usize::MAX)).skip(from - 1);
                Ok(Content::text(lines.collect::<Vec<_>>().join("\n")))
            }
            Self::Directory { .. } => {
                let entries = std::fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
                let mut names: Vec<_> = entries.iter().map(std::fs::DirEntry::file_name).collect();
                names.sort();
                let names: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
                Ok(Content::json(&json!({"entries": names}))?)
            }
            Self::Image(image) => Ok(Content::image(std::fs::read(path)?, &image.media_type)),
        }
    }
}

impl RunTool for ReadMany {
    type Output = Result<ToolOutput, ToolError>;

    async fn run(self, ctx: &ToolContext) -> Self::Output {
        let root = ctx.require::<Root>()?;
        let contents = self.operations.iter().map(|operation| {
            operation.read(root).map_err(|error| {
                ToolError::not_found(format!("{}: {}", operation.path().display(), error.kind()))
            })
        });
        contents.collect()
    }
}

/// A white point, as PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nnot much of an image";

fn with_files() -> (tempfile::TempDir, Executor) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "one\ntwo\nthree\nfour\n").unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("sub/b.txt"), "").unwrap();
    std::fs::write(folder.path().join("sub/a.png"), PNG).unwrap();
    let builder = Executor::builder(ToolRegistry::new().with_type::<ReadMany>());
    let builder = builder.resource(Root(folder.path().to_owned()));
    let executor = builder
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    (folder, executor)
}

#[tokio::test]
async fn s3_12_one_call_reads_lines_a_directory_and_an_image() {
    let (_folder, executor) = with_files();
    let operations = json!({"operations": [
        {"mode": "line", "path": "a.txt", "from": 2, "to": 3},
        {"mode": "directory", "path": "sub"},
        {"path": "sub/a.png", "mode": "image"},
    ]});
    let outcome = call(&executor, "fs.read_many", &operations).await;
    assert!(outcome.is_success(), "{}", outcome.text());
    let [lines, directory, image] = outcome.result().content() else {
        panic!("{:?}", outcome.result());
    };
    assert_eq!(lines.as_text(), Some("two\nthree"));
    let expected = json!({"entries": ["a.png", "b.txt"]});
    assert_eq!(*directory, Content::json(&expected).unwrap());
    assert_eq!(*image, Content::image(PNG, "image/png"));
}

#[test]
fn s3_12_the_docs_of_each_operation_are_in_the_schema() {
    let schema = ReadMany::spec().input_schema();
    let operations = &schema["properties"]["operations"];
    assert_eq!(operations["description"], "Things to read, in this order.");
    assert_eq!(operations["maxItems"], 8);
    let branches = operations["items"]["anyOf"].as_array().unwrap();
    let told: Vec<(&Value, &Value, &Value)> = branches
        .iter()
        .map(|branch| {
            assert_eq!(branch["additionalProperties"], false);
            let properties = &branch["properties"];
            (
                &properties["mode"]["enum"][0],
                &branch["description"],
                &properties["path"]["description"],
            )
        })
        .collect();
    assert_eq!(
        told[0],
        (
            &json!("line"),
            &json!("Read a range of lines of a text file."),
            &json!("Path of the file.")
        )
    );
    assert_eq!(
        told[1],
        (
            &json!("directory"),
            &json!("List a directory."),
            &json!("Path of the directory.")
        )
    );
    assert_eq!(
        (told[2].0, told[2].2),
        (&json!("image"), &json!("Path of the image."))
    );
    assert!(
        told[2].1.as_str().unwrap().starts_with("Look at an image."),
        "{}",
        told[2].1
    );
    let line = &branches[0];
    assert_eq!(line["required"], json!(["mode", "path"]));
    assert_eq!(line["properties"]["from"]["default"], 1);
    assert_eq!(line["properties"]["to"]["minimum"], 1);
    toolwright::testing::assert_no_lints(&ToolRegistry::new().with_type::<ReadMany>());
}

#[tokio::test]
async fn s3_12_what_is_wrong_with_one_operation_is_told_at_its_place() {
    use ProblemKind::{Constraint, Missing, Type, Unknown};
    let (_folder, executor) = with_files();
    let good = json!({"mode": "directory", "path": "sub"});
    for (bad, kind, at) in [
        (
            json!({"mode": "line", "path": "a.txt", "from": 0}),
            Constraint,
            "/from",
        ),
        (
            json!({"mode": "line", "path": "a.txt", "form": 1}),
            Unknown,
            "/form",
        ),
        (json!({"mode": "line", "path": 1}), Type, "/path"),
        (json!({"mode": "lines", "path": "a.txt"}), Type, "/mode"),
        (json!({"path": "a.txt"}), Missing, "/mode"),
        (json!({"mode": "directory"}), Missing, "/path"),
        (
            json!({"mode": "image", "path": "a", "media_type": "text/plain"}),
            Constraint,
            "/media_type",
        ),
    ] {
        let outcome = call(
            &executor,
            "fs.read_many",
            &json!({"operations": [good, bad]}),
        )
        .await;
        let pointer = format!("/operations/1{at}");
        assert_eq!(
            places(&outcome),
            [place(kind, &pointer)],
            "{}",
            outcome.text()
        );
    }
    for none in [
        json!({"operations": []}),
        json!({"operations": vec![good.clone(); 9]}),
    ] {
        let outcome = call(&executor, "fs.read_many", &none).await;
        assert_eq!(places(&outcome), [place(Constraint, "/operations")]);
    }
    let missing = json!({"operations": [good, {"mode": "line", "path": "nope"}]});
    let outcome = call(&executor, "fs.read_many", &missing).await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::NotFound);
    assert!(outcome.text().starts_with("nope: "), "{}", outcome.text());
}
