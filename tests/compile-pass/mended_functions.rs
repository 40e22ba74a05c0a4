//! The mistakes of `compile-fail/*.rs` that its README compares with other crates, each after its author did as the text
//! says: a module has the name of the file with the mistake.

#![deny(warnings)]
#![allow(
    clippy::unwrap_used,
    reason = "a program that shows something stops at the first fault"
)]

use toolwright::permission::AllowAll;
use toolwright::{Executor, Tool, ToolRegistry};

/// "write a doc comment, such as .."
mod no_description {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "put `#[toolwright::tool_type]` on the type that lacks one of them"
mod argument_without_deserialize {
    #[toolwright::tool_type]
    pub struct Query {
        /// The words to find.
        text: String,
    }

    /// Searches the documents.
    #[toolwright::tool]
    pub async fn search(query: Query, limit: u32) -> String {
        query.text.repeat(limit as usize)
    }
}

/// "put `#[toolwright::tool_type]` on the type that lacks one of them"
mod argument_without_schema_inside {
    #[toolwright::tool_type]
    pub struct Query {
        /// The words to find.
        text: String,
    }

    /// Searches the documents.
    #[toolwright::tool]
    pub async fn search(queries: Option<Vec<Query>>, limit: u32) -> bool {
        queries.is_some_and(|all| all.iter().all(|query| query.text.is_empty())) && limit > 0
    }
}

/// "take `String`"
mod borrowed_str {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "take `Vec<String>`"
mod borrowed_slice {
    /// Reads text files.
    #[toolwright::tool]
    pub async fn read_file(paths: Vec<String>) -> String {
        paths.concat()
    }
}

/// "take `Option<String>`"
mod optional_str {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: Option<String>) -> String {
        path.unwrap_or_default()
    }
}

/// "write concrete types, or take a `&dyn Trait` from the app"
mod generic_function {
    pub trait Files: Send + Sync {
        fn read(&self, path: &str) -> String;
    }

    pub struct Upper;

    impl Files for Upper {
        fn read(&self, path: &str) -> String {
            path.to_uppercase()
        }
    }

    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String, files: &dyn Files) -> String {
        files.read(&path)
    }
}

/// "take what the model fills in by value, and what comes from the app as `&T`"
mod generic_lifetime {
    pub struct Workspace(pub &'static str);

    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String, workspace: &Workspace) -> String {
        path + workspace.0
    }
}

/// "name the parameter, and take it apart in the body"
mod tuple_pattern {
    /// Reads lines of a text file.
    #[toolwright::tool]
    pub async fn read_file(lines: (i32, i32)) -> i32 {
        let (from, to) = lines;
        from + to
    }
}

/// "write the type that the model's argument is read into"
mod impl_trait {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "write one such as `_path`, and `#[arg(name = "path")]` in front of it"
mod wildcard {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(#[arg(name = "path")] _path: String) -> bool {
        true
    }
}

/// "put `#[toolset]` on the `impl` block"
mod method {
    pub struct Workspace;

    #[toolwright::toolset]
    impl Workspace {
        /// Reads a text file.
        #[tool]
        async fn read_file(&self, path: String) -> String {
            path
        }
    }
}

/// "write a function that takes the value by reference"
mod self_in_a_free_function {
    pub struct Workspace(pub &'static str);

    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(workspace: &Workspace, path: String) -> String {
        path + workspace.0
    }
}

/// "remove `unsafe`, and check inside what has to hold"
mod unsafe_function {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> Result<String, String> {
        if path.is_empty() {
            return Err("the path is empty".to_owned());
        }
        Ok(path)
    }
}

/// "remove `const`"
mod const_function {
    /// Doubles a number.
    #[toolwright::tool]
    pub fn double(number: i64) -> i64 {
        2 * number
    }
}

/// "remove `extern "C"`"
mod extern_c {
    /// Doubles a number.
    #[toolwright::tool]
    pub fn double(number: i64) -> i64 {
        2 * number
    }
}

/// "put `#[toolwright::tool_type(result)]` on the type that lacks it"
mod not_returnable {
    #[toolwright::tool_type(result)]
    pub struct Found {
        /// The text that was found.
        text: String,
    }

    /// Searches the documents.
    #[toolwright::tool]
    pub async fn search(query: String) -> Found {
        Found { text: query }
    }
}

/// "implement `std::error::Error` for `NotFound`"
mod error_not_displayed {
    use std::fmt::{Display, Formatter, Result as FmtResult};

    #[derive(Debug)]
    pub struct NotFound;

    impl Display for NotFound {
        fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
            f.write_str("no document has these words")
        }
    }

    impl std::error::Error for NotFound {}

    /// Searches the documents.
    #[toolwright::tool]
    pub async fn search(query: String) -> Result<String, NotFound> {
        if query == "nothing" {
            Err(NotFound)
        } else {
            Ok(query)
        }
    }
}

/// "the keys are ..": there is none for a colour, and `metadata` takes what only the app reads.
mod unknown_key_without_a_near_one {
    /// Reads a text file.
    #[toolwright::tool(metadata(colour = "red"))]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "did you mean `read_only`?"
mod unknown_key {
    /// Reads a text file.
    #[toolwright::tool(read_only)]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "write `read_file`"
mod bad_name {
    /// Reads a text file.
    #[toolwright::tool(name = "read_file")]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "keep one of them"
mod repeated_key {
    /// Reads a text file.
    #[toolwright::tool(name = "fs.read")]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "put `#[derive(Tool)]` in its place"
mod on_a_struct {
    use toolwright::{RunTool, Tool, ToolContext};

    /// Reads a text file.
    #[derive(Tool)]
    pub struct ReadFile {
        /// The path of the file.
        path: String,
    }

    impl RunTool for ReadFile {
        type Output = String;

        async fn run(self, _ctx: &ToolContext) -> String {
            self.path
        }
    }
}

/// The value that is not `Send`, which the note points at, ends before the await.
mod future_not_send {
    use std::rc::Rc;

    /// Counts the words.
    #[toolwright::tool]
    pub async fn count(text: String) -> usize {
        let count = {
            let words = Rc::new(text);
            words.split(' ').count()
        };
        pause().await;
        count
    }

    async fn pause() {}
}

/// "name the tool's struct": `struct_name = ..`
mod struct_is_there_already {
    pub struct ReadFile;

    /// Reads a text file.
    #[toolwright::tool(read_only, struct_name = ReadFileTool)]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// Each of the five as its own text says.
mod five_mistakes {
    use std::sync::Mutex;

    pub struct Workspace {
        pub text: Mutex<String>,
    }

    /// Reads a text file.
    #[toolwright::tool(read_only, timeout = "10s")]
    pub async fn read_file(
        path: String,
        #[arg(range = 1..=10)] limit: usize,
        workspace: &Workspace,
    ) -> String {
        path + &workspace.text.lock().unwrap()[..limit]
    }
}

async fn runs(tools: ToolRegistry, arguments: &str, text: &str) {
    let name = tools.specs().next().unwrap().name().clone();
    let executor = Executor::builder(tools)
        .permission_checker(AllowAll)
        .resource(generic_lifetime::Workspace("!"))
        .resource(self_in_a_free_function::Workspace("?"))
        .resource_arc::<dyn generic_function::Files>(std::sync::Arc::new(generic_function::Upper))
        .resource(five_mistakes::Workspace {
            text: "four words of text".to_owned().into(),
        })
        .build()
        .unwrap();
    assert_eq!(
        executor.call(name.as_str(), arguments).await.text(),
        text,
        "{name}"
    );
}

fn one(tool: impl Tool) -> ToolRegistry {
    ToolRegistry::new().with(tool)
}

#[tokio::test]
async fn program_runs() {
    let path = r#"{"path": "a"}"#;
    runs(one(no_description::ReadFile), path, "a").await;
    runs(
        one(argument_without_deserialize::Search),
        r#"{"query": {"text": "a"}, "limit": 2}"#,
        "aa",
    )
    .await;
    runs(
        one(argument_without_schema_inside::Search),
        r#"{"queries": [{"text": ""}], "limit": 2}"#,
        "true",
    )
    .await;
    runs(one(borrowed_str::ReadFile), path, "a").await;
    runs(
        one(borrowed_slice::ReadFile),
        r#"{"paths": ["a", "b"]}"#,
        "ab",
    )
    .await;
    runs(one(optional_str::ReadFile), path, "a").await;
    runs(one(generic_function::ReadFile), path, "A").await;
    runs(one(generic_lifetime::ReadFile), path, "a!").await;
    runs(one(tuple_pattern::ReadFile), r#"{"lines": [1, 2]}"#, "3").await;
    runs(one(impl_trait::ReadFile), path, "a").await;
    runs(one(wildcard::ReadFile), path, "true").await;
    runs(ToolRegistry::new().with_set(method::Workspace), path, "a").await;
    runs(one(self_in_a_free_function::ReadFile), path, "a?").await;
    runs(one(unsafe_function::ReadFile), path, "a").await;
    runs(one(const_function::Double), r#"{"number": 2}"#, "4").await;
    runs(one(extern_c::Double), r#"{"number": 2}"#, "4").await;
    runs(
        one(not_returnable::Search),
        r#"{"query": "a"}"#,
        r#"{"text":"a"}"#,
    )
    .await;
    runs(
        one(error_not_displayed::Search),
        r#"{"query": "nothing"}"#,
        "no document has these words",
    )
    .await;
    runs(one(unknown_key_without_a_near_one::ReadFile), path, "a").await;
    runs(one(unknown_key::ReadFile), path, "a").await;
    runs(one(bad_name::ReadFile), path, "a").await;
    runs(one(repeated_key::ReadFile), path, "a").await;
    runs(
        ToolRegistry::new().with_type::<on_a_struct::ReadFile>(),
        path,
        "a",
    )
    .await;
    runs(one(future_not_send::Count), r#"{"text": "a b"}"#, "2").await;
    let _ = struct_is_there_already::ReadFile;
    runs(one(struct_is_there_already::ReadFileTool), path, "a").await;
    runs(
        one(five_mistakes::ReadFile),
        r#"{"path": "a ", "limit": 4}"#,
        "a four",
    )
    .await;
}
