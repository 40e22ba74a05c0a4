//! The parameters that a tool takes by reference: things of the app, found by their type.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::body::BodyContext;
use super::from_model::{FromModel, is_from_model};
use super::tool_context::ToolContext;
use crate::content::ToolError;

/// The types that can stand behind a `&` in a tool's signature: anything of the app that threads can share.
///
/// Implemented for every such type, trait objects too; there is nothing to implement.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be a parameter of a tool",
    label = "what is taken by reference comes from the app and is shared: it must be `Send + Sync + 'static`",
    note = "an argument that the model fills in is taken by value"
)]
pub trait Resource: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + Send + Sync + 'static> Resource for T {}

/// The type of a resource that a tool needs, for [`Tool::needs`](crate::Tool::needs).
#[derive(Clone, Copy)]
pub struct ResourceKey {
    id: fn() -> TypeId,
    name: fn() -> &'static str,
    required: bool,
}

impl ResourceKey {
    /// The key of a type that must be there.
    pub const fn of<T: ?Sized + 'static>() -> Self {
        Self {
            id: TypeId::of::<T>,
            name: type_name::<T>,
            required: true,
        }
    }

    /// The key of a type that may be there.
    pub const fn optional<T: ?Sized + 'static>() -> Self {
        Self {
            required: false,
            ..Self::of::<T>()
        }
    }

    /// The name of the type, for people.
    pub fn type_name(&self) -> &'static str {
        (self.name)()
    }

    /// Returns true if the tool cannot run without it.
    pub fn is_required(&self) -> bool {
        self.required
    }
}

impl ResourceKey {
    /// Returns true if both are keys of one type.
    pub(crate) fn is_same_type(&self, other: &Self) -> bool {
        (self.id)() == (other.id)()
    }

    /// Returns true if the type is one that a model could fill in, so that no app lends it.
    pub(crate) fn is_from_model(&self) -> bool {
        is_from_model((self.id)())
    }
}

impl fmt::Debug for ResourceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResourceKey({})", self.type_name())
    }
}

/// The things of the app, each under its type.
#[derive(Clone, Default)]
pub(crate) struct Resources {
    by_type: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

impl Resources {
    pub(crate) fn put<T: ?Sized + Resource>(&mut self, value: Arc<T>) {
        // An `Arc<T>` is sized and `'static` for an unsized `T` too.
        self.by_type.insert(TypeId::of::<T>(), Arc::new(value));
    }

    /// These, and of another's those of other types.
    pub(crate) fn over(self, other: &Arc<Self>) -> Arc<Self> {
        if self.by_type.is_empty() {
            return Arc::clone(other);
        }
        let mut by_type = other.by_type.clone();
        by_type.extend(self.by_type);
        Arc::new(Self { by_type })
    }

    pub(crate) fn get<T: ?Sized + 'static>(&self) -> Option<&T> {
        let value = self.by_type.get(&TypeId::of::<T>())?;
        value.downcast_ref::<Arc<T>>().map(|value| &**value)
    }

    /// Returns true if there is a thing of the type.
    pub(crate) fn has(&self, key: &ResourceKey) -> bool {
        self.by_type.contains_key(&(key.id)())
    }

    /// Returns true if a tool with that need can run.
    pub(crate) fn satisfies(&self, key: &ResourceKey) -> bool {
        let id = (key.id)();
        !key.required || id == TypeId::of::<ToolContext>() || self.by_type.contains_key(&id)
    }
}

impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Resources({})", self.by_type.len())
    }
}

/// The resource, or the context itself if that is the type.
fn find<T: ?Sized + 'static>(ctx: &ToolContext) -> Option<&T> {
    // A function pointer is sized whatever it returns, so this compares types without unsafe
    // code; for a type that is not the context it folds to nothing.
    let own: fn(&ToolContext) -> &ToolContext = |ctx| ctx;
    if let Some(own) = (&own as &dyn Any).downcast_ref::<fn(&ToolContext) -> &T>() {
        return Some(own(ctx));
    }
    ctx.resource::<T>()
}

/// The end of a call whose tool needs a resource that is not there.
#[cold]
pub(crate) fn missing(type_name: &str) -> ToolError {
    ToolError::internal("the app has not provided something that the tool needs").with_source(
        format!(
            "resource `{type_name}` is not there: `Executor::builder(..).resource(..)` adds it, \
             `SessionOptions::resource(..)` for one session, `testing::context().resource(..)` in a test"
        ),
    )
}

/// A required resource for `permission = EXPR`. The bounds on its type stand in [`lend`] and its
/// like alone, so that a type which breaks one gives one error.
#[doc(hidden)]
pub fn peek<T: ?Sized + 'static>(ctx: &ToolContext) -> Result<&T, ToolError> {
    find(ctx).ok_or_else(|| missing(type_name::<T>()))
}

/// An optional resource for `permission = EXPR`.
#[doc(hidden)]
pub fn peek_optional<T: ?Sized + 'static>(ctx: &ToolContext) -> Option<&T> {
    find(ctx)
}

/// The key of a type that the body takes from the context itself.
#[doc(hidden)]
pub const fn needed<T: ?Sized + Resource>() -> ResourceKey {
    ResourceKey::of::<T>()
}

/// A required resource for a function.
#[doc(hidden)]
pub fn lend<T: ?Sized + Resource, K: InPlaceOf<T>>(
    _kind: ResourceKind<K>,
    ctx: &dyn BodyContext,
) -> Result<&T, ToolError> {
    peek(ctx.context())
}

/// An optional resource for a function.
#[doc(hidden)]
pub fn lend_optional<T: ?Sized + Resource, K: InPlaceOf<T>>(
    _kind: ResourceKind<K>,
    ctx: &dyn BodyContext,
) -> Option<&T> {
    peek_optional(ctx.context())
}

/// A required resource for an `async` function. Its future is checked to be `Send` and so tells of
/// a type that cannot be shared; a bound here would be a second error.
#[doc(hidden)]
pub fn lend_async<T: ?Sized + 'static, K: InPlaceOf<T>>(
    _kind: ResourceKind<K>,
    ctx: &ToolContext,
) -> Result<&T, ToolError> {
    peek(ctx)
}

/// An optional resource for an `async` function.
#[doc(hidden)]
pub fn lend_async_optional<T: ?Sized + 'static, K: InPlaceOf<T>>(
    _kind: ResourceKind<K>,
    ctx: &ToolContext,
) -> Option<&T> {
    peek_optional(ctx)
}

/// Tells borrowed data from things of the app by type, behind aliases too: an inherent method goes
/// before that of a trait.
#[doc(hidden)]
#[derive(Debug)]
pub struct Probe<T: ?Sized>(pub PhantomData<T>);

/// Says of a `&T` that it is lent by the app, or else which type to take in its place.
#[doc(hidden)]
#[derive(Debug)]
pub struct ResourceKind<K>(PhantomData<K>);

impl<T: ?Sized + FromModel> Probe<T> {
    pub fn __tool_resource_kind(&self) -> ResourceKind<T::Owned> {
        ResourceKind(PhantomData)
    }
}

#[doc(hidden)]
#[derive(Debug)]
pub struct Lent;

#[doc(hidden)]
pub trait AppOwnedKind {
    fn __tool_resource_kind(&self) -> ResourceKind<Lent> {
        ResourceKind(PhantomData)
    }
}

impl<T: ?Sized> AppOwnedKind for Probe<T> {}

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`&{T}` borrows, and what the model fills in is owned: take `{Self}`",
    label = "take `{Self}`",
    note = "by reference a tool takes what the app lends it"
)]
pub trait InPlaceOf<T: ?Sized> {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> InPlaceOf<T> for Lent {}
