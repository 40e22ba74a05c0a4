#![deny(warnings)]
#![allow(private_interfaces)]

mod files {
    pub(crate) mod text {
        use toolwright::tool;

        #[derive(serde::Deserialize, schemars::JsonSchema)]
        struct Place(u32);

        /// Read a text file.
        #[tool]
        pub(crate) async fn read(#[arg(default = Place(1))] from: Place) -> u32 {
            from.0
        }

        /// Write a text file.
        #[tool]
        pub(in crate::nested::files) async fn write(text: String) -> usize {
            text.len()
        }
    }

    pub(crate) fn tools() -> toolwright::ToolRegistry {
        toolwright::ToolRegistry::new().with(text::Write)
    }
}

#[test]
fn program_runs() {
    let offset = 1;

    /// Add up.
    #[toolwright::tool(pure)]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    struct Counter;

    impl Counter {
        fn tools() -> toolwright::ToolRegistry {
            /// Count.
            #[toolwright::tool]
            fn count(numbers: Vec<i64>) -> usize {
                numbers.len()
            }
            toolwright::ToolRegistry::new().with(Count)
        }
    }

    let tools = Counter::tools().with(Add).with(files::text::Read);
    assert_eq!(tools.len() + files::tools().len(), 4);
    assert_eq!(add(offset, 2), 3);
}
