//! What the keys of `#[tool(..)]` say of the tool.

use super::{Flag, Form};
use crate::duration::milliseconds;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::literal::{Known, Literal};
use crate::names::{function_name, listed, meant, nearest, tool_name_problem};
use crate::show::show;
use crate::size::bytes;
use crate::tool::model::{Callee, Effect, Limits, Metadata, MetadataValue};
use crate::values::{Bare, Pair, Pairs, Switch};
use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::{Error, Expr, Lit, LitStr};

/// An effect with the key that said so.
type Said<'a> = (Effect, &'a Ident);

pub(super) fn check_name(
    item: &Ident,
    form: &Form,
    given: Option<Keyed<LitStr>>,
    errors: &mut Errors,
) -> String {
    if let Some(Keyed { value, .. }) = given {
        let name = form.full_name(&value.value());
        if let Some(problem) = tool_name_problem(&name) {
            errors.on(value, problem);
        }
        return name;
    }
    let own = item.unraw().to_string();
    let name = form.full_name(&match form {
        Form::Struct => function_name(&own),
        Form::Free | Form::Method(_) => own,
    });
    if let Some(problem) = tool_name_problem(&name) {
        errors.on(
            item,
            format!("`{item}` cannot name the tool, so add `name = \"..\"`: {problem}"),
        );
    }
    name
}

/// The aliases in full.
pub(super) fn check_aliases(
    name: &str,
    aliases: Vec<LitStr>,
    form: &Form,
    errors: &mut Errors,
) -> Vec<LitStr> {
    let aliases: Vec<LitStr> = aliases
        .into_iter()
        .map(|alias| LitStr::new(&form.full_name(&alias.value()), alias.span()))
        .collect();
    let mut seen = Vec::new();
    for literal in &aliases {
        let alias = literal.value();
        if let Some(problem) = tool_name_problem(&alias) {
            errors.on(literal, problem);
        } else if alias == name {
            errors.on(
                literal,
                format!("`{alias}` is the tool's name already: remove the alias"),
            );
        } else if seen.contains(&alias) {
            errors.on(
                literal,
                format!("the alias `{alias}` is given twice: keep one of them"),
            );
        }
        seen.push(alias);
    }
    aliases
}

pub(super) fn check_effect<'a>(
    pure: Option<&'a Keyed<Bare>>,
    read_only: Option<&'a Keyed<Bare>>,
    idempotent: Option<&'a Keyed<Bare>>,
    errors: &mut Errors,
) -> Option<Said<'a>> {
    let said = [
        (pure, Effect::Pure),
        (read_only, Effect::ReadOnly),
        (idempotent, Effect::Idempotent),
    ];
    let mut said = said
        .into_iter()
        .filter_map(|(key, effect)| key.map(|Keyed { key, .. }| (effect, key)));
    let first = said.next();
    for (_, second) in said {
        if let Some((_, first)) = &first {
            let message = format!(
                "`{first}` and `{second}` exclude each other: a tool has one effect, so keep one"
            );
            errors.on(second, message);
        }
    }
    first
}

pub(super) fn check_destructive(
    destructive: Option<&Keyed<Switch>>,
    effect: Option<Said<'_>>,
    errors: &mut Errors,
) {
    if let Some(Keyed {
        key,
        value: Switch(true),
    }) = destructive
        && let Some((Effect::Pure | Effect::ReadOnly, effect)) = effect
    {
        let message = format!(
            "`{key}` contradicts `{effect}`: what changes nothing destroys nothing, so keep one"
        );
        errors.on(key, message);
    }
}

const DETERMINISMS: [(&str, &str); 3] = [
    ("deterministic", "Deterministic"),
    ("bounded", "Bounded"),
    ("non_deterministic", "NonDeterministic"),
];

/// The name of the runtime's variant.
pub(super) fn check_determinism(
    given: Option<&Keyed<Ident>>,
    effect: Option<Said<'_>>,
    errors: &mut Errors,
) -> Option<&'static str> {
    let Keyed { key, value } = given?;
    let Some((word, variant)) = DETERMINISMS.iter().find(|(word, _)| value == word) else {
        let words = || DETERMINISMS.iter().map(|(word, _)| *word);
        let hint = meant(nearest(&value.to_string(), words()));
        let message = format!(
            "`{value}` is no `{key}`{hint}\nthere are {}",
            listed(words())
        );
        errors.on(value, message);
        return None;
    };
    if let (Some((Effect::Pure, pure)), "non_deterministic") = (effect, *word) {
        let message = format!(
            "`{word}` contradicts `{pure}`: what touches nothing outside gives the same for the same, so keep one"
        );
        errors.on(value, message);
    }
    Some(variant)
}

pub(super) fn check_capabilities(capabilities: Vec<LitStr>, errors: &mut Errors) -> Vec<LitStr> {
    let mut seen = Vec::new();
    for literal in &capabilities {
        let capability = literal.value();
        if let Some(problem) = capability_problem(&capability) {
            errors.on(literal, problem);
        } else if seen.contains(&capability) {
            errors.on(
                literal,
                format!("the capability `{capability}` is given twice: keep one of them"),
            );
        }
        seen.push(capability);
    }
    capabilities
}

/// The runtime's rule, told before anything runs.
fn capability_problem(capability: &str) -> Option<String> {
    let rule = "a capability is `domain:action:scope`, as in `fs:read:/data`";
    let mut parts = capability.splitn(3, ':');
    let (domain, action, scope) = (parts.next()?, parts.next(), parts.next());
    let (Some(action), Some(scope)) = (action, scope) else {
        return Some(format!("`{capability}` has too few parts\n{rule}"));
    };
    let word = |part: &str| {
        part.chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    if [domain, action, scope].contains(&"") {
        Some(format!("`{capability}` has an empty part\n{rule}"))
    } else if [domain, action, scope].contains(&"*") || scope.ends_with("/*") {
        Some(format!(
            "`{capability}` is a pattern, and a tool says exactly what it needs: \
             `*` is for what the app grants\n{rule}"
        ))
    } else if !word(domain) || !word(action) {
        Some(format!(
            "`{capability}` has a character that no domain or action has: they are made of letters, digits, \
             `_`, `-` and `.`\n{rule}"
        ))
    } else if scope.trim() != scope || scope.chars().any(is_unseen) {
        Some(format!(
            "`{}` has a character in its scope that people do not see\n{rule}",
            capability.escape_debug()
        ))
    } else {
        None
    }
}

/// Characters that hide, or that change how the others are shown.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What changes nothing runs beside others anyway.
pub(super) fn check_concurrent(
    concurrent: Flag<'_>,
    effect: Option<Said<'_>>,
    errors: &mut Errors,
) {
    if let (Some(Keyed { key, .. }), Some((Effect::Pure | Effect::ReadOnly, effect))) =
        (concurrent, effect)
    {
        let message = format!(
            "`{effect}` says that already: what changes nothing runs beside other calls, so remove `{key}`"
        );
        errors.on(key, message);
    }
}

pub(super) fn check_timeout(
    callee: &Callee,
    blocking: bool,
    timeout: &Keyed<LitStr>,
    errors: &mut Errors,
) -> Option<u64> {
    let Keyed { key, value } = timeout;
    if let Callee::Function(function) | Callee::Method { function, .. } = callee
        && !function.is_async
        && !blocking
    {
        let name = &function.ident;
        let message = format!(
            "`{key}` cannot be kept: nothing interrupts the body of `{name}`, which is not `async`; \
             make it `async fn {name}`, add `blocking`, or remove `{key}`"
        );
        errors.on(key, message);
    }
    match milliseconds(&value.value()) {
        Ok(milliseconds) => Some(milliseconds),
        Err(problem) => {
            errors.on(value, problem);
            None
        }
    }
}

const LIMITS: [&str; 3] = ["memory", "fuel", "output"];

pub(super) fn check_limits(Pairs(pairs): Pairs, errors: &mut Errors) -> Limits {
    let mut limits = Limits::default();
    for Pair { key, value } in pairs {
        let name = key.value();
        let place = match name.as_str() {
            "memory" => &mut limits.memory,
            "fuel" => &mut limits.fuel,
            "output" => &mut limits.output,
            _ => {
                let hint = meant(nearest(&name, LIMITS.into_iter()));
                let known = listed(LIMITS.into_iter());
                errors.on(
                    &key,
                    format!("there is no limit `{name}`{hint}\nthe limits are {known}"),
                );
                continue;
            }
        };
        if place.is_some() {
            errors.on(&key, format!("`{name}` is given twice: keep one of them"));
            continue;
        }
        *place = errors.keep(limit(&name, &value));
    }
    limits
}

fn limit(name: &str, value: &Expr) -> syn::Result<u64> {
    let literal = Literal::of(value);
    let known = literal.as_ref().and_then(Literal::known);
    let problem = match (name, known) {
        ("fuel", Some(Known::Integer(number))) if number > 0 => match u64::try_from(number) {
            Ok(number) => return Ok(number),
            Err(_) => format!("`{}` is more fuel than can be counted", show(value)),
        },
        ("fuel", _) => {
            "`fuel` takes a whole number above zero: write `fuel = 1_000_000`".to_owned()
        }
        (_, Some(Known::Text(text))) => match bytes(&text) {
            Ok(bytes) => return Ok(bytes),
            Err(problem) => problem,
        },
        _ => format!("`{name}` takes a size: write `{name} = \"64KiB\"`"),
    };
    Err(Error::new_spanned(value, problem))
}

pub(super) fn check_metadata(Pairs(pairs): Pairs, errors: &mut Errors) -> Vec<Metadata> {
    let mut seen = Vec::new();
    let mut metadata = Vec::new();
    for Pair { key, value } in pairs {
        let name = key.value();
        if name.is_empty() {
            errors.on(
                &key,
                "a key of `metadata` is not empty: write one such as `\"team\"`",
            );
        } else if seen.contains(&name) {
            errors.on(
                &key,
                format!("`{name}` is given twice in `metadata`: keep one of them"),
            );
        }
        let literal = Literal::of(&value);
        if let Some(value) = literal.as_ref().and_then(metadata_value) {
            metadata.push(Metadata { key, value });
        } else {
            errors.on(&value, metadata_problem(&name, &value, literal.as_ref()));
        }
        seen.push(name);
    }
    metadata
}

fn metadata_problem(name: &str, value: &Expr, literal: Option<&Literal>) -> String {
    let value = show(value);
    match literal.map(|literal| &literal.lit) {
        Some(Lit::Int(_) | Lit::Float(_)) => {
            format!("`{value}` is too large for `{name}`: write it as a string")
        }
        _ => format!(
            "`{value}` cannot be the value of `{name}`: \
             metadata is strings, numbers, `true` and `false`, written as literals"
        ),
    }
}

fn metadata_value(literal: &Literal) -> Option<MetadataValue> {
    match (literal.known()?, &literal.lit) {
        (Known::Text(_), Lit::Str(text)) => Some(MetadataValue::Text(text.clone())),
        (Known::Bool(truth), _) => Some(MetadataValue::Bool(truth)),
        (Known::Integer(number), _) if i64::try_from(number).is_ok() => {
            Some(MetadataValue::Integer(literal.clone()))
        }
        (Known::Float(_), _) => Some(MetadataValue::Float(literal.clone())),
        _ => None,
    }
}
