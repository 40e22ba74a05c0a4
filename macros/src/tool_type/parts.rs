//! The parts of a type that may lack the derives, so that each is reported once; see the runtime's `part.rs`.
//!
//! The derives of serde stand on a copy of the type, for serde's `remote`, under the assumption that the parts have what
//! they need. A copy, because the functions that serde writes then would be the author's type's own; and under an
//! assumption that the type itself does not make, because a type that holds itself could not keep it.

use super::parse::{each_field, said_by};
use crate::holders::{Held, held};
use crate::token_search::{lifetimes, with_type};
use crate::token_text::token_text;
use crate::tool::check::cfgs;
use crate::tool::expand::place_of;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{
    Attribute, Data, DeriveInput, Field, Fields, GenericArgument, Meta, Path, PathArguments, Type,
    TypePath, Visibility, parse_quote,
};

/// The derives that the macro adds to the type.
#[derive(Clone, Copy)]
pub(super) struct Derives {
    pub(super) argument: bool,
    pub(super) result: bool,
}

/// Types of the author, and only rustc knows their derives.
pub(super) struct Parts {
    types: Vec<Type>,
    /// The types that the schema is made of, each under its name.
    described: Vec<(Ident, Type)>,
    /// The places of the fields with such parts.
    places: Vec<usize>,
}

impl Parts {
    /// `None` without any, and where the type says more to serde than a copy of it can keep.
    pub(super) fn of(item: &mut DeriveInput) -> Option<Self> {
        let unusual = ["remote", "bound", "from", "try_from", "into", "crate"];
        if !item.generics.params.is_empty()
            || says(&item.attrs, "serde", &unusual)
            || says(&item.attrs, "schemars", &OWN_SCHEMA)
        {
            return None;
        }
        let own = item.ident.clone();
        let mut parts = Self {
            types: Vec::new(),
            described: Vec::new(),
            places: Vec::new(),
        };
        let mut place = 0;
        let mut all = |fields: &mut Fields, left_out: bool| {
            for field in fields {
                if !left_out {
                    parts.add(&own, place, field);
                }
                place += 1;
            }
        };
        match &mut item.data {
            Data::Struct(data) => all(&mut data.fields, false),
            Data::Enum(data) => {
                for variant in &mut data.variants {
                    let left_out = is_left_out(&variant.attrs);
                    all(&mut variant.fields, left_out);
                }
            }
            Data::Union(_) => {}
        }
        (!parts.types.is_empty()).then_some(parts)
    }

    fn add(&mut self, own: &Ident, place: usize, field: &mut Field) {
        let mut found = Vec::new();
        if is_left_out(&field.attrs)
            || collect(&field.ty, own, &mut found).is_none()
            || found.is_empty()
        {
            return;
        }
        let name = format_ident!("__{}_schema_{place}", own.unraw());
        let text = name.to_string();
        field.attrs.push(parse_quote!(#[schemars(with = #text)]));
        self.described.push((name, field.ty.clone()));
        self.places.push(place);
        for ty in found {
            if !self
                .types
                .iter()
                .any(|other| token_text(other) == token_text(&ty))
            {
                self.types.push(ty);
            }
        }
    }

    /// Returns true if the field at the place has parts that are judged here.
    pub(super) fn cover(&self, place: usize) -> bool {
        self.places.contains(&place)
    }

    /// The assumption that the parts of `item` can be read, for where there is a lifetime `'de`.
    pub(super) fn readable(&self, item: &Ident, runtime: &Path) -> TokenStream {
        let names = self.names(item);
        quote!(#(#names: #runtime::__private::serde::Deserialize<'de>),*)
    }

    /// Everything but the type itself and its schema. `path` leads to the runtime's hidden module, as the attributes of
    /// serde take it.
    pub(super) fn expand(
        &self,
        item: &DeriveInput,
        runtime: &Path,
        path: &str,
        derives: Derives,
    ) -> TokenStream {
        let ident = &item.ident;
        let own = |tokens: TokenStream| with_type(tokens, ident);
        let cfgs = cfgs(&item.attrs);
        let function = match (derives.argument, derives.result) {
            (true, false) => quote!(part_of_argument),
            (false, true) => quote!(part_of_result),
            _ => quote!(part_of),
        };
        let names = self.names(ident);
        let checks = names
            .iter()
            .map(|name| quote!(__tw::#function::<#name, #ident>();));
        let types = self.types.iter().map(ToTokens::to_token_stream);
        let described = self.described.iter();
        let described = described.map(|(name, ty)| (name, self.described(ty, ident, runtime)));
        let aliases = names.iter().zip(types).chain(described).map(|(name, ty)| {
            let ty = own(ty);
            quote! {
                #(#cfgs)*
                #[doc(hidden)]
                #[allow(dead_code, non_camel_case_types)]
                type #name = #ty;
            }
        });
        let code = self.derived(item, runtime, path, derives);
        quote! {
            #(#aliases)*

            #(#cfgs)*
            #[allow(
                dead_code,
                deprecated,
                non_camel_case_types,
                non_snake_case,
                unused_imports,
                clippy::all,
                clippy::pedantic
            )]
            const _: () = {
                use #runtime::__private as __tw;
                use __tw::fallback::*;

                const _: fn() = || { #(#checks)* };

                #code
            };
        }
    }

    /// A name for each of the types, at its place. Where rustc does not find the type, it says so of each mention, and in
    /// other words where the mention is an argument of something generic.
    fn names(&self, ident: &Ident) -> Vec<Ident> {
        let types = self.types.iter().enumerate();
        let name =
            |(place, ty)| format_ident!("__{}_part_{place}", ident.unraw(), span = place_of(ty));
        types.map(name).collect()
    }

    /// The field's type, with what has no schema replaced.
    fn described(&self, ty: &Type, ident: &Ident, runtime: &Path) -> TokenStream {
        let mut parts = self.types.iter().zip(self.names(ident));
        if let Some((_, ty)) = parts.find(|(part, _)| token_text(part) == token_text(ty)) {
            return quote! {
                <#runtime::__private::DescribedIf<{
                    #[allow(unused_imports)]
                    use #runtime::__private::fallback::*;
                    <#runtime::__private::HasSchema<#ty>>::__TOOL_HAS_SCHEMA
                }> as #runtime::__private::DescribedAs<#ty>>::Type
            };
        }
        let mut ty = ty.clone();
        let replace =
            |part: &mut Type| *part = Type::Verbatim(self.described(part, ident, runtime));
        match &mut ty {
            Type::Array(array) => replace(&mut array.elem),
            Type::Group(group) => return self.described(&group.elem, ident, runtime),
            Type::Paren(paren) => return self.described(&paren.elem, ident, runtime),
            Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(replace),
            Type::Path(path) => {
                if let Some(segment) = path.path.segments.last_mut()
                    && let PathArguments::AngleBracketed(list) = &mut segment.arguments
                {
                    for argument in &mut list.args {
                        if let GenericArgument::Type(part) = argument {
                            replace(part);
                        }
                    }
                }
            }
            _ => {}
        }
        ty.into_token_stream()
    }

    /// The copy with serde's derives, and the way from the type to them.
    fn derived(
        &self,
        item: &DeriveInput,
        runtime: &Path,
        path: &str,
        derives: Derives,
    ) -> TokenStream {
        let ident = &item.ident;
        let names = self.names(ident);
        let serde = format!("{path}::serde");
        let read = quote!(#(#names: __tw::serde::Deserialize<'de>),*);
        // With the `for`, rustc takes it as an assumption.
        let written = quote!(#(for<'__tw> #names: __tw::serde::Serialize),*);
        let (read_text, written_text) = (read.to_string(), written.to_string());
        // Unlike each name of the type parameters that serde and this code write.
        let copy = format_ident!("__{}_copy", ident.unraw());
        let (remote, renamed) = (ident.to_string(), name(item));
        let derive_read = derives
            .argument
            .then(|| quote!(#runtime::__private::serde::Deserialize,));
        let derive_written = derives
            .result
            .then(|| quote!(#runtime::__private::serde::Serialize,));
        let copied = with_type(copied(item, copy.clone()).into_token_stream(), ident);
        let reading = derives.argument.then(|| {
            quote! {
                impl<'de> __tw::DerivedRead<'de> for #ident where #read {
                    #[inline]
                    fn read<__D: __tw::serde::Deserializer<'de>>(
                        __d: __D,
                    ) -> ::core::result::Result<Self, __D::Error> {
                        #copy::deserialize(__d)
                    }
                }

                impl<'de> __tw::serde::Deserialize<'de> for #ident {
                    #[inline]
                    fn deserialize<__D: __tw::serde::Deserializer<'de>>(
                        __d: __D,
                    ) -> ::core::result::Result<Self, __D::Error> {
                        __tw::Reading::<Self>(__tw::PhantomData).__tool_read(__d)
                    }
                }
            }
        });
        let writing = derives.result.then(|| {
            quote! {
                impl __tw::DerivedWrite for #ident where #written {
                    #[inline]
                    fn write<__S: __tw::serde::Serializer>(
                        &self,
                        __s: __S,
                    ) -> ::core::result::Result<__S::Ok, __S::Error> {
                        #copy::serialize(self, __s)
                    }
                }

                impl __tw::serde::Serialize for #ident {
                    #[inline]
                    fn serialize<__S: __tw::serde::Serializer>(
                        &self,
                        __s: __S,
                    ) -> ::core::result::Result<__S::Ok, __S::Error> {
                        __tw::Writing(self).__tool_write(__s)
                    }
                }
            }
        });
        quote! {
            #[derive(#derive_read #derive_written)]
            #[serde(
                crate = #serde,
                remote = #remote,
                #renamed
                bound(deserialize = #read_text, serialize = #written_text)
            )]
            #copied

            #reading
            #writing
        }
    }
}

/// The type's name for serde, unless the author gives one.
fn name(item: &DeriveInput) -> Option<TokenStream> {
    let name = item.ident.unraw().to_string();
    (!says(&item.attrs, "serde", &["rename"])).then(|| quote!(rename = #name,))
}

/// The type as serde's derives need it, under another name.
fn copied(item: &DeriveInput, name: Ident) -> DeriveInput {
    let mut copy = item.clone();
    copy.ident = name;
    copy.vis = Visibility::Inherited;
    copy.attrs.retain(is_for_serde);
    if let Data::Enum(data) = &mut copy.data {
        for variant in &mut data.variants {
            variant.discriminant = None;
            variant.attrs.retain(is_for_serde);
        }
    }
    each_field(&mut copy.data, &mut |field| {
        field.vis = Visibility::Inherited;
        field.attrs.retain(is_for_serde);
    });
    copy
}

/// Returns true for attributes that serde reads, and for conditions, which decide if the item exists.
fn is_for_serde(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            list.tokens.to_string().contains("serde")
        }
        Meta::List(list) => list.path.is_ident("serde") || list.path.is_ident("cfg"),
        _ => false,
    }
}

/// Returns true if a part needs less than all derives, or exists only under a condition.
fn is_left_out(attributes: &[Attribute]) -> bool {
    let to_serde = [
        "skip",
        "skip_serializing",
        "skip_deserializing",
        "with",
        "serialize_with",
        "deserialize_with",
        "getter",
        "borrow",
        "bound",
    ];
    let conditional = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
    };
    says(attributes, "serde", &to_serde)
        || says(attributes, "schemars", &OWN_SCHEMA)
        || attributes.iter().any(conditional)
}

/// Words by which a type, a variant or a field gets a schema that is not made from its contents.
const OWN_SCHEMA: [&str; 4] = ["skip", "with", "schema_with", "bound"];

/// Returns true if one of the words stands in `#[of(..)]`.
fn says(attributes: &[Attribute], of: &str, words: &[&str]) -> bool {
    said_by(attributes, of)
        .iter()
        .any(|said| words.iter().any(|word| said.path().is_ident(word)))
}

/// The author's types in a type. `None` where they cannot be told.
fn collect(ty: &Type, own: &Ident, found: &mut Vec<Type>) -> Option<()> {
    match ty {
        Type::Array(array) => collect(&array.elem, own, found),
        Type::Group(group) => collect(&group.elem, own, found),
        Type::Paren(paren) => collect(&paren.elem, own, found),
        Type::Tuple(tuple) => tuple
            .elems
            .iter()
            .try_for_each(|part| collect(part, own, found)),
        Type::Path(path)
            if path.qself.is_none() && lifetimes(path.to_token_stream()).is_empty() =>
        {
            named(path, own, found)
        }
        _ => None,
    }
}

fn named(path: &TypePath, own: &Ident, found: &mut Vec<Type>) -> Option<()> {
    if path.path.is_ident("Self") || path.path.is_ident(own) {
        return Some(());
    }
    match held(path) {
        Held::Plain => {}
        Held::Types(types) => {
            for part in types {
                collect(part, own, found)?;
            }
        }
        Held::Other => found.push(Type::Path(path.clone())),
    }
    Some(())
}
