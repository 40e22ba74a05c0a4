//! Tools that a `macro_rules` macro writes, with every part from the one side and from the other.

#![deny(warnings)]
#![allow(private_interfaces)]

use toolwright::{FileAccess, Tool, ToolRegistry, tool};

struct Workspace(String);

macro_rules! fixed {
    () => {
        /// Read a text file.
        #[tool(permission = FileAccess::read(path.as_str()))]
        async fn fixed(
            #[arg(default = "a", length = 1.., pattern = "a")] path: String,
            limit: Option<u32>,
            workspace: &Workspace,
        ) -> Result<String, std::io::Error> {
            let _ = limit;
            Ok(path + &workspace.0)
        }
    };
}
fixed!();

macro_rules! parts {
    (
        $(#[$meta:meta])*
        $visibility:vis $name:ident($argument:ident: $type:ty = $default:expr, $range:expr; $lent:ident: $resource:ty)
            -> $returned:ty, $error:path;
        $tool:literal, $ask:expr, $timeout:literal, $text:expr
    ) => {
        $(#[$meta])*
        #[doc = $text]
        #[tool(name = $tool, permission = $ask, timeout = $timeout)]
        $visibility async fn $name(
            #[arg(default = $default, range = $range)] $argument: $type,
            /// An argument of the macro's own.
            own: Option<$type>,
            $lent: &$resource,
        ) -> Result<$returned, $error> {
            let _ = (own, $lent);
            Ok($argument.into())
        }
    };
}

parts! {
    #[allow(unused)]
    pub(crate) parts(from: u32 = 1 + 1, 1..=9; workspace: Workspace) -> u64, std::num::ParseIntError;
    "fs.parts", FileAccess::read(format!("{}{from}", workspace.0)), "10s", "Read a part."
}

macro_rules! mixed {
    ($($name:ident $argument:ident $type:ty),*) => { $(
        /// Give the argument back.
        #[tool(permission = FileAccess::read(format!("{}", $argument)))]
        fn $name($argument: $type, #[arg(length = ..=3)] text: String) -> String {
            format!("{}{text}", $argument)
        }
    )* };
}
mixed!(of_text path String, of_number number u64);

macro_rules! whole {
    ($function:item) => {
        #[tool]
        $function
    };
}
whole! {
    /// Count.
    fn whole(text: Option<String>, workspace: Option<&Workspace>) -> usize {
        text.map_or(0, |text| text.len()) + workspace.map_or(0, |workspace| workspace.0.len())
    }
}

macro_rules! attributes {
    ($($attribute:meta)*) => {
        $(#[$attribute])*
        fn attributes(text: String) -> usize {
            text.len()
        }
    };
}
attributes!(doc = "Count." tool(pure));

#[test]
fn program_runs() {
    let tools = ToolRegistry::new()
        .with(Fixed)
        .with(Parts)
        .with(OfText)
        .with(OfNumber)
        .with(Whole)
        .with(Attributes);
    assert_eq!(tools.len(), 6);
    let from = &Parts.spec().input_schema()["properties"]["from"];
    assert_eq!((&from["default"], &from["maximum"]), (&2.into(), &9.into()));
}
