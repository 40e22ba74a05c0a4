//! What the tool is: everything checked, with the tokens that later errors are to be shown on.

use crate::docs::Docs;
use crate::literal::Literal;
use crate::values::DefaultValue;
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Attribute, Expr, LitStr, Path, Type, Visibility};

/// What is emitted in any case, so that one mistake does not break what uses the function or the tool.
pub(super) struct Shell {
    /// The path of the runtime crate.
    pub(super) runtime: Path,
    pub(super) visibility: Visibility,
    pub(super) cfgs: Vec<Attribute>,
    /// The function as it is emitted.
    pub(super) function: TokenStream,
    /// `None` where a struct would only add a second error.
    pub(super) handle: Option<Ident>,
}

pub(super) struct Tool {
    pub(super) handle: Ident,
    pub(super) function: Ident,
    pub(super) is_async: bool,
    /// What the author allows in the function is allowed where the expansion repeats the author's tokens.
    pub(super) allowed: Vec<TokenStream>,
    pub(super) declared: Declared,
    pub(super) parameters: Vec<Parameter>,
    /// `None` when nothing is returned.
    pub(super) returned: Option<Type>,
    pub(super) permission: Option<Expr>,
    pub(super) register: bool,
}

/// What the tool says of itself.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) title: Option<LitStr>,
    pub(super) description: Docs,
    pub(super) version: Option<LitStr>,
    pub(super) aliases: Vec<LitStr>,
    pub(super) category: Option<LitStr>,
    /// `None`: the runtime's default, at most once.
    pub(super) effect: Option<Effect>,
    pub(super) destructive: Option<bool>,
    pub(super) open_world: Option<bool>,
    pub(super) needs_approval: Option<bool>,
    pub(super) streaming: Option<bool>,
    pub(super) timeout_ms: Option<u64>,
    pub(super) metadata: Vec<Metadata>,
    /// The note of `#[deprecated]`, empty without one.
    pub(super) deprecated: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Effect {
    Pure,
    ReadOnly,
    Idempotent,
}

pub(super) struct Metadata {
    pub(super) key: LitStr,
    pub(super) value: MetadataValue,
}

pub(super) enum MetadataValue {
    Text(LitStr),
    Integer(Literal),
    Float(Literal),
    Bool(bool),
}

/// In the order of the signature.
pub(super) enum Parameter {
    Argument(Box<Argument>),
    Resource(Resource),
}

/// By value: from the model.
pub(super) struct Argument {
    pub(super) ident: Ident,
    pub(super) ty: Type,
    pub(super) name: String,
    pub(super) description: Option<Docs>,
    pub(super) aliases: Vec<LitStr>,
    pub(super) default: Option<Preset>,
    pub(super) constraints: Vec<Constraint>,
}

/// What `default` gives.
pub(super) struct Preset {
    pub(super) key: Span,
    pub(super) value: DefaultValue,
}

/// By reference: from the app.
pub(super) struct Resource {
    pub(super) ident: Ident,
    /// What stands behind the `&`.
    pub(super) ty: Box<Type>,
    pub(super) optional: bool,
}

pub(super) struct Constraint {
    /// The key: a type that cannot have the constraint is reported here.
    pub(super) key: Span,
    pub(super) rule: Rule,
}

#[allow(
    clippy::large_enum_variant,
    reason = "there are a handful, for a moment"
)]
pub(super) enum Rule {
    Range {
        min: Option<Expr>,
        max: Option<Expr>,
        /// The first that is too great.
        below: Option<Expr>,
    },
    Length {
        min: Option<Expr>,
        max: Option<Expr>,
    },
    Pattern(LitStr),
    /// The name of the runtime's variant.
    Format(&'static str),
    OneOfText(Vec<Literal>),
    OneOfNumber(Vec<Literal>),
}
