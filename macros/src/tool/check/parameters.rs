//! The kind of each parameter, and the check that no two arguments have one name.

use super::claims::{Claim, check_aliases, check_claims};
use super::constraints::check_constraints;
use super::presets::check_presets;
use super::types::{Kind, is_no_object, is_option, kind_of, lent};
use super::{Form, texts};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::keys::{Keyed, Keys as _};
use crate::names::argument_name_problem;
use crate::token_text::token_text;
use crate::tool::keys::ArgKeys;
use crate::tool::model::{Argument, Parameter, Resource};
use crate::tool::parse;
use proc_macro2::{Ident, Span};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, LitStr, Meta, Pat, Token, Type};

/// The name of what has none, which nothing can mention.
const UNNAMED: &str = "__unnamed";

/// The runtime implements what it needs for tuples up to this length.
const MOST_ARGUMENTS: usize = 16;

pub(super) fn check_parameters(
    function: &Ident,
    form: &Form,
    lifetimes: &[String],
    parameters: Vec<parse::ParsedParameter>,
    errors: &mut Errors,
) -> (Vec<Parameter>, bool, bool) {
    let mut checked = Vec::new();
    let mut none_refused = true;
    let mut flattened = None;
    let mut claims = Vec::new();
    let mut arguments = 0;
    let mut first_too_many = None;
    for parse::ParsedParameter {
        pattern,
        ty,
        docs,
        marks,
        keys,
        conditions,
        derived,
    } in parameters
    {
        check_conditions(&pattern, form, &conditions, errors);
        refuse_derived(&pattern, &derived, errors);
        let label = match &pattern {
            Pat::Ident(name) => name.ident.to_string(),
            other => token_text(other),
        };
        let kind = errors.keep(kind_of(&label, &ty, lifetimes));
        let ident = errors.keep(check_pattern(&pattern, kind.as_ref()));
        none_refused &= ident.is_some();
        if let Some(Kind::Resource { ty, optional }) = kind {
            check_unmarked(&label, &marks, errors);
            checked.push(ident.map_or(Parameter::Refused, |ident| {
                Parameter::Resource(Resource {
                    ident,
                    ty,
                    optional,
                })
            }));
            continue;
        }
        let of_a_tool = kind.is_some();
        none_refused &= of_a_tool;
        arguments += 1;
        if arguments == MOST_ARGUMENTS + 1 {
            first_too_many = Some(pattern.clone());
        }
        if let Some(Keyed { key, .. }) = &keys.flatten {
            flattened = Some((key.clone(), label.clone()));
        }
        let argument = check_argument(&label, ident, ty, &docs, keys, &mut claims, errors);
        checked.push(if of_a_tool {
            Parameter::Argument(Box::new(argument))
        } else {
            Parameter::Refused
        });
    }
    check_claims(&claims, errors);
    if let Some(pattern) = first_too_many {
        errors.on(pattern, too_many(function, arguments));
    }
    if let Some((key, label)) = &flattened
        && arguments > 1
    {
        let message = format!(
            "`{label}` cannot be all the arguments of `{function}`, which takes {arguments}: \
             remove `{key}`, or take `{label}` alone"
        );
        errors.on(key, message);
    }
    // Rustc judges as many as a tool can have.
    let mut place = 0;
    checked.retain(|parameter| {
        place += usize::from(parameter.argument().is_some());
        parameter.argument().is_none() || place <= MOST_ARGUMENTS
    });
    let is_flat = flattened.is_some() && arguments == 1;
    (
        checked,
        is_flat,
        none_refused && arguments <= MOST_ARGUMENTS,
    )
}

/// Refuses arguments without a description: the model would see only the name and the type.
pub(super) fn check_documented(parameters: &[parse::ParsedParameter], errors: &mut Errors) {
    for parameter in parameters {
        // A flattened argument is the whole object: its fields are filled in, and it needs no description.
        let is_shown = lent(&parameter.ty).is_none() && parameter.keys.flatten.is_none();
        if is_shown && Docs::of(&parameter.docs).is_none() {
            errors.on(
                &parameter.pattern,
                undocumented(&token_text(&parameter.pattern)),
            );
        }
    }
}

pub(crate) fn undocumented(name: &str) -> String {
    format!(
        "`{name}` has no doc comment, and `deny_undocumented` demands one: write what goes in it, \
         such as `/// Path of the file.`"
    )
}

fn too_many(function: &Ident, arguments: usize) -> String {
    format!(
        "`{function}` takes {arguments} arguments, and a tool takes {MOST_ARGUMENTS} at most: \
         put some of them into a struct, and take that as one argument"
    )
}

fn check_conditions(pattern: &Pat, form: &Form, conditions: &[Attribute], errors: &mut Errors) {
    let whole = match form {
        Form::Free => "functions",
        Form::Method(_) => "methods",
        Form::Struct => "structs",
    };
    for condition in conditions {
        let name = token_text(pattern);
        let word = token_text(condition.path());
        let message = format!(
            "`#[{word}(..)]` on `{name}` would give the tool two schemas: \
             put it on two whole {whole}, one with `{name}` and one without"
        );
        errors.on(condition, message);
    }
}

/// Refuses attributes that the derives of serde and schemars read on a field, and that a parameter cannot have.
fn refuse_derived(pattern: &Pat, attributes: &[Attribute], errors: &mut Errors) {
    let read = Punctuated::<Meta, Token![,]>::parse_terminated;
    for attribute in attributes {
        let (name, of) = (token_text(pattern), token_text(attribute.path()));
        let said = attribute.parse_args_with(read).unwrap_or_default();
        let instead = said.first().and_then(in_place_of).map_or_else(
            || "what the model reads of it stands in `#[arg(..)]`, and the rest in a type of its own".to_owned(),
            |instead| format!("write `#[arg({instead})]`"),
        );
        let message = format!(
            "`#[{of}(..)]` is for the fields of a type, and `{name}` is a parameter: {instead}"
        );
        errors.on(attribute.path(), message);
    }
}

/// The key of `#[arg(..)]` that says the same.
fn in_place_of(said: &Meta) -> Option<String> {
    let text = match said {
        Meta::NameValue(pair) => Some(token_text(&pair.value)),
        _ => None,
    };
    let text = text.as_deref();
    Some(match said.path().get_ident()?.to_string().as_str() {
        "default" => text.map_or_else(
            || "default".to_owned(),
            |path| format!("default = {}()", path.trim_matches('"')),
        ),
        "rename" => format!("name = {}", text.unwrap_or("\"..\"")),
        "alias" => format!("aliases({})", text.unwrap_or("\"..\"")),
        "flatten" => "flatten".to_owned(),
        "range" => "range = 1..=100".to_owned(),
        "length" => "length = 1..=64".to_owned(),
        "regex" | "pattern" => format!("pattern = {}", text.unwrap_or("\"..\"")),
        "example" => format!("example = {}", text.unwrap_or("..")),
        _ => return None,
    })
}

fn check_pattern(pattern: &Pat, kind: Option<&Kind>) -> syn::Result<Ident> {
    let wrong = match pattern {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
            return Ok(name.ident.clone());
        }
        // A resource is found by its type, so it needs no name.
        Pat::Wild(wild) if matches!(kind, Some(Kind::Resource { .. })) => {
            return Ok(Ident::new(UNNAMED, wild.underscore_token.span));
        }
        Pat::Wild(_) => "`_` is no name, and the model fills an argument in by its name: \
                         write one such as `_path`, and `#[arg(name = \"path\")]` in front of it"
            .to_owned(),
        other => format!(
            "`{}` has no name of its own, by which the model could fill it in: \
             name the parameter, and take it apart in the body",
            token_text(other)
        ),
    };
    Err(Error::new_spanned(pattern, wrong))
}

fn check_unmarked(label: &str, marks: &[Attribute], errors: &mut Errors) {
    if let Some(mark) = marks.first() {
        let message = format!(
            "`#[arg(..)]` is for what the model fills in, and `{label}` comes from the app by reference: \
             remove it, or take `{label}` by value"
        );
        errors.on(mark.path(), message);
    }
}

fn check_argument(
    label: &str,
    ident: Option<Ident>,
    ty: Type,
    docs: &[Attribute],
    mut keys: ArgKeys,
    claims: &mut Vec<Claim>,
    errors: &mut Errors,
) -> Argument {
    if let Some(Keyed { key: flatten, .. }) = &keys.flatten {
        let mut alone = true;
        for key in keys.given().into_iter().filter(|key| *key != flatten) {
            alone = false;
            let message = format!(
                "`{key}` is about one argument, and with `{flatten}` there are as many as `{label}` has fields: \
                 keep one of the two"
            );
            errors.on(key, message);
        }
        if alone {
            check_whole(label, &ty, flatten, errors);
        }
    }
    let aliases = texts(keys.aliases.take());
    let name = check_name(ident.as_ref(), keys.name.take(), errors);
    let own = name.as_ref().map(LitStr::value);
    check_aliases(
        "argument",
        own.as_deref(),
        &aliases,
        argument_name_problem,
        errors,
    );
    if let (Some(ident), Some(name)) = (&ident, &name) {
        claims.push(Claim::new(ident, name.value(), name.to_token_stream()));
        claims.extend(
            aliases
                .iter()
                .map(|alias| Claim::new(ident, alias.value(), alias.to_token_stream())),
        );
    }
    let before = errors.count();
    let constraints = check_constraints(&mut keys, errors);
    if let (Some(Keyed { key, .. }), Some(_)) = (&keys.example, &keys.secret) {
        let message = format!(
            "`{key}` would show a value of `{label}`, which is `secret`: remove one of the two"
        );
        errors.on(key, message);
    }
    let (default, example) = check_presets(
        Some(label),
        &ty,
        keys.default,
        keys.example,
        &constraints,
        errors,
    );
    // Rustc judges the rest alone: of what was refused it would tell once more.
    let right = errors.count() == before;
    let (default, example) = (default.filter(|_| right), example.filter(|_| right));
    let constraints = if right { constraints } else { Vec::new() };
    Argument {
        ident: ident.unwrap_or_else(|| Ident::new(UNNAMED, Span::call_site())),
        ty,
        name: name.map(|name| name.value()).unwrap_or_default(),
        description: Docs::of(docs).map(Docs::whole),
        aliases,
        default,
        constraints,
        example,
        secret: keys.secret.is_some(),
    }
}

/// All arguments together are an object, which is always there. The runtime looks at types by other names.
fn check_whole(label: &str, ty: &Type, flatten: &Ident, errors: &mut Errors) {
    let written = token_text(ty);
    if is_option(ty) {
        let message = format!(
            "the arguments of a call are an object that is always there, and `{label}` is an `Option`: \
             take what is in it, or remove `{flatten}`"
        );
        errors.on(ty, message);
    } else if is_no_object(ty) {
        let message = format!(
            "the arguments of a call are an object, which no `{written}` can be read from: \
             remove `{flatten}`, and `{label}` is one argument of it"
        );
        errors.on(ty, message);
    }
}

/// The argument's name, at the place that gives it.
fn check_name(
    ident: Option<&Ident>,
    given: Option<Keyed<LitStr>>,
    errors: &mut Errors,
) -> Option<LitStr> {
    if let Some(Keyed { value, .. }) = given {
        if let Some(problem) = argument_name_problem(&value.value()) {
            errors.on(&value, problem);
        }
        return Some(value);
    }
    let ident = ident?;
    let name = ident.unraw().to_string();
    if let Some(problem) = argument_name_problem(&name) {
        let message = format!(
            "`{ident}` cannot name the argument, so add `#[arg(name = \"..\")]`: {problem}"
        );
        errors.on(ident, message);
    }
    Some(LitStr::new(&name, ident.span()))
}
