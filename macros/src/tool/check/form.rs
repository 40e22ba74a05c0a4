//! The form that a tool is written in, and the keys that this form has.

use super::Flag;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::token_search;
use crate::tool::keys::ToolKeys;
use crate::tool::model::{Callee, Judged};
use crate::tool::parse::ParsedParameter;
use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::{Attribute, Expr};

/// A tool as written, whatever its form.
pub(crate) struct Written<'w> {
    pub(crate) form: Form,
    /// Names the tool in messages, and in the spec unless a key does.
    pub(crate) ident: &'w Ident,
    /// The names of the lifetimes that it declares.
    pub(crate) lifetimes: Vec<String>,
    pub(crate) attributes: &'w [Attribute],
    pub(crate) callee: Callee,
    pub(crate) judged: Judged,
    pub(crate) keys: ToolKeys,
    pub(crate) parameters: Vec<ParsedParameter>,
}

pub(crate) enum Form {
    /// `#[tool]` on a free function.
    Free,
    /// `#[tool]` on a method under `#[toolset]`.
    Method(MethodOf),
    /// `#[derive(Tool)]`.
    Struct,
}

/// The facts about the block that a method stands in.
pub(crate) struct MethodOf {
    /// The text in front of the method's name, without the dot.
    pub(crate) prefix: Option<String>,
    /// Each argument has to be documented.
    pub(crate) deny_undocumented: bool,
    /// The names of the lifetimes that the block declares.
    pub(crate) lifetimes: Vec<String>,
}

impl Form {
    /// The name of a tool whose own part is `name`.
    pub(super) fn full_name(&self, name: &str) -> String {
        match self {
            Self::Method(MethodOf {
                prefix: Some(prefix),
                ..
            }) => format!("{prefix}.{name}"),
            Self::Free | Self::Method(_) | Self::Struct => name.to_owned(),
        }
    }

    /// The names of the lifetimes that are declared around the item.
    pub(super) fn lifetimes(&self) -> &[String] {
        match self {
            Self::Method(of) => &of.lifetimes,
            Self::Free | Self::Struct => &[],
        }
    }

    /// Refuses keys that the form does not have.
    pub(super) fn check_keys(
        &self,
        ToolKeys {
            register,
            struct_name,
            runtime,
            blocking,
            cleanup,
            ..
        }: &ToolKeys,
        errors: &mut Errors,
    ) {
        match self {
            Self::Free => {}
            Self::Method(_) => {
                if let Some(Keyed { key, .. }) = register {
                    let message = format!(
                        "`{key}` is for what `discover!()` finds, and that is no method: \
                         remove it; `.with_set(value)` registers the block"
                    );
                    errors.on(key, message);
                }
                if let Some(Keyed { key, .. }) = struct_name {
                    let message = format!(
                        "`{key}` names the struct of a free function, and a method has none: remove it"
                    );
                    errors.on(key, message);
                }
                let of_block = [
                    runtime.as_ref().map(|runtime| &runtime.key),
                    cleanup.as_ref().map(|cleanup| &cleanup.key),
                ];
                for key in of_block.into_iter().flatten() {
                    let message =
                        format!("`{key}` holds for the whole block: write it in `#[toolset(..)]`");
                    errors.on(key, message);
                }
            }
            Self::Struct => {
                if let Some(Keyed { key, .. }) = struct_name {
                    let message =
                        format!("`{key}` names a new struct, and this is one: remove `{key}`");
                    errors.on(key, message);
                }
                if let Some(Keyed { key, .. }) = blocking {
                    let message = format!(
                        "`{key}` is for a body that is not `async`, and `RunTool::run` is: remove it, \
                         and call `tokio::task::spawn_blocking` in `run`"
                    );
                    errors.on(key, message);
                }
            }
        }
    }
}

/// A permission is asked before anything runs, and for a struct before there is a value. `false` for one that was
/// refused.
pub(super) fn check_permission(
    callee: &Callee,
    permission: Option<&Keyed<Expr>>,
    errors: &mut Errors,
) -> bool {
    let Some(Keyed { key, value }) = permission else {
        return true;
    };
    let message = match callee {
        Callee::Struct(_) => format!(
            "there is no value yet when `{key}` is asked: each field is there by its own name, \
             as in `{key} = FileAccess::read(path)`"
        ),
        Callee::Method {
            function,
            takes_self: false,
        } => {
            let name = &function.ident;
            format!(
                "`{name}` takes no `self` that `{key}` could use: take `&self`, or leave `self` out"
            )
        }
        // A function that takes `self` is refused for that.
        Callee::Method { .. } | Callee::Function(_) => return true,
    };
    let word = token_search::value(value.to_token_stream());
    let right = word.is_none();
    if let Some(word) = word {
        errors.on(word, message);
    }
    right
}

/// A session ends when there is no call, and so no value of a struct.
/// `false` for what was refused.
pub(super) fn check_cleanup(
    callee: &Callee,
    cleanup: Option<&Keyed<Expr>>,
    errors: &mut Errors,
) -> bool {
    let Some(Keyed { key, value }) = cleanup else {
        return true;
    };
    let word = token_search::value(value.to_token_stream());
    let right = word.is_none();
    if let Some(word) = word {
        let sees = match callee {
            Callee::Struct(_) => format!(
                "`session` and the context, as in `{key} = ctx.require::<Notes>()?.forget(session)`"
            ),
            _ => format!("`session` and what the app lends, as in `{key} = notes.forget(session)`"),
        };
        let message = format!("there is no `self` when a session has ended: `{key}` sees {sees}");
        errors.on(word, message);
    }
    right
}

/// Only a body that is not async can block without being able to wait.
/// `true` for one that blocks.
pub(super) fn check_blocking(callee: &Callee, blocking: Flag<'_>, errors: &mut Errors) -> bool {
    let (Callee::Function(function) | Callee::Method { function, .. }, Some(Keyed { key, .. })) =
        (callee, blocking)
    else {
        return false;
    };
    if function.is_async {
        let name = &function.ident;
        let message = format!(
            "`{key}` moves a body that is not `async` to a thread that may block: \
             make it `fn {name}`, or remove `{key}`"
        );
        errors.on(key, message);
    }
    !function.is_async
}
