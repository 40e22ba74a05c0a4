//! Mistakes with parameters, each after its author did as the text says: a module has the name of the file in `compile-fail`.

#![deny(warnings)]

use toolwright::permission::AllowAll;
use toolwright::{Executor, Tool, ToolRegistry};

/// "take `Vec<String>`"
mod borrowed_list {
    /// Reads text files.
    #[toolwright::tool]
    pub async fn read_file(path: Vec<String>) -> String {
        path.concat()
    }
}

/// "take `Vec<u32>`"
mod borrowed_mutable_list {
    /// Sorts numbers.
    #[toolwright::tool]
    pub async fn sort(mut numbers: Vec<u32>) -> Vec<u32> {
        numbers.sort_unstable();
        numbers
    }
}

/// "take `u32`"
mod borrowed_number {
    /// Doubles a number.
    #[toolwright::tool]
    pub async fn double(number: u32) -> u32 {
        2 * number
    }
}

/// "take `String`"
mod borrowed_string {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: String) -> String {
        path
    }
}

/// "take `Option<String>`"
mod optional_borrowed_string {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(path: Option<String>) -> Option<String> {
        path
    }
}

/// "take `Vec<String>`"
mod list_behind_an_alias {
    /// Reads text files.
    #[toolwright::tool]
    pub async fn read_file(path: Vec<String>) -> usize {
        path.len()
    }
}

/// "take `u32`"
mod optional_number_behind_an_alias {
    type Count = u32;

    /// Reads lines of a text file.
    #[toolwright::tool]
    pub async fn read_file(path: Option<Count>) -> Option<Count> {
        path
    }
}

/// "take `String`"
mod string_behind_an_alias {
    type Title = String;

    /// Reads a note.
    #[toolwright::tool]
    pub async fn read_file(path: Title) -> Title {
        path
    }
}

/// "`range` begins at `1`"
mod default_outside_of_the_range {
    /// Reads lines of a text file.
    #[toolwright::tool]
    pub async fn read_file(#[arg(default = 1, range = 1..=100)] value: u32) -> u32 {
        value
    }
}

/// "write `range = 1..=10`"
mod empty_range {
    /// Reads lines of a text file.
    #[toolwright::tool]
    pub async fn read_file(#[arg(range = 1..=10)] value: u32) -> u32 {
        value
    }
}

/// "`range` ends at `10`; change one of the two"
mod one_of_outside_of_the_range {
    /// Turns a picture.
    #[toolwright::tool]
    pub async fn turn(#[arg(range = 1..=30, one_of(20, 30))] degrees: u32) -> u32 {
        degrees
    }
}

/// "take `String`"
mod unsized_text {
    /// Counts the words.
    #[toolwright::tool]
    pub async fn count(text: String) -> usize {
        text.split_whitespace().count()
    }
}

/// "take `Option<Vec<u8>>`"
mod unsized_bytes_in_an_option {
    /// Counts the bytes.
    #[toolwright::tool]
    pub async fn count(bytes: Option<Vec<u8>>) -> usize {
        bytes.map_or(0, |bytes| bytes.len())
    }
}

/// "take a type that owns what it has"
mod undeclared_lifetime {
    #[toolwright::tool_type]
    pub struct Text {
        /// The words.
        text: String,
    }

    /// Counts the words.
    #[toolwright::tool]
    pub async fn count(text: Text) -> usize {
        text.text.split_whitespace().count()
    }
}

/// "write a value of it"
mod default_text_for_an_enum {
    #[toolwright::tool_type]
    pub enum Sort {
        Date,
        Size,
    }

    /// Lists the files.
    #[toolwright::tool]
    pub async fn list(#[arg(default = Sort::Date)] sort: Sort) -> bool {
        matches!(sort, Sort::Date)
    }
}

/// "write `#[arg(name = "file")]`"
mod serde_on_a_parameter {
    /// Reads a text file.
    #[toolwright::tool]
    pub async fn read_file(#[arg(name = "file")] path: String) -> String {
        path
    }
}

/// "name it otherwise"
mod given_struct_named_like_an_argument {
    #[toolwright::tool_type(argument)]
    pub struct City {
        /// The name of the city.
        name: String,
    }

    /// Tells the weather.
    #[toolwright::tool(struct_name = WeatherTool)]
    pub async fn weather(city: City) -> String {
        city.name
    }
}

/// "add `struct_name = WeatherTool`"
mod struct_named_like_the_result {
    #[toolwright::tool_type(result)]
    pub struct Weather {
        /// The temperature.
        degrees: i32,
    }

    /// Tells the weather.
    #[toolwright::tool(struct_name = WeatherTool)]
    pub async fn weather(city: String) -> Result<Vec<Weather>, String> {
        let degrees = i32::try_from(city.len()).map_err(|error| error.to_string())?;
        Ok(vec![Weather { degrees }])
    }
}

/// "add `struct_name = StringTool`"
mod struct_named_like_a_type_of_the_prelude {
    /// Measures a text.
    #[toolwright::tool(struct_name = StringTool)]
    pub fn string(text: String) -> usize {
        text.len()
    }
}

/// "put `#[toolset]` on the `impl` block": what makes the value is no tool.
mod method_with_self_as_its_result {
    pub struct Notes;

    #[toolwright::toolset]
    impl Notes {
        pub fn open() -> Self {
            Self
        }

        /// Reads a note.
        #[tool]
        fn read(&self, title: String) -> String {
            title
        }
    }
}

async fn runs(tools: ToolRegistry, arguments: &str, text: &str) {
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

fn one(tool: impl Tool) -> ToolRegistry {
    ToolRegistry::new().with(tool)
}

#[tokio::test]
async fn program_runs() {
    let path = r#"{"path": "a"}"#;
    runs(
        one(borrowed_list::ReadFile),
        r#"{"path": ["a", "b"]}"#,
        "ab",
    )
    .await;
    runs(
        one(borrowed_mutable_list::Sort),
        r#"{"numbers": [2, 1]}"#,
        "[1,2]",
    )
    .await;
    runs(one(borrowed_number::Double), r#"{"number": 2}"#, "4").await;
    runs(one(borrowed_string::ReadFile), path, "a").await;
    runs(one(optional_borrowed_string::ReadFile), path, "a").await;
    runs(
        one(list_behind_an_alias::ReadFile),
        r#"{"path": ["a", "b"]}"#,
        "2",
    )
    .await;
    runs(
        one(optional_number_behind_an_alias::ReadFile),
        r#"{"path": 2}"#,
        "2",
    )
    .await;
    runs(one(string_behind_an_alias::ReadFile), path, "a").await;
    runs(one(default_outside_of_the_range::ReadFile), "{}", "1").await;
    runs(one(empty_range::ReadFile), r#"{"value": 10}"#, "10").await;
    runs(
        one(one_of_outside_of_the_range::Turn),
        r#"{"degrees": 30}"#,
        "30",
    )
    .await;
    runs(one(unsized_text::Count), r#"{"text": "a b"}"#, "2").await;
    runs(
        one(unsized_bytes_in_an_option::Count),
        r#"{"bytes": [1, 2]}"#,
        "2",
    )
    .await;
    runs(
        one(undeclared_lifetime::Count),
        r#"{"text": {"text": "a b"}}"#,
        "2",
    )
    .await;
    runs(
        one(default_text_for_an_enum::List),
        r#"{"sort": "Size"}"#,
        "false",
    )
    .await;
    runs(one(default_text_for_an_enum::List), "{}", "true").await;
    runs(one(serde_on_a_parameter::ReadFile), r#"{"file": "a"}"#, "a").await;
    runs(
        one(given_struct_named_like_an_argument::WeatherTool),
        r#"{"city": {"name": "a"}}"#,
        "a",
    )
    .await;
    runs(
        one(struct_named_like_the_result::WeatherTool),
        r#"{"city": "ab"}"#,
        r#"[{"degrees":2}]"#,
    )
    .await;
    runs(
        one(struct_named_like_a_type_of_the_prelude::StringTool),
        r#"{"text": "ab"}"#,
        "2",
    )
    .await;
    runs(
        ToolRegistry::new().with_set(method_with_self_as_its_result::Notes::open()),
        r#"{"title": "a"}"#,
        "a",
    )
    .await;
}
