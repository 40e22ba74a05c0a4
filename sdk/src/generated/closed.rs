//! A closed set of tools as one enum.

use std::future::Future;

use super::function::Defined;
use crate::arguments::{Arguments, InvalidArguments};
use crate::content::{ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::id::ToolName;
use crate::spec::ToolSpec;
use crate::util::suggestion::{folded, nearest};

/// A closed set of tools: what `#[derive(ToolEnum)]` implements for an enum of structs with
/// `#[derive(Tool)]`.
///
/// A call becomes a value of the enum, which a `match` takes apart and the compiler checks to be
/// complete. To have calls gated, approved and recorded as well, register the set with
/// [`ToolRegistry::with_enum`](crate::ToolRegistry::with_enum) and call it through an executor.
///
/// ```
/// use toolwright::{RunTool, Tool, ToolContext, ToolEnum};
///
/// /// Add two numbers.
/// #[derive(Tool)]
/// #[tool(name = "math.add", pure)]
/// struct Add {
///     a: i64,
///     b: i64,
/// }
///
/// /// Negate a number.
/// #[derive(Tool)]
/// #[tool(name = "math.negate", pure, aliases("minus"))]
/// struct Negate {
///     a: i64,
/// }
/// # impl RunTool for Add { type Output = i64; async fn run(self, _: &ToolContext) -> i64 { self.a + self.b } }
/// # impl RunTool for Negate { type Output = i64; async fn run(self, _: &ToolContext) -> i64 { -self.a } }
///
/// #[derive(ToolEnum)]
/// enum Math {
///     Add(Add),
///     Negate(Negate),
/// }
///
/// // A name in any usual spelling, or an alias.
/// for name in ["math.add", "math_add", "mathAdd"] {
///     match Math::parse(name, r#"{"a": 1, "b": 2}"#)? {
///         Math::Add(add) => assert_eq!((add.a, add.b), (1, 2)),
///         Math::Negate(_) => unreachable!(),
///     }
/// }
/// assert_eq!(Math::specs().len(), 2);
/// # Ok::<(), toolwright::ToolError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of tools",
    label = "this must be an enum with `#[derive(ToolEnum)]`",
    note = "each of its variants holds a struct with `#[derive(Tool)]`, as in `Read(ReadFile)`"
)]
pub trait ToolEnum: Sized + Send + 'static {
    #[doc(hidden)]
    fn members() -> &'static [Member<Self>];

    /// The spec of this value's tool.
    fn spec(&self) -> &'static ToolSpec;

    /// Runs the tool, without a gate in front of it.
    ///
    /// # Errors
    ///
    /// Fails if the tool fails.
    fn run(self, ctx: &ToolContext) -> impl Future<Output = Result<ToolOutput, ToolError>> + Send;

    /// Turns a call into the tool and its arguments.
    ///
    /// The name is a tool's own or an alias of it, in any usual spelling: letter case, and what
    /// stands between words, make no difference unless two tools differ in nothing else.
    ///
    /// # Errors
    ///
    /// Fails if the tool does not exist, with the nearest name, and if the arguments do not fit, with all mistakes.
    fn parse<'a>(name: &str, arguments: impl Into<Arguments<'a>>) -> Result<Self, ToolError> {
        let Some(member) = find(Self::members(), name) else {
            return Err(unknown(Self::members(), name));
        };
        (member.parse)(&arguments.into()).map_err(ToolError::from)
    }

    /// The specs of the tools, sorted by name.
    fn specs() -> Vec<&'static ToolSpec> {
        let definitions = Self::members().iter().map(|member| (member.definition)());
        let mut specs: Vec<&ToolSpec> = definitions.map(Defined::spec).collect();
        specs.sort_by_key(|spec| spec.name());
        specs
    }
}

/// A tool of a closed set.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct Member<E> {
    pub(crate) definition: fn() -> Defined,
    parse: fn(&Arguments<'_>) -> Result<E, InvalidArguments>,
}

impl<E> Member<E> {
    pub const fn new(
        definition: fn() -> Defined,
        parse: fn(&Arguments<'_>) -> Result<E, InvalidArguments>,
    ) -> Self {
        Self { definition, parse }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        let (name, aliases) = (self.definition)().names();
        std::iter::once(name).chain(aliases.iter().copied())
    }
}

fn find<'m, E>(members: &'m [Member<E>], name: &str) -> Option<&'m Member<E>> {
    let exact = members
        .iter()
        .find(|member| member.names().any(|own| own == name));
    exact.or_else(|| {
        let wanted = folded(name);
        let mut meant = members
            .iter()
            .filter(|member| member.names().any(|own| folded(own) == wanted));
        // A name that fits two tools names neither.
        meant.next().filter(|_| meant.next().is_none())
    })
}

#[cold]
fn unknown<E>(members: &[Member<E>], name: &str) -> ToolError {
    let names = members.iter().map(|member| (member.definition)().names().0);
    let shown: String = name.chars().take(ToolName::MAX_LENGTH).collect();
    ToolError::unknown_tool(&shown, nearest(name, names))
}

/// Stops a closed set from compiling in which a tool answers to a name of one before it.
///
/// # Panics
///
/// With the message, while the set is compiled, if it does.
#[doc(hidden)]
#[track_caller] // The error is shown at the variant, and not here.
pub const fn names_of_its_own(names: &[&str], before: &[&[&str]], message: &str) {
    let mut at = 0;
    while at < before.len() {
        assert!(!share(names, before[at]), "{}", message);
        at += 1;
    }
}

const fn share(a: &[&str], b: &[&str]) -> bool {
    let mut i = 0;
    while i < a.len() {
        let mut j = 0;
        while j < b.len() {
            if same(a[i].as_bytes(), b[j].as_bytes()) {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}
