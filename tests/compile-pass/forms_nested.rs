//! Every form inside functions and modules, of any visibility, with types that are less public.

#![deny(warnings)]
#![allow(private_interfaces)]

mod outer {
    use toolwright::{RunTool, Tool, ToolContext, ToolEnum, tool, tool_type, toolset};

    #[tool_type]
    #[derive(Debug, Clone)]
    struct Hidden {
        #[arg(default = 1, range = 1..)]
        number: u32,
    }

    #[tool_type]
    #[derive(Debug, Clone)]
    enum Choice {
        One(Hidden),
        Other {
            #[arg(length = 1..)]
            text: String,
        },
    }

    /// Give it back.
    #[tool]
    pub fn free(hidden: Hidden, choice: Option<Choice>) -> Hidden {
        let _ = choice;
        hidden
    }

    /// Give it back.
    #[derive(Debug, Tool)]
    #[tool(pure)]
    pub struct Public {
        hidden: Hidden,
        #[arg(default = Choice::One(Hidden { number: 1 }))]
        choice: Choice,
    }

    impl RunTool for Public {
        type Output = String;

        async fn run(self, _: &ToolContext) -> String {
            match self.choice {
                Choice::One(Hidden { number }) => format!("{number} {}", self.hidden.number),
                Choice::Other { text } => text,
            }
        }
    }

    /// Nothing.
    #[derive(Tool)]
    struct Private;

    impl RunTool for Private {
        type Output = Hidden;

        async fn run(self, _: &ToolContext) -> Hidden {
            Hidden { number: 1 }
        }
    }

    #[derive(ToolEnum)]
    pub(crate) enum Set {
        Public(Public),
        Private(Private),
    }

    pub mod inner {
        use super::*;

        pub(in crate::forms_nested::outer) struct Keeper(pub(super) u32);

        #[toolset(prefix = "keeper")]
        impl Keeper {
            /// Give it back.
            #[tool]
            pub fn give(&self, hidden: Hidden) -> Hidden {
                let _ = self.0;
                hidden
            }

            /// Give it back.
            #[tool]
            pub(super) async fn slow(&self, choice: Choice) -> Choice {
                choice
            }

            /// Give it back.
            #[tool]
            fn own(#[arg(default = Hidden { number: 2 })] hidden: Hidden) -> Hidden {
                hidden
            }
        }

        #[toolset(part = Part)]
        impl Keeper {
            /// Nothing.
            #[tool(name = "keeper.part")]
            fn part(&self) {}
        }
    }

    pub(super) fn tools() -> toolwright::ToolRegistry {
        toolwright::ToolRegistry::new()
            .with(Free)
            .with_enum::<Set>()
            .with_set(inner::Keeper(1))
            .with_part(inner::Part, std::sync::Arc::new(inner::Keeper(1)))
    }
}

fn inside() -> toolwright::ToolRegistry {
    use toolwright::{RunTool, Tool, ToolContext, ToolEnum, tool_type, toolset};

    #[tool_type]
    #[derive(Debug, Default)]
    struct Local {
        #[arg(default = 1, range = 1.., example = 3)]
        number: u32,
        #[arg(length = 1..)]
        text: Option<String>,
    }

    struct Keeper;

    #[toolset(part = Reading)]
    impl Keeper {
        /// Give it back.
        #[tool(permission = self.ask(&local.number))]
        fn give(&self, #[arg(default)] local: Local) -> Local {
            local
        }

        fn ask(&self, number: &u32) -> Option<toolwright::PermissionRequest> {
            let _ = number;
            None
        }
    }

    /// Give it back.
    #[derive(Tool)]
    struct Give {
        local: Local,
    }

    impl RunTool for Give {
        type Output = Local;

        async fn run(self, _: &ToolContext) -> Local {
            self.local
        }
    }

    #[derive(ToolEnum)]
    enum Set {
        Give(Give),
    }

    let names = Set::specs();
    assert_eq!(names.len(), 1);
    toolwright::ToolRegistry::new().with_part(Reading, std::sync::Arc::new(Keeper))
}

struct Counter;

impl Counter {
    fn tools() -> toolwright::ToolRegistry {
        struct Own(u32);

        #[toolwright::toolset]
        impl Own {
            /// Count.
            #[tool]
            fn count(&self) -> u32 {
                self.0
            }
        }

        toolwright::ToolRegistry::new().with_set(Own(1))
    }
}

#[test]
fn program_runs() {
    let tools = outer::tools();
    tools.check().unwrap();
    assert_eq!(tools.len(), 7);
    assert_eq!(inside().len() + Counter::tools().len(), 2);
    let found = toolwright::discover!().unwrap();
    let found: Vec<&str> = found.names().map(|name| name.as_str()).collect();
    // The others are those of `keys`, in the same binary.
    let all = [
        "add", "free", "give", "multiply", "private", "public", "sum",
    ];
    assert_eq!(found, all);
}
