//! The hooks: what a tool has beyond its declaration and its run, each left out where there is nothing to do.

use super::call::{context, convert, this};
use super::mentions::Mentions;
use super::statics::{flag, with};
use super::{at, constraints, index, nameable, presets, unlinted};
use crate::token_search;
use crate::token_text::token_text;
use crate::tool::model::{Argument, Callee, Parameter, Resource, Structure, Tool};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

pub(super) fn hooks(tool: &Tool, arguments: &[&Argument]) -> TokenStream {
    let blocking = flag("blocking", tool.blocking);
    let needs = needs(tool);
    let fill = presets::fill(arguments);
    let check = constraints::check(arguments);
    let validate = validate(tool, arguments);
    let ask = ask(tool);
    let cleanup = cleanup(tool);
    let samples = presets::samples(arguments);
    let output = output(&tool.callee);
    quote!(#blocking #needs #fill #check #validate #ask #cleanup #samples #output)
}

/// The resources by type, in the order in which the signature first mentions them.
fn needs(tool: &Tool) -> Option<TokenStream> {
    let mut seen = Vec::new();
    let mut keys = Vec::new();
    for Resource {
        ident: _,
        ty,
        optional,
    } in tool.parameters.iter().filter_map(Parameter::resource)
    {
        let mention = (token_text(ty), *optional);
        if !seen.contains(&mention) {
            seen.push(mention);
            let kind = if *optional {
                quote!(optional)
            } else {
                quote!(of)
            };
            keys.push(quote!(__tw::ResourceKey::#kind::<#ty>()));
        }
    }
    keys.extend(tool.needs.iter().map(|ty| quote!(__tw::needed::<#ty>())));
    // Only a constant lasts longer than the call that makes it.
    let keys = (!keys.is_empty()).then(|| quote!(const { &[#(#keys),*] }));
    with("needs", keys)
}

/// The author's own judgement of arguments that are valid one by one.
fn validate(tool: &Tool, arguments: &[&Argument]) -> Option<TokenStream> {
    let validate = tool.validate.as_ref()?;
    let values = format_ident!("__a", span = Span::mixed_site());
    let place = at(validate.span());
    let inputs = (0..arguments.len()).map(|position| {
        let index = index(position);
        quote_spanned!(place=> &#values.#index)
    });
    let types: Vec<&Type> = arguments.iter().map(|argument| &argument.ty).collect();
    // The error for a function of another form names the wanted signature.
    let wanted = quote!(fn(#(&#types),*) -> ::core::result::Result<(), ::std::string::String>);
    let told = quote_spanned! {place=>
        (&__tw::Judge::<(#(#types,)*), _>(#validate, __tw::PhantomData)).__tool_validator()
    };
    let function = quote_spanned!(place=> __tw::validator::<#wanted, _>(#told));
    let judged = quote_spanned!(place=> __tw::validated(#function(#(#inputs),*)));
    with("validate", Some(quote!(|#values| #judged)))
}

/// The permission expression, with the parameters that it mentions in scope by reference.
fn ask(tool: &Tool) -> Option<TokenStream> {
    let permission = tool.permission.as_ref()?;
    let (values, context) = (format_ident!("__a", span = Span::mixed_site()), context());
    let arguments = tool
        .parameters
        .iter()
        .filter_map(Parameter::argument)
        .enumerate()
        .map(|(position, argument)| {
            let index = index(position);
            (argument.ident.clone(), quote!(&#values.#index))
        })
        .collect();
    let bindings = bindings(tool, &permission.to_token_stream(), arguments);
    let receiver = format_ident!("__h", span = Span::mixed_site());
    let (own, permission_tokens) = match tool.callee {
        Callee::Method {
            takes_self: true, ..
        } if token_search::value(permission.to_token_stream()).is_some() => {
            let this = this();
            let own = quote!(let #this = __tw::peek_receiver::<Self>(#receiver)?;);
            let asked = token_search::with_value(permission.to_token_stream(), &this);
            (Some(own), asked)
        }
        _ => (None, permission.to_token_stream()),
    };
    let requests = quote_spanned!(at(permission.span())=> __tw::IntoRequests::into_requests(#permission_tokens));
    let ask = quote!(|#values, #receiver, #context| { #own #(#bindings)* #requests });
    with("ask", Some(ask))
}

/// The variables that an expression mentions, in scope by reference: arguments, resources, and the context of a struct.
fn bindings(
    tool: &Tool,
    expression: &TokenStream,
    arguments: Vec<(Ident, TokenStream)>,
) -> Vec<TokenStream> {
    let mentions = Mentions::of(expression.clone());
    let context = context();
    let resources = tool.parameters.iter().filter_map(Parameter::resource);
    let resources = resources.map(
        |Resource {
             ident,
             ty,
             optional,
         }| {
            let value = if *optional {
                quote!(__tw::peek_optional::<#ty>(#context))
            } else {
                quote!(__tw::peek::<#ty>(#context)?)
            };
            (ident.clone(), value)
        },
    );
    let own_context = own_context(tool).map(|ident| (ident, quote!(#context)));
    let all = arguments.into_iter().chain(resources).chain(own_context);
    all.filter(|(ident, _)| mentions.contain(ident))
        // A mention may turn out to be a field or a method of the same name.
        .map(|(ident, value)| quote!(#[allow(unused_variables)] let #ident = #value;))
        .collect()
}

/// Emits the cleanup after a session, with the session and the resources that it mentions in scope.
fn cleanup(tool: &Tool) -> Option<TokenStream> {
    let cleanup = tool.cleanup.as_ref()?;
    let context = context();
    let bindings = bindings(tool, &cleanup.to_token_stream(), Vec::new());
    let lent = quote!(#(#bindings)*);
    let name = tool.callee.ident();
    let cleaned = cleaned(cleanup.span(), &lent, &cleanup.to_token_stream(), name);
    with("cleanup", Some(quote!(|#context| #cleaned)))
}

/// The future of the author's expression, with the session in scope: a result without a value.
pub(crate) fn cleaned(
    place: Span,
    lent: &TokenStream,
    expression: &TokenStream,
    name: &Ident,
) -> TokenStream {
    let context = context();
    let session = Ident::new("session", Span::call_site());
    let convert = convert(None, name);
    let returned = quote_spanned!(at(place)=> let __r = #expression;);
    quote! {
        ::std::boxed::Box::pin(async move {
            #[allow(unused_variables)]
            let #session = #context.session_id();
            #lent
            #returned
            let __hint = 0usize;
            ::core::result::Result::map({ #convert }, ::core::mem::drop)
        })
    }
}

/// A struct's permission sees the context as `ctx`, for want of a parameter to name it.
fn own_context(tool: &Tool) -> Option<Ident> {
    let taken = tool
        .parameters
        .iter()
        .filter_map(Parameter::argument)
        .any(|argument| argument.ident == "ctx");
    match tool.callee {
        Callee::Struct(_) if !taken => Some(Ident::new("ctx", Span::call_site())),
        _ => None,
    }
}

/// The schema of what is returned, where its type can be named.
fn output(callee: &Callee) -> Option<TokenStream> {
    let ty = match callee {
        Callee::Function(function) | Callee::Method { function, .. } => {
            nameable(function.returned.as_ref())?.to_token_stream()
        }
        Callee::Struct(Structure { ident }) => {
            let name = unlinted(ident);
            quote_spanned!(name.span()=> <#name as __tw::RunTool>::Output)
        }
    };
    let schema = quote!(|| (&&__tw::SchemaOf::<#ty>(__tw::PhantomData)).__tool_schema());
    with("output", Some(schema))
}
