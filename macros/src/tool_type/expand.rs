//! The expansion of the type: itself with the derives, and a few functions that they call.

use super::check::{Data, Field as Said};
use super::names::{says, text};
use super::parse::{each_field, serde};
use super::parts::{Derives, Parts};
use crate::errors::Errors;
use crate::token_search::with_type;
use crate::token_text::token_text;
use crate::tool::check::cfgs;
use crate::tool::expand::{at, constrained, preset_value, sample_type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, DeriveInput, Field, Fields, LitStr, Path, parse_quote};

pub(super) fn data(data: Data, errors: &Errors) -> TokenStream {
    let Data {
        runtime,
        argument,
        result,
        mut item,
        fields,
    } = data;
    let mut functions = TokenStream::new();
    let name = item.ident.unraw().to_string();
    let conditions = conditions(&item);
    let is_generic = !item.generics.params.is_empty();
    // Before the field gets attributes of ours, which would look like those that leave it out.
    let parts = Parts::of(&mut item);
    let parts_of = |place| parts.as_ref().filter(|parts| parts.cover(place));
    let mut place = 0;
    let mut flat = Vec::new();
    each_field(&mut item.data, &mut |field| {
        if field.ident.is_some() && !says(&field.attrs, &["flatten"]) {
            // schemars keeps the fields by name.
            let order = format!("{name}#{place:04}");
            let order = parse_quote!(#[schemars(extend("x-toolwright-order" = #order))]);
            field.attrs.push(order);
        }
        let said = fields.get(place).and_then(Option::as_ref);
        let aliases = aliases(&field.attrs, said);
        let is_property = field.ident.is_some() && !says(&field.attrs, &["flatten"]);
        if argument && is_property && !aliases.is_empty() {
            // Types that serde copies before it reads them are checked by the schema, which shows no other names.
            let aliases =
                parse_quote!(#[schemars(extend("x-toolwright-aliases" = [#(#aliases),*]))]);
            field.attrs.push(aliases);
        }
        let cfgs = conditions.get(place).map_or(&[][..], Vec::as_slice);
        // Only where the type is named in full, and always there, can a function be about it.
        if argument && says(&field.attrs, &["flatten"]) && !is_generic && cfgs.is_empty() {
            let helper = format_ident!("__{name}_flat_{place}");
            functions.extend(with_type(
                flat_function(&helper, field, &runtime, parts_of(place).is_some()),
                &item.ident,
            ));
            flat.push(helper);
        }
        if let Some(said) = said {
            let readable = parts_of(place).map(|parts| parts.readable(&item.ident, &runtime));
            let helpers = Helpers::new(&name, place, &runtime, readable);
            let attributes = helpers.attributes(said, says(&field.attrs, &["default"]));
            field.attrs.extend(attributes);
            functions.extend(with_type(helpers.functions(said, cfgs), &item.ident));
        }
        place += 1;
    });
    // schemars has no place for what is said of a flattened field.
    let flat = flat.iter();
    item.attrs
        .extend(flat.map(|helper| parse_quote!(#[schemars(transform = #helper)])));
    let (path, import) = path_for_derives(&item, &runtime);
    let (serde, schemars) = (format!("{path}::serde"), format!("{path}::schemars"));
    let private = quote!(#runtime::__private);
    let derives = Derives { argument, result };
    let parts = parts.map(|parts| parts.expand(&item, &runtime, &path, derives));
    let attribute = parts.is_none().then(|| {
        let argument = argument.then(|| quote!(#private::serde::Deserialize,));
        let result = result.then(|| quote!(#private::serde::Serialize,));
        quote!(#argument #result)
    });
    quote! {
        #[derive(#attribute #private::schemars::JsonSchema)]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
        #item
        #import
        #functions
        #parts
        #errors
    }
}

/// The function that looks whether a flattened field is of a type that can be.
fn flat_function(helper: &Ident, field: &Field, runtime: &Path, is_judged: bool) -> TokenStream {
    let (name, ty) = (field.ident.as_ref().map(Ident::to_string), &field.ty);
    let name = name.unwrap_or_default();
    let call = if is_judged {
        quote! {
            #[allow(unused_imports)]
            use #runtime::__private::fallback::*;
            #runtime::__private::FieldSchema::<#ty>(#runtime::__private::PhantomData)
                .__tool_flat(__schema, #name);
        }
    } else {
        quote!(#runtime::__private::flat_field::<#ty>(__schema, #name);)
    };
    quote! {
        #[doc(hidden)]
        #[allow(non_snake_case)]
        fn #helper(__schema: &mut #runtime::__private::schemars::Schema) {
            #call
        }
    }
}

/// The conditions of each field: those of the type, of the variant and its own.
fn conditions(item: &DeriveInput) -> Vec<Vec<Attribute>> {
    let of_type = cfgs(&item.attrs);
    let fields = |of_variant: &[Attribute], fields: &Fields| -> Vec<Vec<Attribute>> {
        let own = fields.iter().map(|field| cfgs(&field.attrs));
        own.map(|own| [&of_type, of_variant, &own].concat())
            .collect()
    };
    match &item.data {
        syn::Data::Struct(data) => fields(&[], &data.fields),
        syn::Data::Enum(data) => data
            .variants
            .iter()
            .flat_map(|variant| fields(&cfgs(&variant.attrs), &variant.fields))
            .collect(),
        syn::Data::Union(_) => Vec::new(),
    }
}

/// Returns the other names of a field: those of `#[arg(..)]` and of the author's `#[serde(..)]`.
fn aliases(attributes: &[Attribute], said: Option<&Said>) -> Vec<LitStr> {
    let own = said.into_iter().flat_map(|said| said.aliases.clone());
    let serde = serde(attributes);
    own.chain(serde.iter().filter_map(|said| text(said, "alias")))
        .collect()
}

/// The way to what the derives need, as their attributes take it: in a text, where no `$crate` can stand. With one the
/// path gets a name of its own.
fn path_for_derives(item: &DeriveInput, runtime: &Path) -> (String, Option<TokenStream>) {
    let path = token_text(runtime).replace(' ', "");
    if !path.contains('$') {
        return (format!("{path}::__private"), None);
    }
    let (cfgs, name) = (
        cfgs(&item.attrs),
        format_ident!("__{}_private", item.ident.unraw()),
    );
    let import = quote! {
        #(#cfgs)*
        #[doc(hidden)]
        use #runtime::__private as #name;
    };
    (name.to_string(), Some(import))
}

/// The functions of one field, which attributes name.
struct Helpers<'r> {
    runtime: &'r Path,
    /// Requires that the parts of the type can be read. A part that cannot be read is reported elsewhere.
    readable: Option<TokenStream>,
    default: Ident,
    example: Ident,
    read: Ident,
    describe: Ident,
}

impl<'r> Helpers<'r> {
    fn new(of: &str, place: usize, runtime: &'r Path, readable: Option<TokenStream>) -> Self {
        let name = |what: &str| format_ident!("__{of}_{what}_{place}");
        Self {
            runtime,
            readable,
            default: name("default"),
            example: name("example"),
            read: name("read"),
            describe: name("describe"),
        }
    }

    /// `has_default` says that serde knows already what the field is when it is absent.
    fn attributes(&self, field: &Said, has_default: bool) -> Vec<Attribute> {
        let Said {
            ty: _,
            name,
            aliases,
            default,
            example,
            constraints,
            is_option,
        } = field;
        let mut attributes = Vec::new();
        if let Some(name) = name {
            attributes.push(parse_quote!(#[serde(rename = #name)]));
        }
        for alias in aliases {
            attributes.push(parse_quote!(#[serde(alias = #alias)]));
        }
        if default.is_some() {
            let default = self.default.to_string();
            attributes.push(parse_quote!(#[serde(default = #default)]));
        }
        if example.is_some() {
            let example = &self.example;
            attributes.push(parse_quote!(#[schemars(example = #example())]));
        }
        if !constraints.is_empty() {
            let (read, describe) = (self.read.to_string(), &self.describe);
            attributes.push(parse_quote!(#[serde(deserialize_with = #read)]));
            attributes.push(parse_quote!(#[schemars(transform = #describe)]));
            // Serde reports an absent `Option` as missing if the field has its own `deserialize_with`.
            if *is_option && default.is_none() && !has_default {
                attributes.push(parse_quote!(#[serde(default)]));
            }
        }
        attributes
    }

    fn functions(&self, field: &Said, cfgs: &[Attribute]) -> TokenStream {
        let Said {
            ty,
            name: _,
            aliases: _,
            default,
            example,
            constraints,
            is_option,
        } = field;
        let runtime = self.runtime;
        let imports = quote! {
            #[allow(unused_imports)]
            use #runtime::__private as __tw;
        };
        let default = default.as_ref().map(|default| {
            let (name, value) = (&self.default, preset_value(default));
            quote! {
                #(#cfgs)*
                #[doc(hidden)]
                #[allow(non_snake_case, clippy::unnecessary_wraps)]
                fn #name() -> #ty {
                    #imports
                    #value
                }
            }
        });
        let example = example.as_ref().map(|example| {
            let (name, value, of) = (&self.example, preset_value(example), sample_type(ty));
            quote! {
                #(#cfgs)*
                #[doc(hidden)]
                #[allow(non_snake_case)]
                fn #name() -> impl #runtime::__private::serde::Serialize {
                    #imports
                    #[allow(unused_imports)]
                    use __tw::fallback::*;
                    (&__tw::Shown(&__tw::sample(#of, || #value))).__tool_json()
                }
            }
        });
        let own_default = if default.is_some() {
            let name = &self.default;
            quote!(::core::option::Option::Some(#name))
        } else {
            quote!(::core::option::Option::None)
        };
        let constraints = (!constraints.is_empty()).then(|| {
            let (read, describe) = (&self.read, &self.describe);
            let check = constrained(quote!(__c.of(0usize, ::core::option::Option::as_ref(__v))), constraints);
            let plain = (!is_option && default.is_none()).then(|| {
                quote_spanned!(at(ty.span())=> __tw::not_an_option(__tw::OptionProbe::<#ty>(__tw::PhantomData).__tool_option());)
            });
            let rules = quote!(|__c, __v| { #check });
            let readable = self.readable.as_ref();
            let assumed = readable.map(|readable| quote!(where #readable));
            let describing = if assumed.is_some() {
                quote! {
                    #[allow(unused_imports)]
                    use __tw::fallback::*;
                    __tw::FieldSchema::<#ty>(__tw::PhantomData)
                        .__tool_describe(__schema, #rules, #own_default);
                }
            } else {
                quote!(__tw::describe_field::<#ty>(__schema, #rules, #own_default);)
            };
            quote! {
                #(#cfgs)*
                #[doc(hidden)]
                #[allow(non_snake_case)]
                fn #read<'de, D: #runtime::__private::serde::Deserializer<'de>>(
                    __d: D,
                ) -> ::core::result::Result<#ty, D::Error>
                #assumed
                {
                    #imports
                    #[allow(unused_imports)]
                    use __tw::fallback::*;
                    #plain
                    __tw::read_field::<#ty, D>(__d, #rules)
                }

                #(#cfgs)*
                #[doc(hidden)]
                #[allow(non_snake_case)]
                fn #describe(__schema: &mut #runtime::__private::schemars::Schema) {
                    #imports
                    #describing
                }
            }
        });
        quote!(#default #example #constraints)
    }
}
