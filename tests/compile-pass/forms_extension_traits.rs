//! Traits for every type, with methods of the names that an expansion calls.

#![deny(warnings)]
#![allow(dead_code)]

use toolwright::{
    PermissionRequest, RunTool, Tool, ToolContext, ToolEnum, ToolError, ToolRegistry, tool,
    tool_type, toolset,
};

// A value has methods by value and by reference, and either may be meant first.
#[allow(unused_imports)]
use {by_reference::Extension as _, by_value::Extension as _};

struct Other;

macro_rules! extension {
    ($name:ident: $receiver:tt) => {
        mod $name {
            use super::Other;

            pub(super) trait Extension: Sized {
                methods! { $receiver
                    alone aliases and_then as_ref ask blocking category check convert definition extend fields fill
                    format from_arguments into_requests into_tool_error into_tool_output iter json kind length map
                    map_err needs of one_of_number one_of_text output parse pattern permission preset push put
                    range receiver run sample samples schema secret spec split sync title tool_error tool_error_kind
                    tool_json tool_option tool_resource_kind tool_result tool_returned tool_schema tool_value tools
                    validate
                }
            }

            impl<T> Extension for T {}
        }
    };
}

macro_rules! methods {
    ($receiver:tt $($name:ident)*) => { $( methods!(@ $receiver $name); )* };
    (@ ($($receiver:tt)+) $name:ident) => {
        fn $name($($receiver)+) -> Other {
            Other
        }
    };
}

extension!(by_value: (self));
extension!(by_reference: (&self));

/// A resource of the app.
struct Workspace(Vec<String>);

/// A place.
#[tool_type]
#[derive(Debug)]
struct Place {
    #[arg(default = 1, range = 1..=9, example = 2)]
    line: u32,
    #[arg(length = 1.., pattern = "^[a-z]+$", format = "hostname", one_of("a", "b"))]
    path: Option<String>,
    #[arg(default, length = ..4)]
    more: Vec<u8>,
}

/// Read a text file.
#[tool(read_only, validate = judge, permission = None::<PermissionRequest>, needs(Workspace))]
async fn read_file(
    #[arg(default = "a", length = 1.., pattern = "[ab]", one_of("a", "b"), example = "a")]
    path: String,
    #[arg(default = 1, range = 1.., one_of(1, 2))] from: u32,
    place: Option<Place>,
    context: &ToolContext,
    workspace: Option<&Workspace>,
) -> Result<Vec<u32>, std::io::Error> {
    let _ = (path, context, workspace, place);
    Ok(vec![from])
}

fn judge(_: &str, _: &u32, _: &Option<Place>) -> Result<(), String> {
    Ok(())
}

/// Say hello.
#[tool]
fn hello() -> Result<&'static str, String> {
    Ok("hello")
}

/// Fail.
#[tool(blocking)]
fn fail(workspace: &Workspace) -> Result<(), ToolError> {
    let _ = &workspace.0;
    Ok(())
}

#[toolset]
impl Workspace {
    /// Count.
    #[tool(permission = self.request())]
    async fn count(&self, #[arg(default = 1, range = 1..)] from: usize) -> Option<usize> {
        Some(self.0.len() + from)
    }

    fn request(&self) -> Option<PermissionRequest> {
        None
    }

    /// Fail.
    #[tool(name = "fails")]
    fn fails(&self) -> Result<Place, Box<dyn std::error::Error>> {
        Err("no")?
    }
}

/// Nothing.
#[derive(Tool)]
#[tool(permission = PermissionRequest::new("a", "b", format!("{from:?}")))]
struct Typed {
    #[arg(default, range = 1..)]
    from: u32,
    place: Place,
}

impl RunTool for Typed {
    type Output = Result<Place, ToolError>;

    async fn run(self, _: &ToolContext) -> Self::Output {
        Ok(self.place)
    }
}

#[derive(ToolEnum)]
enum Set {
    Typed(Typed),
}

#[test]
fn program_runs() {
    let tools = ToolRegistry::new()
        .with(ReadFile)
        .with(Hello)
        .with(Fail)
        .with_set(Workspace(Vec::new()))
        .with_enum::<Set>();
    assert_eq!(tools.len(), 6);
}
