//! Mistakes of `compile-fail/tool_type`, `derive_tool`, `toolset` and `tool_enum`, and with what a tool returns, each after its
//! author did as the text says: a module has the name of the file, in the folder's where there is one.

#![deny(warnings)]

use toolwright::permission::AllowAll;
use toolwright::{Executor, Tool, ToolRegistry};

mod tool_type {
    /// "`range` begins at `1`"
    pub mod default_outside_of_the_range {
        #[toolwright::tool_type]
        pub struct Lines {
            /// The first line.
            #[arg(default = 1, range = 1..)]
            first: u32,
        }

        /// Reads lines.
        #[toolwright::tool]
        pub fn read(lines: Lines) -> Lines {
            lines
        }
    }

    /// "remove `flatten`"
    pub mod flattened_text {
        #[toolwright::tool_type]
        pub struct Page {
            /// The number of the page.
            number: u32,
            /// The title of the page.
            title: String,
        }

        /// Reads a page.
        #[toolwright::tool]
        pub fn read(page: Page) -> Page {
            page
        }
    }

    /// "`length` begins at `5`; change one of the two"
    pub mod one_of_against_the_length {
        #[toolwright::tool_type]
        pub struct Order {
            /// The order of the lines.
            #[arg(length = 4.., one_of("ascending", "desc"))]
            order: String,
        }

        /// Sorts lines.
        #[toolwright::tool]
        pub fn sort(by: Order) -> Order {
            by
        }
    }

    /// "write what goes in it, such as `/// Path of the file.`"
    pub mod undocumented_field {
        #[toolwright::tool_type(deny_undocumented)]
        pub struct Page {
            /// The number of the page, counted from 1.
            number: u32,
            /// The title of the page.
            title: String,
        }

        /// Reads a page.
        #[toolwright::tool]
        pub fn read(page: Page) -> Page {
            page
        }
    }

    /// "put `#[tool_type]` on `Line`"
    pub mod field_without_the_derives {
        #[toolwright::tool_type]
        pub struct Line(u32);

        #[toolwright::tool_type]
        pub struct Lines {
            /// The first line.
            first: Line,
        }

        /// Reads lines.
        #[toolwright::tool]
        pub fn read(lines: Lines) -> Lines {
            lines
        }
    }

    /// The same.
    pub mod part_behind_an_alias {
        #[toolwright::tool_type]
        pub struct Line(u32);

        type Found = Option<Line>;

        #[toolwright::tool_type]
        pub struct Lines {
            /// The first line.
            first: Found,
        }

        /// Reads lines.
        #[toolwright::tool]
        pub fn read(lines: Lines) -> Lines {
            lines
        }
    }

    /// The same.
    pub mod part_inside_of_others {
        use std::collections::BTreeMap;

        #[toolwright::tool_type]
        pub struct Line(u32);

        #[toolwright::tool_type]
        pub struct Lines {
            /// The lines, each list by its name.
            by_name: BTreeMap<String, Vec<Option<Line>>>,
            /// More of them.
            inside: Option<Box<Lines>>,
        }

        /// Gives the lines inside.
        #[toolwright::tool]
        pub async fn inside(lines: Lines) -> Option<Lines> {
            lines.inside.map(|inside| *inside)
        }
    }

    /// The same, for what a tool returns.
    pub mod part_of_a_result {
        #[toolwright::tool_type(result)]
        pub struct Line(u32);

        #[toolwright::tool_type(result)]
        pub struct Lines {
            /// The first line.
            first: Line,
        }

        /// Reads a line.
        #[toolwright::tool]
        pub fn read(number: u32) -> Lines {
            Lines {
                first: Line(number),
            }
        }
    }

    /// The same, for what a tool takes.
    pub mod part_of_an_enum {
        #[toolwright::tool_type(argument)]
        pub struct Line(u32);

        #[toolwright::tool_type(argument)]
        #[serde(tag = "kind")]
        pub enum Place {
            Line {
                /// The line.
                line: Line,
            },
            End,
        }

        /// Goes to a place.
        #[toolwright::tool]
        pub fn go(place: Place) -> u32 {
            match place {
                Place::Line { line } => line.0,
                Place::End => 0,
            }
        }
    }
}

mod derive_tool {
    /// "`cleanup` sees `session` and what the app lends"
    pub mod cleanup_by_the_arguments {
        use toolwright::id::SessionId;
        use toolwright::{RunTool, Tool, ToolContext};

        pub struct Drafts;

        impl Drafts {
            fn forget(&self, _session: &SessionId) {}
        }

        /// Writes a draft.
        #[derive(Tool)]
        #[tool(needs(Drafts), cleanup = ctx.require::<Drafts>()?.forget(session))]
        pub struct WriteDraft {
            /// The text of the draft.
            text: String,
        }

        impl RunTool for WriteDraft {
            type Output = String;

            async fn run(self, _ctx: &ToolContext) -> String {
                self.text
            }
        }
    }

    /// "remove `flatten`, and `paths` is one argument of it"
    pub mod flatten_a_list {
        use toolwright::{RunTool, Tool, ToolContext};

        /// Reads text files.
        #[derive(Tool)]
        pub struct ReadFiles {
            /// The paths of the files.
            paths: Vec<String>,
        }

        impl RunTool for ReadFiles {
            type Output = usize;

            async fn run(self, _: &ToolContext) -> usize {
                self.paths.len()
            }
        }
    }

    /// "`range` ends at `10`; change one of the two"
    pub mod one_of_outside_of_the_range {
        use toolwright::{RunTool, Tool, ToolContext};

        /// Turns a picture.
        #[derive(Tool)]
        pub struct Turn {
            /// The angle.
            #[arg(range = 1..=20, one_of(5, 20))]
            degrees: u32,
        }

        impl RunTool for Turn {
            type Output = u32;

            async fn run(self, _: &ToolContext) -> u32 {
                self.degrees
            }
        }
    }

    /// "write what goes in it, such as `/// Path of the file.`"
    pub mod undocumented_field {
        use toolwright::{RunTool, Tool, ToolContext};

        /// Reads a text file.
        #[derive(Tool)]
        #[tool(deny_undocumented)]
        pub struct ReadFile {
            /// The path of the file.
            path: String,
        }

        impl RunTool for ReadFile {
            type Output = String;

            async fn run(self, _: &ToolContext) -> String {
                self.path
            }
        }
    }

    /// "write it as a `for<'a, 'b> fn(&'a String, &'b u32) -> Result<(), String>`"
    pub mod validate_takes_self {
        use toolwright::{RunTool, Tool, ToolContext};

        /// Reads a text file.
        #[derive(Tool)]
        #[tool(validate = Self::check)]
        pub struct ReadFile {
            /// The path of the file.
            path: String,
            /// The first line.
            from: u32,
        }

        impl ReadFile {
            fn check(path: &str, from: &u32) -> Result<(), String> {
                if path.len() < *from as usize {
                    Err("the path is short".to_owned())
                } else {
                    Ok(())
                }
            }
        }

        impl RunTool for ReadFile {
            type Output = String;

            async fn run(self, _: &ToolContext) -> String {
                format!("{}{}", self.path, self.from)
            }
        }
    }

    /// "own it"
    pub mod lifetime {
        use toolwright::{RunTool, Tool, ToolContext};

        /// Reads a text file.
        #[derive(Tool)]
        pub struct ReadFile {
            /// The path of the file.
            path: String,
        }

        impl RunTool for ReadFile {
            type Output = String;

            async fn run(self, _: &ToolContext) -> String {
                self.path
            }
        }
    }

    /// "let its fields own what they have, as with `String`, or write `'static` in them"
    pub mod lifetime_of_a_cow {
        use std::borrow::Cow;
        use toolwright::{RunTool, Tool, ToolContext};

        /// Reads a text file.
        #[derive(Tool)]
        pub struct ReadFile {
            /// The path of the file.
            path: Cow<'static, str>,
        }

        impl RunTool for ReadFile {
            type Output = String;

            async fn run(self, _: &ToolContext) -> String {
                self.path.into_owned()
            }
        }
    }
}

mod toolset {
    /// "take `Vec<String>`"
    pub mod borrowed_list {
        pub struct Notes;

        #[toolwright::toolset]
        impl Notes {
            /// Reads some notes.
            #[tool]
            async fn read(&self, titles: Vec<String>) -> usize {
                titles.len()
            }
        }
    }

    /// "take `String`"
    pub mod string_behind_an_alias {
        pub struct Notes;

        type Title = String;

        #[toolwright::toolset]
        impl Notes {
            /// Reads a note.
            #[tool]
            async fn read(&self, title: Title) -> usize {
                title.len()
            }
        }
    }

    /// "write what goes in it, such as `/// Path of the file.`"
    pub mod undocumented_argument {
        pub struct Notes;

        #[toolwright::toolset(deny_undocumented)]
        impl Notes {
            /// Reads a note.
            #[tool]
            async fn read(
                &self,
                /// The title of the note.
                title: String,
            ) -> String {
                title
            }
        }
    }

    /// "write it as a `for<'a> fn(&'a String) -> Result<(), String>`"
    pub mod validate_by_value {
        pub struct Notes;

        #[toolwright::toolset]
        impl Notes {
            fn check(title: &str) -> Result<(), String> {
                if title.is_empty() {
                    Err("the title is empty".to_owned())
                } else {
                    Ok(())
                }
            }

            /// Reads a note.
            #[tool(validate = Self::check)]
            async fn read(&self, title: String) -> String {
                title
            }
        }
    }

    /// "write `metadata(team = "notes")`"
    pub mod json_behind_metadata {
        pub struct Notes;

        #[toolwright::toolset]
        impl Notes {
            /// Finds notes.
            #[tool(metadata(team = "notes"))]
            async fn find(&self, text: String) -> String {
                text
            }
        }
    }

    /// "give one of them another name"
    pub mod two_methods_of_one_name {
        pub struct Notes;

        #[toolwright::toolset(prefix = "notes")]
        impl Notes {
            /// Reads a note.
            #[tool(read_only)]
            async fn read(&self, name: String) -> String {
                name
            }

            /// Shows a note.
            #[tool(name = "show", read_only)]
            async fn show(&self, name: String) -> String {
                name
            }
        }
    }
}

mod tool_enum {
    /// "give one of the two another `name`"
    pub mod two_tools_of_one_name {
        use toolwright::{RunTool, Tool, ToolContext, ToolEnum};

        /// Reads a text file.
        #[derive(Tool)]
        pub struct ReadFile {
            /// The path of the file.
            path: String,
        }

        impl RunTool for ReadFile {
            type Output = String;

            async fn run(self, _: &ToolContext) -> String {
                self.path
            }
        }

        /// Shows a text file.
        #[derive(Tool)]
        #[tool(name = "show_file")]
        pub struct ShowFile {
            /// The path of the file.
            path: String,
        }

        impl RunTool for ShowFile {
            type Output = String;

            async fn run(self, _: &ToolContext) -> String {
                self.path
            }
        }

        #[derive(ToolEnum)]
        #[allow(dead_code, reason = "the registry reads the set")]
        pub enum Files {
            Read(ReadFile),
            Show(ShowFile),
        }
    }
}

/// "make it `async fn read_file(..) -> String`"
mod boxed_future_returned {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "return `Vec<String>`, with `.collect()`"
mod iterator_returned {
    /// Lists the words.
    #[toolwright::tool]
    pub async fn words(text: String) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }
}

/// The same.
mod iterator_by_its_type_returned {
    /// Lists the words.
    #[toolwright::tool]
    pub async fn words(text: String) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }
}

/// "return `Result<Option<String>, std::io::Error>`": "`.transpose()` makes it"
mod option_of_a_result {
    /// Reads a text file, if there is one.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> Result<Option<String>, std::io::Error> {
        Some(std::fs::read_to_string(path)).transpose()
    }
}

/// "write `'static`"
mod undeclared_lifetime_of_the_result {
    /// Tells the version.
    #[toolwright::tool]
    pub async fn version() -> &'static str {
        "1.0"
    }
}

/// By `ToolError::from_source`, which makes one of any error.
mod question_mark_into_the_tool_error {
    use std::fmt::{Display, Formatter, Result as FmtResult};
    use toolwright::ToolError;

    #[derive(Debug)]
    struct NotFound;

    impl Display for NotFound {
        fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
            f.write_str("there is no such file")
        }
    }

    impl std::error::Error for NotFound {}

    fn find(path: &str) -> Result<String, NotFound> {
        if path.is_empty() {
            Err(NotFound)
        } else {
            Ok(path.to_owned())
        }
    }

    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> Result<String, ToolError> {
        find(&path).map_err(ToolError::from_source)
    }
}

async fn runs(tools: ToolRegistry, arguments: &str, text: &str) {
    let name = tools.specs().next().unwrap().name().clone();
    let executor = Executor::builder(tools)
        .permission_checker(AllowAll)
        .resource(derive_tool::cleanup_by_the_arguments::Drafts)
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
    runs(
        one(tool_type::default_outside_of_the_range::Read),
        r#"{"lines": {}}"#,
        r#"{"first":1}"#,
    )
    .await;
    let page = r#"{"page": {"number": 1, "title": "a"}}"#;
    runs(
        one(tool_type::flattened_text::Read),
        page,
        r#"{"number":1,"title":"a"}"#,
    )
    .await;
    runs(
        one(tool_type::one_of_against_the_length::Sort),
        r#"{"by": {"order": "desc"}}"#,
        r#"{"order":"desc"}"#,
    )
    .await;
    runs(
        one(tool_type::undocumented_field::Read),
        page,
        r#"{"number":1,"title":"a"}"#,
    )
    .await;
    let lines = r#"{"lines": {"first": 1}}"#;
    runs(
        one(tool_type::field_without_the_derives::Read),
        lines,
        r#"{"first":1}"#,
    )
    .await;
    runs(
        one(tool_type::part_behind_an_alias::Read),
        lines,
        r#"{"first":1}"#,
    )
    .await;
    runs(
        one(tool_type::part_inside_of_others::Inside),
        r#"{"lines": {"by_name": {}, "inside": {"by_name": {"a": [1, null]}}}}"#,
        r#"{"by_name":{"a":[1,null]},"inside":null}"#,
    )
    .await;
    runs(
        one(tool_type::part_of_a_result::Read),
        r#"{"number": 1}"#,
        r#"{"first":1}"#,
    )
    .await;
    runs(
        one(tool_type::part_of_an_enum::Go),
        r#"{"place": {"kind": "Line", "line": 1}}"#,
        "1",
    )
    .await;

    let typed = ToolRegistry::new;
    runs(
        typed().with_type::<derive_tool::cleanup_by_the_arguments::WriteDraft>(),
        r#"{"text": "a"}"#,
        "a",
    )
    .await;
    runs(
        typed().with_type::<derive_tool::flatten_a_list::ReadFiles>(),
        r#"{"paths": ["a"]}"#,
        "1",
    )
    .await;
    runs(
        typed().with_type::<derive_tool::one_of_outside_of_the_range::Turn>(),
        r#"{"degrees": 20}"#,
        "20",
    )
    .await;
    runs(
        typed().with_type::<derive_tool::undocumented_field::ReadFile>(),
        path,
        "a",
    )
    .await;
    runs(
        typed().with_type::<derive_tool::validate_takes_self::ReadFile>(),
        r#"{"path": "a", "from": 1}"#,
        "a1",
    )
    .await;
    runs(
        typed().with_type::<derive_tool::lifetime::ReadFile>(),
        path,
        "a",
    )
    .await;
    runs(
        typed().with_type::<derive_tool::lifetime_of_a_cow::ReadFile>(),
        path,
        "a",
    )
    .await;

    runs(
        typed().with_set(toolset::borrowed_list::Notes),
        r#"{"titles": ["a"]}"#,
        "1",
    )
    .await;
    runs(
        typed().with_set(toolset::string_behind_an_alias::Notes),
        r#"{"title": "a"}"#,
        "1",
    )
    .await;
    runs(
        typed().with_set(toolset::undocumented_argument::Notes),
        r#"{"title": "a"}"#,
        "a",
    )
    .await;
    runs(
        typed().with_set(toolset::validate_by_value::Notes),
        r#"{"title": "a"}"#,
        "a",
    )
    .await;
    runs(
        typed().with_set(toolset::json_behind_metadata::Notes),
        r#"{"text": "a"}"#,
        "a",
    )
    .await;
    runs(
        typed().with_set(toolset::two_methods_of_one_name::Notes),
        r#"{"name": "a"}"#,
        "a",
    )
    .await;
    runs(
        typed().with_enum::<tool_enum::two_tools_of_one_name::Files>(),
        path,
        "a",
    )
    .await;

    runs(one(boxed_future_returned::ReadFile), path, "a").await;
    runs(
        one(iterator_returned::Words),
        r#"{"text": "a b"}"#,
        r#"["a","b"]"#,
    )
    .await;
    runs(
        one(iterator_by_its_type_returned::Words),
        r#"{"text": "a b"}"#,
        r#"["a","b"]"#,
    )
    .await;
    runs(
        one(option_of_a_result::ReadFile),
        r#"{"path": "/dev/null"}"#,
        "",
    )
    .await;
    runs(one(undeclared_lifetime_of_the_result::Version), "{}", "1.0").await;
    runs(one(question_mark_into_the_tool_error::ReadFile), path, "a").await;
}
