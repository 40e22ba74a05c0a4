//! The tool as data: everything checked, with the tokens that later errors are to be shown on.

use crate::docs::Docs;
use crate::literal::Literal;
use crate::values::DefaultValue;
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Attribute, Expr, LitStr, Path, Type, Visibility};

/// The parts of a free function that are emitted in any case, so that one mistake does not break the code that uses
/// the function or the tool.
pub(super) struct Emitted {
    /// The path of the runtime crate.
    pub(super) runtime: Path,
    pub(super) visibility: Visibility,
    pub(super) cfgs: Vec<Attribute>,
    /// The function as it is emitted.
    pub(super) function: TokenStream,
    /// `None` where a struct would only add a second error.
    pub(super) handle: Option<Ident>,
}

/// The parts that only a free function has.
pub(super) struct Free {
    pub(super) register: bool,
    pub(super) tool: Tool,
}

/// A tool, whatever it is written as.
pub(crate) struct Tool {
    pub(crate) callee: Callee,
    /// The lints that the author allows on the item, allowed again where the expansion repeats the author's tokens.
    pub(crate) allowed: Vec<TokenStream>,
    pub(crate) declared: Declared,
    pub(crate) parameters: Vec<Parameter>,
    /// The one argument is the whole object.
    pub(crate) flat: bool,
    /// The types that the body needs beyond its parameters.
    pub(crate) needs: Vec<Type>,
    pub(crate) validate: Option<Path>,
    pub(crate) permission: Option<Expr>,
    /// The cleanup after a session that has ended.
    pub(crate) cleanup: Option<Expr>,
    pub(crate) blocking: bool,
    /// The part that rustc can check beside the mistakes that were found.
    pub(crate) judged: Judged,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Judged {
    Whole,
    /// All but the call of the author's function.
    WithoutCall,
    /// Its types mean nothing where the tool is described.
    Not,
}

impl Tool {
    /// The name, and the aliases.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let aliases = self.declared.aliases.iter().map(LitStr::value);
        std::iter::once(self.declared.name.clone()).chain(aliases)
    }
}

/// The code that a call runs.
pub(crate) enum Callee {
    Function(Function),
    /// A function of the type that `Self` is.
    Method {
        function: Function,
        takes_self: bool,
    },
    /// A struct that is the arguments, and implements `RunTool`.
    Struct(Structure),
}

impl Callee {
    pub(crate) fn ident(&self) -> &Ident {
        match self {
            Self::Function(function) | Self::Method { function, .. } => &function.ident,
            Self::Struct(structure) => &structure.ident,
        }
    }
}

pub(crate) struct Function {
    pub(crate) ident: Ident,
    pub(crate) is_async: bool,
    /// `None` when nothing is returned.
    pub(crate) returned: Option<Type>,
}

pub(crate) struct Structure {
    pub(crate) ident: Ident,
}

/// The tool's description of itself.
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Docs,
    pub(crate) version: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) category: Option<LitStr>,
    /// `None`: the runtime's default, at most once.
    pub(crate) effect: Option<Effect>,
    /// The name of the runtime's variant.
    pub(crate) determinism: Option<&'static str>,
    pub(crate) destructive: Option<bool>,
    pub(crate) open_world: Option<bool>,
    pub(crate) needs_approval: Option<bool>,
    pub(crate) streaming: Option<bool>,
    pub(crate) capabilities: Vec<LitStr>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) limits: Limits,
    pub(crate) concurrent: bool,
    pub(crate) durable: bool,
    pub(crate) pool: Option<LitStr>,
    pub(crate) explicit_only: bool,
    /// Whole objects of arguments, as JSON text.
    pub(crate) examples: Vec<String>,
    pub(crate) metadata: Vec<Metadata>,
    /// The note of `#[deprecated]`, empty without one.
    pub(crate) deprecated: Option<String>,
}

/// The most that a call may use.
#[derive(Default)]
pub(crate) struct Limits {
    /// Bytes.
    pub(crate) memory: Option<u64>,
    pub(crate) fuel: Option<u64>,
    /// Bytes.
    pub(crate) output: Option<u64>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Effect {
    Pure,
    ReadOnly,
    Idempotent,
}

pub(crate) struct Metadata {
    pub(crate) key: LitStr,
    pub(crate) value: MetadataValue,
}

pub(crate) enum MetadataValue {
    Text(LitStr),
    Integer(Literal),
    Float(Literal),
    Bool(bool),
}

/// In the order of the signature.
pub(crate) enum Parameter {
    Argument(Box<Argument>),
    Resource(Resource),
    /// A parameter that no tool can take. The mistake was reported.
    Refused,
}

impl Parameter {
    pub(crate) fn argument(&self) -> Option<&Argument> {
        match self {
            Self::Argument(argument) => Some(argument),
            Self::Resource(_) | Self::Refused => None,
        }
    }

    pub(crate) fn resource(&self) -> Option<&Resource> {
        match self {
            Self::Argument(_) | Self::Refused => None,
            Self::Resource(resource) => Some(resource),
        }
    }
}

/// By value: from the model.
pub(crate) struct Argument {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) name: String,
    pub(crate) description: Option<Docs>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) default: Option<DefaultOrExample>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) example: Option<DefaultOrExample>,
    pub(crate) secret: bool,
}

/// The value of `default` or `example`.
pub(crate) struct DefaultOrExample {
    pub(crate) key: Span,
    pub(crate) value: DefaultValue,
}

/// By reference: from the app.
pub(crate) struct Resource {
    pub(crate) ident: Ident,
    /// The type behind the `&`.
    pub(crate) ty: Box<Type>,
    pub(crate) optional: bool,
}

pub(crate) struct Constraint {
    /// The key: a type that cannot have the constraint is reported here.
    pub(crate) key: Span,
    pub(crate) rule: Rule,
}

#[allow(
    clippy::large_enum_variant,
    reason = "there are a handful, for a moment"
)]
pub(crate) enum Rule {
    Range {
        min: Option<Expr>,
        max: Option<Expr>,
        /// The first that is too great.
        below: Option<Expr>,
    },
    /// A number above zero.
    MultipleOf(Literal),
    Length {
        min: Option<Expr>,
        max: Option<Expr>,
    },
    UniqueItems,
    Pattern(LitStr),
    /// The name of the runtime's variant.
    Format(&'static str),
    OneOfText(Vec<Literal>),
    OneOfNumber(Vec<Literal>),
}
