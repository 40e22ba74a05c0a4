//! Every form as a `macro_rules` macro writes it, with every part from the one side and from the other.

#![deny(warnings)]

use toolwright::{
    FileAccess, RunTool, Tool, ToolContext, ToolEnum, ToolRegistry, tool, tool_type, toolset,
};

macro_rules! block {
    (
        $(#[$meta:meta])*
        $type:ident, $prefix:literal, $part:ident;
        $(#[doc = $doc:expr])* $name:ident($argument:ident: $ty:ty = $default:expr, $range:expr) -> $returned:ty;
        $ask:expr
    ) => {
        $(#[$meta])*
        struct $type(u32);

        #[toolset(prefix = $prefix)]
        impl $type {
            $(#[doc = $doc])*
            #[tool(permission = $ask)]
            async fn $name(
                &self,
                #[arg(default = $default, range = $range)] $argument: $ty,
                /// An argument of the macro's own.
                #[arg(default = "a", length = 1.., pattern = "a")]
                own: String,
                ctx: &ToolContext,
            ) -> Result<$returned, std::num::ParseIntError> {
                let _ = (own, ctx);
                Ok(($argument + self.0).into())
            }

            /// Ask for itself.
            #[tool(permission = self.ask(path))]
            fn by_itself(&self, path: String, $argument: Option<$ty>) -> usize {
                path.len() + $argument.map_or(0, |own| own as usize)
            }

            fn ask(&self, path: &str) -> toolwright::PermissionRequest {
                FileAccess::read(format!("{path}{}", self.0)).into_requests_of_one()
            }
        }

        #[toolset(part = $part)]
        impl $type {
            /// Take nothing.
            #[tool]
            fn nothing(&self) {}
        }
    };
}

trait OfOne {
    fn into_requests_of_one(self) -> toolwright::PermissionRequest;
}

impl OfOne for FileAccess {
    fn into_requests_of_one(self) -> toolwright::PermissionRequest {
        let mut requests =
            toolwright::permission::IntoRequests::into_requests(self).unwrap_or_default();
        requests.pop().unwrap()
    }
}

block! {
    #[derive(Debug)]
    Counter, "counter", Nothing;
    #[doc = concat!("Count", " up.")] count(from: u32 = 1 + 1, 1..=9) -> u64;
    FileAccess::read(format!("{from}"))
}

macro_rules! structure {
    (
        $name:ident, $tool:literal, $text:expr;
        $($field:ident: $ty:ty $(= $default:expr)?, $described:literal;)*
        => $output:ty, |$this:ident, $ctx:ident| $body:expr
    ) => {
        #[doc = $text]
        #[derive(Debug, Tool)]
        #[tool(name = $tool, validate = $name::judge)]
        struct $name {
            $(
                #[doc = $described]
                $(#[arg(default = $default)])?
                $field: $ty,
            )*
        }

        impl $name {
            fn judge($($field: &$ty),*) -> Result<(), String> {
                $(let _ = $field;)*
                Ok(())
            }
        }

        impl RunTool for $name {
            type Output = $output;

            async fn run(self, $ctx: &ToolContext) -> $output {
                let $this = self;
                $body
            }
        }
    };
}

structure! {
    Add, "math.add", "Add up.";
    a: i64, "The one.";
    b: i64 = 2, "The other.";
    => i64, |this, ctx| { let _ = ctx; this.a + this.b }
}
structure! {
    Say, "say", concat!("Say ", "something.");
    text: String = "hello", "What.";
    => String, |this, _ctx| this.text
}

macro_rules! set {
    ($name:ident { $($variant:ident($ty:ty)),* }) => {
        #[derive(Debug, ToolEnum)]
        enum $name {
            $($variant($ty)),*
        }
    };
}
set!(Set { Add(Add), Say(self::Say) });

macro_rules! types {
    (
        $(#[$meta:meta])*
        $name:ident { $($field:ident: $ty:ty = $default:expr, $range:expr, $example:expr;)* }
        $kind:ident { $($variant:ident { $inner:ident: $inside:ty }),* }
    ) => {
        #[tool_type]
        $(#[$meta])*
        struct $name {
            $(
                #[arg(default = $default, range = $range, example = $example)]
                $field: $ty,
            )*
            /// An argument of the macro's own.
            #[arg(length = 1.., default = "a")]
            own: String,
            #[arg(one_of("a", "b"))]
            optional: Option<String>,
            kind: $kind,
        }

        #[tool_type]
        enum $kind {
            $($variant { #[arg(length = 1..)] $inner: $inside },)*
            Own(#[arg(range = 1..)] u8),
        }
    };
}
types! {
    /// A type.
    #[derive(Debug)]
    Page { number: u32 = 1 + 1, 1..=9, 3; weight: f64 = 0.5, ..1.0, 0.25; }
    Kind { Text { text: String }, List { list: Vec<u8> } }
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text { text } => f.write_str(text),
            Self::List { list } => write!(f, "{list:?}"),
            Self::Own(own) => write!(f, "{own}"),
        }
    }
}

macro_rules! whole {
    ($item:item $block:item $structure:item) => {
        #[tool]
        $item

        #[toolset]
        $block

        #[tool_type]
        $structure
    };
}
whole! {
    /// Turn it.
    fn turn(page: Page, whole: Whole) -> String {
        format!("{page:?}{}", whole.number)
    }

    impl Whole {
        /// Tell.
        #[tool]
        fn tell(&self) -> u8 {
            self.number
        }
    }

    struct Whole {
        #[arg(default = 1, range = 1..)]
        number: u8,
    }
}

/// A crate with macros that write types for other crates, by a path that begins with `$crate`.
mod kit {
    pub use toolwright as runtime;

    macro_rules! of_kit {
        ($name:ident, $tool:ident, $set:ident) => {
            #[$crate::forms_by_macro::kit::runtime::tool_type(crate = $crate::forms_by_macro::kit::runtime)]
            #[derive(Debug)]
            struct $name {
                #[arg(default = 1, range = 1..)]
                number: u8,
            }

            /// A tool of the kit.
            #[derive($crate::forms_by_macro::kit::runtime::Tool)]
            #[tool(crate = $crate::forms_by_macro::kit::runtime)]
            struct $tool {
                part: $name,
            }

            impl $crate::forms_by_macro::kit::runtime::RunTool for $tool {
                type Output = u8;

                async fn run(self, _: &$crate::forms_by_macro::kit::runtime::ToolContext) -> u8 {
                    self.part.number
                }
            }

            #[derive($crate::forms_by_macro::kit::runtime::ToolEnum)]
            #[tool(crate = $crate::forms_by_macro::kit::runtime)]
            enum $set {
                One($tool),
            }

            #[$crate::forms_by_macro::kit::runtime::toolset(crate = $crate::forms_by_macro::kit::runtime)]
            impl $name {
                /// A number of the kit.
                #[tool]
                fn number(&self) -> u8 {
                    self.number
                }
            }
        };
    }
    pub(crate) use of_kit;
}
kit::of_kit!(Part, OfKit, KitSet);

#[tokio::test]
async fn program_runs() {
    let tools = ToolRegistry::new()
        .with_set(Counter(1))
        .with_part(Nothing, std::sync::Arc::new(Counter(1)))
        .with_enum::<Set>()
        .with_enum::<KitSet>()
        .with_set(Part { number: 7 })
        .with_set(Whole { number: 9 })
        .with(Turn);
    assert_eq!(
        tools.get("counter.count").unwrap().spec().description(),
        "Count up."
    );
    let executor = toolwright::Executor::builder(tools)
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    for (tool, arguments, expected) in [
        ("counter.count", "", "3"),
        ("counter.by_itself", r#"{"path": "ab", "from": 2}"#, "4"),
        ("nothing", "", ""),
        ("math.add", r#"{"a": 1}"#, "3"),
        ("say", "", "hello"),
        ("number", "", "7"),
        ("tell", "", "9"),
        ("of_kit", r#"{"part": {"number": 8}}"#, "8"),
        (
            "turn",
            r#"{"page": {"kind": {"Own": 1}}, "whole": {}}"#,
            r#"Page { number: 2, weight: 0.5, own: "a", optional: None, kind: 1 }1"#,
        ),
    ] {
        assert_eq!(
            executor.call(tool, arguments).await.text(),
            expected,
            "{tool}"
        );
    }
    for (tool, arguments) in [
        ("counter.count", r#"{"from": 10}"#),
        ("of_kit", r#"{"part": {"number": 0}}"#),
        ("turn", r#"{"page": {"kind": {"Own": 0}}, "whole": {}}"#),
        (
            "turn",
            r#"{"page": {"kind": {"Text": {"text": ""}}}, "whole": {}}"#,
        ),
    ] {
        assert!(
            !executor.call(tool, arguments).await.is_success(),
            "{tool} {arguments}"
        );
    }
}
