//! The source as it was written: the function, its parameters and the keys of both attributes, nothing of it checked
//! yet.

use super::keys::{ArgKeys, ToolKeys};
use crate::docs::is_doc;
use crate::errors::Errors;
use crate::keys::{entries, fill};
use crate::token_search::leads_to;
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, FnArg, Meta, Pat, Signature, Token, Type, Visibility, token};

pub(crate) struct ParsedTool {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    /// Without what rustc refuses on parameters: doc comments and `#[arg(..)]`.
    pub(crate) signature: Signature,
    /// Never parsed, so that mistakes in the body stay rustc's.
    pub(crate) body: TokenStream,
    pub(crate) keys: ToolKeys,
    pub(crate) parameters: Vec<ParsedParameter>,
}

pub(crate) struct ParsedParameter {
    pub(crate) pattern: Pat,
    pub(crate) ty: Type,
    pub(crate) docs: Vec<Attribute>,
    /// Every `#[arg(..)]`.
    pub(crate) marks: Vec<Attribute>,
    pub(crate) keys: ArgKeys,
    /// `#[cfg(..)]`, and `#[cfg_attr(..)]` with what the schema is made of.
    pub(crate) conditions: Vec<Attribute>,
    /// `#[serde(..)]` and `#[schemars(..)]`, which no parameter has.
    pub(crate) derived: Vec<Attribute>,
}

/// `Err` when the item is not a function; nothing for a signature with a mistake in its syntax, which rustc has reported.
pub(crate) fn parse(
    args: TokenStream,
    item: TokenStream,
    errors: &mut Errors,
) -> syn::Result<Option<ParsedTool>> {
    let Ok(function) = function.parse2(item) else {
        return Ok(None);
    };
    let mut function = function?;
    check_once("tool", &mut function.0, errors);
    Ok(Some(parsed(args, function, errors)))
}

/// A function that is a tool by `#[tool(args)]`.
pub(crate) fn parsed(args: TokenStream, function: FunctionItem, errors: &mut Errors) -> ParsedTool {
    let (attributes, visibility, mut signature, body) = function;
    let keys = fill(entries::<ToolKeys>(args, errors), errors);
    let parameters = signature
        .inputs
        .iter_mut()
        .filter_map(|input| parameter(input, errors))
        .collect();
    ParsedTool {
        attributes,
        visibility,
        signature,
        body,
        keys,
        parameters,
    }
}

/// A second attribute would do all of it again. It is taken off.
pub(crate) fn check_once(name: &str, attributes: &mut Vec<Attribute>, errors: &mut Errors) {
    for second in attributes.extract_if(.., |attribute| leads_to(attribute.path(), name)) {
        errors.on(
            second.path(),
            format!("`#[{name}]` stands here twice: write all keys into one of them"),
        );
    }
}

pub(crate) type FunctionItem = (Vec<Attribute>, Visibility, Signature, TokenStream);

/// `Err` on the outside for the syntax, on the inside for another item.
fn function(input: ParseStream<'_>) -> syn::Result<syn::Result<FunctionItem>> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    if input.peek(Token![let]) {
        // Rustc has said that an attribute cannot stand there.
        return Err(input.error("a statement"));
    }
    if let Some(error) = other_item(input)? {
        return input.parse::<TokenStream>().map(|_| Err(error));
    }
    let signature: Signature = input.parse()?;
    let has_body = input.peek(token::Brace);
    let body = input.parse()?;
    if !has_body {
        let name = &signature.ident;
        let message = format!(
            "`{name}` has no body: `#[tool]` goes on a free function, with the code that the tool runs"
        );
        return Ok(Err(Error::new_spanned(name, message)));
    }
    Ok(Ok((attributes, visibility, signature, body)))
}

fn other_item(input: ParseStream<'_>) -> syn::Result<Option<Error>> {
    let ahead = input.fork();
    ahead.parse::<Option<Token![const]>>()?;
    ahead.parse::<Option<Token![async]>>()?;
    ahead.parse::<Option<Token![unsafe]>>()?;
    ahead.parse::<Option<syn::Abi>>()?;
    if ahead.peek(Token![fn]) {
        return Ok(None);
    }
    let ahead = input.fork();
    ahead.parse::<Option<Token![unsafe]>>()?;
    let word = ahead.call(Ident::parse_any)?;
    let (what, instead) = match word.to_string().as_str() {
        "struct" => (
            "a struct",
            "write a function that takes the fields as its parameters, or put `#[derive(Tool)]` in its place, and the keys behind it in `#[tool(..)]`",
        ),
        "enum" | "union" => ("a type", "write a function that takes it as a parameter"),
        "impl" => (
            "an `impl` block",
            "put `#[toolset]` on the block, and `#[tool]` on its methods",
        ),
        "trait" => (
            "a trait",
            "write a function, and take an implementation by reference (`files: &dyn Files`)",
        ),
        "mod" => ("a module", "put it on each function inside"),
        "const" | "static" => ("a constant", "write a function that returns it"),
        "use" => ("an import", "put it where the function is written"),
        "extern" => ("foreign code", "write a function that calls it"),
        _ => (
            "no function",
            "write one, `async fn read_file(path: PathBuf) -> String { .. }`",
        ),
    };
    let message = format!("`#[tool]` goes on a free function, and this is {what}: {instead}");
    Ok(Some(Error::new_spanned(word, message)))
}

/// `None` for `self`, which the signature shows.
fn parameter(input: &mut FnArg, errors: &mut Errors) -> Option<ParsedParameter> {
    let (attributes, written) = match input {
        FnArg::Receiver(receiver) => (&mut receiver.attrs, None),
        FnArg::Typed(typed) => (
            &mut typed.attrs,
            Some((*typed.pat.clone(), *typed.ty.clone())),
        ),
    };
    let marked = Marked::take(attributes, errors);
    let derived = attributes
        .extract_if(.., |attribute| {
            ["serde", "schemars"]
                .iter()
                .any(|name| attribute.path().is_ident(name))
        })
        .collect();
    let conditions = attributes
        .iter()
        .filter(|attribute| is_condition(attribute))
        .cloned()
        .collect();
    // The attributes behind the condition are refused here, and rustc would refuse them once more.
    attributes
        .retain(|attribute| !attribute.path().is_ident("cfg_attr") || !is_condition(attribute));
    let (pattern, ty) = written?;
    let Marked { docs, marks, keys } = marked;
    Some(ParsedParameter {
        pattern,
        ty,
        docs,
        marks,
        keys,
        conditions,
        derived,
    })
}

/// The attributes of ours, and the docs, of a parameter or field.
pub(crate) struct Marked {
    pub(crate) docs: Vec<Attribute>,
    /// Every `#[arg(..)]`.
    pub(crate) marks: Vec<Attribute>,
    pub(crate) keys: ArgKeys,
}

impl Marked {
    pub(crate) fn take(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> Self {
        let docs = attributes
            .extract_if(.., |attribute| is_doc(attribute))
            .collect();
        let marks: Vec<Attribute> = attributes
            .extract_if(.., |attribute| attribute.path().is_ident("arg"))
            .collect();
        let entries = marks
            .iter()
            .flat_map(|mark| entries::<ArgKeys>(list(mark, errors), errors))
            .collect();
        Self {
            docs,
            keys: fill(entries, errors),
            marks,
        }
    }
}

fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        || attribute.path().is_ident("cfg_attr")
            && conceals(&attribute.meta, &["arg", "doc", "cfg"])
}

/// Returns true if one of the attributes stands behind the condition of a `cfg_attr`.
pub(crate) fn conceals(attribute: &Meta, names: &[&str]) -> bool {
    let Meta::List(list) = attribute else {
        return false;
    };
    let read = Punctuated::<Meta, Token![,]>::parse_terminated;
    // The condition comes first. Tokens that cannot be read are left to rustc, which reports them.
    let attributes = list.parse_args_with(read).unwrap_or_default();
    attributes.iter().skip(1).any(|meta| {
        if meta.path().is_ident("cfg_attr") {
            conceals(meta, names)
        } else {
            names.iter().any(|name| meta.path().is_ident(name))
        }
    })
}

fn list(mark: &Attribute, errors: &mut Errors) -> TokenStream {
    match &mark.meta {
        Meta::List(list) if !list.tokens.is_empty() => return list.tokens.clone(),
        Meta::List(_) | Meta::Path(_) => {
            errors.on(
                mark.path(),
                "`#[arg]` says nothing without keys: write `#[arg(default = 1)]`, or remove it",
            );
        }
        Meta::NameValue(_) => {
            errors.on(
                mark.path(),
                "the keys of `#[arg]` stand in parentheses: write `#[arg(default = 1)]`",
            );
        }
    }
    TokenStream::new()
}
