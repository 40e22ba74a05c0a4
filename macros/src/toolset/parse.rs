//! The source as it was written: the block, its methods, and the keys of both attributes.

use super::items::{Item, inner_attributes, items};
use crate::errors::Errors;
use crate::item_without_helper_attrs::item_without_helper_attrs;
use crate::keys::{entries, fill};
use crate::token_search::{is_function, leads_to};
use crate::token_text::token_text;
use crate::tool::keys::ToolsetKeys;
use crate::tool::parse::{self, ParsedTool};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Generics, Meta, Token, Type};

pub(super) struct Block {
    pub(super) attributes: Vec<Attribute>,
    pub(super) inner: Vec<Attribute>,
    pub(super) keys: ToolsetKeys,
    /// With the `where` clause.
    pub(super) generics: Generics,
    pub(super) ty: Type,
    /// In their order.
    pub(super) items: Vec<BlockItem>,
}

pub(super) enum BlockItem {
    Tool(Box<ParsedTool>),
    /// An item that was meant as a tool, but cannot be one.
    Refused(TokenStream),
    Other(TokenStream),
}

/// `Err` when the item is not a block of methods; nothing where rustc has reported a mistake in its syntax.
pub(super) fn parse(
    args: TokenStream,
    item: TokenStream,
    errors: &mut Errors,
) -> syn::Result<Option<Block>> {
    let Ok(block) = block.parse2(item) else {
        return Ok(None);
    };
    let (mut attributes, generics, ty, body) = block?;
    parse::check_once("toolset", &mut attributes, errors);
    let Ok(found) = items(&body) else {
        return Ok(None);
    };
    let keys = fill(entries::<ToolsetKeys>(args, errors), errors);
    let items = found
        .into_iter()
        .map(|item| block_item(item, errors))
        .collect();
    Ok(Some(Block {
        attributes,
        inner: inner_attributes(&body)?,
        keys,
        generics,
        ty,
        items,
    }))
}

type Header = (Vec<Attribute>, Generics, Type, Group);

/// `Err` on the outside for the syntax, on the inside for another item.
fn block(input: ParseStream<'_>) -> syn::Result<syn::Result<Header>> {
    let other = |error| input.parse::<TokenStream>().map(|_| Err(error));
    let attributes = input.call(Attribute::parse_outer)?;
    if !input.peek(Token![impl]) {
        return other(other_item(input)?);
    }
    input.parse::<Token![impl]>()?;
    let mut generics = if input.peek(Token![<]) {
        input.parse()?
    } else {
        Generics::default()
    };
    let ty: Type = input.parse()?;
    if input.peek(Token![for]) {
        let message = format!(
            "this block implements the trait `{}`, whose methods are not ours to call: \
             put the tools into a block of the type itself, `#[toolset] impl Notes {{ .. }}`",
            token_text(&ty)
        );
        return other(Error::new_spanned(input.parse::<Token![for]>()?, message));
    }
    generics.where_clause = input.parse()?;
    Ok(Ok((attributes, generics, ty, input.parse()?)))
}

fn other_item(input: ParseStream<'_>) -> syn::Result<Error> {
    let mut token: TokenTree = input.parse()?;
    if matches!(&token, TokenTree::Ident(word) if word == "pub") {
        input.parse::<Option<Group>>()?;
        token = input.parse()?;
    }
    let message = match token.to_string().as_str() {
        "async" | "fn" => {
            "`#[toolset]` goes on an `impl` block: on a function write `#[tool]` alone".to_owned()
        }
        "unsafe" => "`#[toolset]` goes on an `impl` block of a type, which is never `unsafe`".to_owned(),
        "struct" | "enum" => "`#[toolset]` goes on an `impl` block: put it on one of this type".to_owned(),
        "trait" => {
            "`#[toolset]` goes on an `impl` block of a type, and this is a trait: a tool needs a value to run on"
                .to_owned()
        }
        _ => "`#[toolset]` goes on an `impl` block: write `#[toolset] impl Notes { .. }`".to_owned(),
    };
    Ok(Error::new_spanned(token, message))
}

fn block_item(item: Item, errors: &mut Errors) -> BlockItem {
    let Item {
        mut attributes,
        rest,
    } = item;
    let marks: Vec<Attribute> = attributes
        .extract_if(.., |attribute| is_tool(attribute))
        .collect();
    let Some((mark, more)) = marks.split_first() else {
        attributes.retain(|attribute| errors.keep(check_condition(attribute)).is_some());
        return BlockItem::Other(quote!(#(#attributes)* #rest));
    };
    parse::check_once("tool", &mut more.to_vec(), errors);
    let args = match &mark.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) => TokenStream::new(),
        Meta::NameValue(pair) => {
            errors.on(
                &pair.path,
                "the keys of `#[tool]` stand in parentheses: write `#[tool(read_only)]`",
            );
            TokenStream::new()
        }
    };
    let as_it_came = item_without_helper_attrs(&quote!(#(#attributes)* #rest));
    let function = |input: ParseStream<'_>| method(attributes, input);
    match function.parse2(rest) {
        Ok(Ok(function)) => BlockItem::Tool(Box::new(parse::parsed(args, function, errors))),
        // Rustc has reported the syntax.
        Err(_) => BlockItem::Refused(as_it_came),
        Ok(Err(error)) => {
            errors.add(error);
            BlockItem::Refused(as_it_came)
        }
    }
}

/// `Err` on the outside for the syntax, on the inside for another item.
fn method(
    attributes: Vec<Attribute>,
    input: ParseStream<'_>,
) -> syn::Result<syn::Result<parse::FunctionItem>> {
    let visibility = input.parse()?;
    let item = input.fork().parse()?;
    if !is_function(&item) {
        input.parse::<TokenStream>()?;
        return Ok(Err(Error::new_spanned(
            item.into_iter().next(),
            "`#[tool]` goes on a method, and this is none: write `fn name(&self, ..)`",
        )));
    }
    Ok(Ok((attributes, visibility, input.parse()?, input.parse()?)))
}

/// By any path: `#[toolwright::tool]` too.
fn is_tool(attribute: &Attribute) -> bool {
    leads_to(attribute.path(), "tool")
}

/// `#[cfg_attr(.., tool)]` would be a tool that the block does not know of.
fn check_condition(attribute: &Attribute) -> syn::Result<()> {
    let Meta::List(list) = &attribute.meta else {
        return Ok(());
    };
    if !list.path.is_ident("cfg_attr") {
        return Ok(());
    }
    let read = Punctuated::<Meta, Token![,]>::parse_terminated;
    // The condition comes first. Tokens that cannot be read are left to rustc, which reports them.
    let attributes = read.parse2(list.tokens.clone()).unwrap_or_default();
    match attributes
        .iter()
        .skip(1)
        .find(|meta| leads_to(meta.path(), "tool"))
    {
        Some(tool) => Err(Error::new_spanned(
            tool.path(),
            "a block cannot see a tool behind `cfg_attr`: write `#[cfg(..)]` and `#[tool]` on the method, \
             and the same method without `#[tool]` under the opposite condition",
        )),
        None => Ok(()),
    }
}
