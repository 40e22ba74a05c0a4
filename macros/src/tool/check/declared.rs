//! The keys of `#[tool(..)]` that describe the tool.

use super::capabilities::check_capabilities;
use super::claims::check_aliases;
use super::determinism::check_determinism;
use super::pairs::{check_limits, check_metadata};
use super::{Flag, Form, function, texts};
use crate::docs::Docs;
use crate::duration::milliseconds;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::names::{function_name, tool_name_problem};
use crate::tool::keys::ToolKeys;
use crate::tool::model::{Callee, Declared, Effect};
use crate::values::{Bare, Switch};
use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::{Attribute, LitStr};

/// An effect with the key that said so.
pub(super) type Said<'a> = (Effect, &'a Ident);

/// All of it but the examples, which need the arguments.
pub(super) fn check(
    item: &Ident,
    form: &Form,
    attributes: &[Attribute],
    callee: &Callee,
    keys: ToolKeys,
    errors: &mut Errors,
) -> Declared {
    let ToolKeys {
        name,
        title,
        version,
        aliases,
        category,
        pure,
        read_only,
        idempotent,
        determinism,
        destructive,
        open_world,
        needs_approval,
        streaming,
        capabilities,
        timeout,
        limits,
        blocking,
        concurrent,
        durable,
        pool,
        explicit_only,
        metadata,
        described,
        // These keys set behaviour, or other stages read them.
        needs: _,
        permission: _,
        validate: _,
        cleanup: _,
        examples: _,
        register: _,
        struct_name: _,
        runtime: _,
        deny_undocumented: _,
    } = keys;
    let description = function::check_description(item, attributes, described, errors);
    let name = check_name(item, form, name, errors);
    let aliases = check_full_aliases(&name, texts(aliases), form, errors);
    let effect = check_effect(
        pure.as_ref(),
        read_only.as_ref(),
        idempotent.as_ref(),
        errors,
    );
    check_destructive(destructive.as_ref(), effect, errors);
    check_open_world(open_world.as_ref(), effect, errors);
    check_version(version.as_ref(), errors);
    let determinism = check_determinism(determinism.as_ref(), effect, errors);
    let capabilities = check_capabilities(texts(capabilities), errors);
    check_concurrent(concurrent.as_ref(), effect, errors);
    check_pool(pool.as_ref(), errors);
    let timeout_ms =
        timeout.and_then(|timeout| check_timeout(callee, blocking.is_some(), &timeout, errors));
    let limits = limits
        .map(|limits| check_limits(limits.value, errors))
        .unwrap_or_default();
    let metadata =
        metadata.map_or_else(Vec::new, |metadata| check_metadata(metadata.value, errors));
    Declared {
        name,
        title: value(title),
        description: description.unwrap_or(Docs::Text(String::new())),
        version: value(version),
        aliases,
        category: value(category),
        effect: effect.map(|(effect, _)| effect),
        determinism,
        destructive: on(destructive),
        open_world: on(open_world),
        needs_approval: on(needs_approval),
        streaming: on(streaming),
        capabilities,
        timeout_ms,
        limits,
        concurrent: concurrent.is_some(),
        durable: durable.is_some(),
        pool: value(pool),
        explicit_only: explicit_only.is_some(),
        examples: Vec::new(),
        metadata,
        deprecated: function::deprecated(attributes),
    }
}

fn value(text: Option<Keyed<LitStr>>) -> Option<LitStr> {
    text.map(|text| text.value)
}

fn on(switch: Option<Keyed<Switch>>) -> Option<bool> {
    switch.map(|switch| switch.value.0)
}

fn check_name(
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
fn check_full_aliases(
    name: &str,
    aliases: Vec<LitStr>,
    form: &Form,
    errors: &mut Errors,
) -> Vec<LitStr> {
    let aliases: Vec<LitStr> = aliases
        .into_iter()
        .map(|alias| LitStr::new(&form.full_name(&alias.value()), alias.span()))
        .collect();
    check_aliases("tool", Some(name), &aliases, tool_name_problem, errors);
    aliases
}

fn check_effect<'a>(
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

fn check_destructive(
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

fn is_no_version(version: &str) -> bool {
    version.is_empty() || version.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn check_open_world(
    open_world: Option<&Keyed<Switch>>,
    effect: Option<Said<'_>>,
    errors: &mut Errors,
) {
    if let (
        Some(Keyed {
            key,
            value: Switch(true),
        }),
        Some((Effect::Pure, effect)),
    ) = (open_world, effect)
    {
        let message = format!(
            "`{key}` contradicts `{effect}`: what touches nothing outside reaches no open world, so keep one"
        );
        errors.on(key, message);
    }
}

/// It stands in `name@version`.
fn check_version(version: Option<&Keyed<LitStr>>, errors: &mut Errors) {
    if let Some(Keyed { value, .. }) = version
        && is_no_version(&value.value())
    {
        errors.on(
            value,
            "a version is some text without spaces, such as `1.2.0`",
        );
    }
}

/// Refuses the key beside `pure` and `read_only`: a tool that changes nothing runs beside others anyway.
fn check_concurrent(concurrent: Flag<'_>, effect: Option<Said<'_>>, errors: &mut Errors) {
    if let (Some(Keyed { key, .. }), Some((Effect::Pure | Effect::ReadOnly, effect))) =
        (concurrent, effect)
    {
        let message = format!(
            "`{effect}` says that already: what changes nothing runs beside other calls, so remove `{key}`"
        );
        errors.on(key, message);
    }
}

/// Dispatchers name queues after pools, and most systems have these characters in such names.
fn check_pool(pool: Option<&Keyed<LitStr>>, errors: &mut Errors) {
    if let Some(Keyed { value, .. }) = pool
        && is_no_pool(&value.value())
    {
        errors.on(
            value,
            "a pool is 1 to 64 ASCII letters, digits, `-`, `_` and `.`, such as `gpu`",
        );
    }
}

/// Follows the runtime's rule for pools.
fn is_no_pool(pool: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !(1..=64).contains(&pool.len()) || !pool.chars().all(is_allowed)
}

fn check_timeout(
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
