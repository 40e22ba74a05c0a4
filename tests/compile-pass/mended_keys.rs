//! Mistakes of `compile-fail/keys`, each after its author did as the text says: a module has the name of the file.

#![deny(warnings)]

use toolwright::permission::AllowAll;
use toolwright::{Executor, Tool, ToolRegistry};

/// "the doc comment is the description, so write `/// Reads a text file.`"
mod misspelt_description {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// The same.
mod description_of_a_number {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "`#[doc = ..]` takes `concat!(..)` and `include_str!(..)` too"
mod description_by_a_constant {
    #[doc = concat!("Reads a text ", "file.")]
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "the doc comment is the description, so write `/// Reads a text file.`"
mod description_without_a_doc_comment {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "remove `flatten`, and `path` is one argument of it"
mod flatten_a_text {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "take what is in it, or remove `flatten`"
mod flatten_an_option {
    #[toolwright::tool_type]
    pub struct Lines {
        /// The first line.
        first: u32,
    }

    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(#[arg(flatten)] lines: Lines) -> u32 {
        lines.first
    }

    /// Shows a text file.
    #[toolwright::tool]
    pub async fn show_file(lines: Option<Lines>) -> Option<u32> {
        lines.map(|lines| lines.first)
    }
}

/// "write what goes in it, such as `/// Path of the file.`"
mod undocumented_argument {
    /// Reads a text file.
    #[toolwright::tool(deny_undocumented)]
    pub async fn read_file(
        /// The path of the file.
        path: String,
        /// The first line.
        from: u32,
    ) -> String {
        format!("{path}{from}")
    }
}

/// "write it as a `for<'a> fn(&'a String) -> Result<(), String>`"
mod validate_by_value {
    #[allow(clippy::ptr_arg, reason = "the form that the text shows")]
    fn check(path: &String) -> Result<(), String> {
        if path.is_empty() {
            Err("the path is empty".to_owned())
        } else {
            Ok(())
        }
    }

    /// Reads a text file.
    #[toolwright::tool(validate = check)]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// The same.
mod validate_gives_nothing {
    fn check(path: &str) -> Result<(), String> {
        if path.is_empty() {
            Err("the path is empty".to_owned())
        } else {
            Ok(())
        }
    }

    /// Reads a text file.
    #[toolwright::tool(validate = check)]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// The same.
mod validate_is_async {
    fn check(path: &str) -> Result<(), String> {
        if path.is_empty() {
            Err("the path is empty".to_owned())
        } else {
            Ok(())
        }
    }

    /// Reads a text file.
    #[toolwright::tool(validate = check)]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// rustc shows both orders: that of the tool holds.
mod validate_in_another_order {
    fn check(path: &str, from: &u32) -> Result<(), String> {
        if path.len() < *from as usize {
            Err("the path is short".to_owned())
        } else {
            Ok(())
        }
    }

    /// Reads a text file.
    #[toolwright::tool(validate = check)]
    pub async fn read_file(path: String, from: u32) -> String {
        format!("{path}{from}")
    }
}

/// "write `team = "files"`"
mod colon_in_metadata {
    /// Reads a text file.
    #[toolwright::tool(metadata(team = "files"))]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "write `metadata(team = "files", tier = 2)`"
mod json_behind_metadata {
    /// Reads a text file.
    #[toolwright::tool(metadata(team = "files", tier = 2))]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "write `"path": "notes.txt"`"
mod equals_in_examples {
    /// Reads a text file.
    #[toolwright::tool(examples({"path": "notes.txt"}))]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "write `examples({"path":"notes.txt"})`"
mod json_behind_examples {
    /// Reads a text file.
    #[toolwright::tool(examples({"path":"notes.txt"}))]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "write `examples({"path":"a.txt"}, {"path":"b.txt"})`"
mod list_in_examples {
    /// Reads a text file.
    #[toolwright::tool(examples({"path":"a.txt"}, {"path":"b.txt"}))]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "write a Rust value"
mod json_as_a_default {
    #[toolwright::tool_type(argument)]
    pub struct Lines {
        /// The first line.
        first: u32,
    }

    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(#[arg(default = Lines { first: 1 })] lines: Lines) -> u32 {
        lines.first
    }
}

/// "write `pure`, `read_only` or `idempotent` by itself"
mod effect {
    /// Reads a text file.
    #[toolwright::tool(read_only)]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "write `one_of("asc", "desc")`"
mod enum_of_an_argument {
    /// Lists the files.
    #[toolwright::tool]
    pub async fn list(#[arg(one_of("name", "size"))] sort: String) -> String {
        sort
    }
}

/// "the doc comment is the description, so write `/// The path of the file.`"
mod help_of_an_argument {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(
        /// The path of the file.
        path: String,
    ) -> String {
        path
    }
}

/// "write `read_only`"
mod hyphened_key {
    /// Reads a text file.
    #[toolwright::tool(read_only)]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "write `name = "fs.read"`"
mod name_alone {
    /// Reads a text file.
    #[toolwright::tool(name = "fs.read")]
    pub async fn read_file(path: String) -> String {
        path
    }
}

async fn runs(tool: impl Tool, arguments: &str, text: &str) {
    let tools = ToolRegistry::new().with(tool);
    let name = tools.specs().next().unwrap().name().clone();
    let executor = Executor::builder(tools)
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    assert_eq!(
        executor.call(name.as_str(), arguments).await.text(),
        text,
        "{name}"
    );
}

#[tokio::test]
async fn program_runs() {
    let path = r#"{"path": "a"}"#;
    runs(misspelt_description::ReadFile, path, "a").await;
    runs(description_of_a_number::ReadFile, path, "a").await;
    runs(description_by_a_constant::ReadFile, path, "a").await;
    runs(description_without_a_doc_comment::ReadFile, path, "a").await;
    runs(flatten_a_text::ReadFile, path, "a").await;
    runs(flatten_an_option::ReadFile, r#"{"first": 1}"#, "1").await;
    runs(
        flatten_an_option::ShowFile,
        r#"{"lines": {"first": 1}}"#,
        "1",
    )
    .await;
    runs(
        undocumented_argument::ReadFile,
        r#"{"path": "a", "from": 1}"#,
        "a1",
    )
    .await;
    runs(validate_by_value::ReadFile, path, "a").await;
    runs(validate_gives_nothing::ReadFile, path, "a").await;
    runs(validate_is_async::ReadFile, path, "a").await;
    runs(
        validate_in_another_order::ReadFile,
        r#"{"path": "a", "from": 1}"#,
        "a1",
    )
    .await;
    runs(colon_in_metadata::ReadFile, path, "a").await;
    runs(json_behind_metadata::ReadFile, path, "a").await;
    runs(equals_in_examples::ReadFile, path, "a").await;
    runs(json_behind_examples::ReadFile, path, "a").await;
    runs(list_in_examples::ReadFile, path, "a").await;
    runs(json_as_a_default::ReadFile, "{}", "1").await;
    runs(effect::ReadFile, path, "a").await;
    runs(enum_of_an_argument::List, r#"{"sort": "size"}"#, "size").await;
    runs(help_of_an_argument::ReadFile, path, "a").await;
    runs(hyphened_key::ReadFile, path, "a").await;
    runs(name_alone::ReadFile, path, "a").await;
}
