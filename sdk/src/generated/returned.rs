//! From what a function returns to an output, decided by type and never by the name of a type, so
//! that aliases work.
//!
//! An expansion writes one call, and method resolution picks: an inherent method goes before a
//! trait's, and for a method that takes `&self`, called on a value of type `&&X`, implementations
//! are tried in the order `&X`, `&&X`, `X` (on `&&&X`: `&&X`, `&&&X`, `&X`, `X`). Each choice that
//! a user can miss ends in a trait with a text of its own. A user's own traits for every type are in
//! scope too, so the methods have names that are kept for macros.

#![allow(
    clippy::missing_errors_doc,
    clippy::unused_self,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "the methods are called by expansions alone, which pick them by the type of `self`"
)]

use std::error::Error;
use std::fmt::Display;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;

use crate::content::{Content, JsonText, NotFinite, ToolError, ToolOutput, Unwritable, written};
use crate::schema::SchemaFn;

/// Wraps a value, so that methods tell its type apart. A method and not a function, because rustc
/// passes over a method of a value whose type it could not find, and then tells of nothing else.
#[doc(hidden)]
pub trait Wrap: Sized {
    #[inline]
    fn __tool_returned(self) -> Returned<Self> {
        Returned(self)
    }

    #[inline]
    fn __tool_value(self) -> Value<Self> {
        Value(self)
    }
}

impl<T> Wrap for T {}

/// The same for an error, which is kept.
#[doc(hidden)]
pub trait WrapError: Sized {
    type E;

    fn __tool_error(self) -> ErrorOf<Self::E>;
}

impl<E> WrapError for &E {
    type E = E;

    #[inline]
    fn __tool_error(self) -> ErrorOf<E> {
        ErrorOf(PhantomData)
    }
}

/// Splits a `Result`; anything else is a success.
#[doc(hidden)]
#[derive(Debug)]
pub struct Returned<T>(pub T);

/// The error of a function that cannot fail.
#[doc(hidden)]
#[derive(Debug)]
pub enum Never {}

impl<T, E> Returned<Result<T, E>> {
    #[inline]
    pub fn __tool_result(self) -> Result<T, E> {
        self.0
    }
}

#[doc(hidden)]
pub trait Plain: Sized {
    type T;
    fn __tool_result(self) -> Result<Self::T, Never>;
}

impl<T> Plain for Returned<T> {
    type T = T;

    #[inline]
    fn __tool_result(self) -> Result<T, Never> {
        Ok(self.0)
    }
}

/// The types that a tool may return, with or without a `Result` around them: text, `()`, [`ToolOutput`], and every
/// type that implements `Serialize`.
///
/// Implemented for every such type; there is nothing to implement.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "this must implement `Serialize`, or be `ToolOutput`",
    note = "put `#[toolwright::tool_type(result)]` on the type that lacks it, or return text or `ToolOutput`",
    note = "an iterator is collected first, and a future is what an `async fn` gives"
)]
pub trait ToolReturn {
    #[doc(hidden)]
    fn into_output(self, capacity: usize) -> Result<ToolOutput, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> ToolReturn for T {
    fn into_output(self, capacity: usize) -> Result<ToolOutput, ToolError> {
        serialised(&self, capacity)
    }
}

/// Written once, into a buffer of the size that the tool's last output had.
fn serialised<T: Serialize>(value: &T, capacity: usize) -> Result<ToolOutput, ToolError> {
    let refused = |error: Box<dyn Error + Send + Sync>| {
        ToolError::internal("the tool's result cannot be written as JSON").with_source(error)
    };
    let text = written(value, capacity).map_err(|unwritable| match unwritable {
        Unwritable::Json(error) => refused(error.into()),
        Unwritable::NotFinite(found) => not_finite(&found),
    })?;
    Ok(match text.as_bytes().first() {
        // A type that is written as one JSON string is text, such as an enum or a date.
        Some(b'"') => {
            ToolOutput::text(serde_json::from_str::<String>(&text).map_err(|e| refused(e.into()))?)
        }
        _ if text == "null" => ToolOutput::empty(),
        _ => ToolOutput::from(Content::Json {
            json: JsonText::written(text),
        }),
    })
}

#[cold]
fn not_finite(found: &NotFinite) -> ToolError {
    ToolError::failed(format!(
        "the tool ran, and its result cannot be told: {found}. This is a fault of the tool, not of the call"
    ))
    .with_code("number_not_finite")
}

/// Turns a success into an output.
#[doc(hidden)]
#[derive(Debug)]
pub struct Value<T>(pub T);

/// Values that are an output as they are.
macro_rules! outputs {
    ($($type:ty),*) => {
        $(
            impl Value<$type> {
                #[inline]
                pub fn __into_tool_output(self, _capacity: usize) -> Result<ToolOutput, ToolError> {
                    Ok(self.0.into())
                }
            }
        )*
    };
}

outputs!(ToolOutput, String, &str, Content, Vec<Content>, ());

/// Has no implementation: serde writes a `Result` inside of an `Option` as `{"Err": ..}`, which is a success to whoever
/// reads the status of the call.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`, whose error the model would read as a success",
    label = "return `Result<Option<{T}>, {E}>`",
    note = "`.transpose()` makes it of what the function has"
)]
#[doc(hidden)]
pub trait ErrorInside<T, E> {}

impl<T, E> Value<Option<Result<T, E>>> {
    pub fn __into_tool_output(self, _capacity: usize) -> Result<ToolOutput, ToolError>
    where
        Option<Result<T, E>>: ErrorInside<T, E>,
    {
        Ok(ToolOutput::empty())
    }
}

#[doc(hidden)]
pub trait PlainValue: Sized {
    type T;
    fn __into_tool_output(self, capacity: usize) -> Result<ToolOutput, ToolError>
    where
        Self::T: ToolReturn;
}

impl<T> PlainValue for Value<T> {
    type T = T;

    #[inline]
    fn __into_tool_output(self, capacity: usize) -> Result<ToolOutput, ToolError>
    where
        T: ToolReturn,
    {
        self.0.into_output(capacity)
    }
}

/// The errors that a tool may return: every type that can be displayed.
///
/// Implemented for every such type; there is nothing to implement.
#[diagnostic::on_unimplemented(
    message = "a tool cannot fail with `{Self}`",
    label = "this error must implement `std::fmt::Display`",
    note = "implement `std::error::Error` for `{Self}`, or map it to `ToolError`"
)]
#[doc(hidden)]
pub trait ToolFailure {
    fn never(self) -> ToolError;
}

/// The type of an error, to choose its conversion by.
#[doc(hidden)]
#[derive(Debug)]
pub struct ErrorOf<E: ?Sized>(PhantomData<E>);

/// The way from an error to that of a tool. A pointer, so that a bound on the error is proved where the way is chosen, and
/// not once more where it is gone.
#[doc(hidden)]
#[derive(Debug)]
pub struct Conversion<E>(fn(E) -> ToolError);

impl<E> Conversion<E> {
    #[inline]
    pub fn __into_tool_error(self, error: E) -> ToolError {
        (self.0)(error)
    }
}

macro_rules! conversions {
    ($($trait:ident[$($E:ident: $bound:path)?] for $of:ty => $error:ty, $convert:expr;)*) => {
        $(
            #[doc(hidden)]
            pub trait $trait {
                type E;

                fn __tool_error_kind(&self) -> Conversion<Self::E>;
            }

            impl$(<$E: $bound>)? $trait for $of {
                type E = $error;

                #[inline]
                fn __tool_error_kind(&self) -> Conversion<$error> {
                    Conversion($convert)
                }
            }
        )*
    };
}

// Called on `&&&ErrorOf<E>`.
conversions! {
    OwnError[] for &&ErrorOf<ToolError> => ToolError, |error| error;
    NeverError[] for &&ErrorOf<Never> => Never, |never| match never {};
    LocalError[] for &&ErrorOf<Box<dyn Error>> => Box<dyn Error>, local_error;
    BoxedError[E: Into<Box<dyn Error + Send + Sync>>] for &&&ErrorOf<E> => E, boxed_error;
    DisplayedError[E: Display] for &ErrorOf<E> => E, |error| ToolError::failed(error.to_string());
}

/// The model reads the top message; the log has the whole chain.
pub(crate) fn boxed_error(error: impl Into<Box<dyn Error + Send + Sync>>) -> ToolError {
    ToolError::from(error.into())
}

/// As a box that may move between threads, but for the chain: what cannot move is kept as text.
fn local_error(error: Box<dyn Error>) -> ToolError {
    let error = match error.downcast::<ToolError>() {
        Ok(own) => return *own,
        Err(other) => other,
    };
    let mut chain = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        chain.push(error.to_string());
        cause = error.source();
    }
    let failed = ToolError::failed(error.to_string());
    match chain
        .into_iter()
        .rev()
        .reduce(|below, above| format!("{above}: {below}"))
    {
        Some(causes) => failed.with_source(causes),
        None => failed,
    }
}

/// The kind of an error that cannot be displayed.
#[doc(hidden)]
#[derive(Debug)]
pub struct NotDisplayed<E>(PhantomData<E>);

#[doc(hidden)]
pub trait OtherError {
    type E;
    fn __tool_error_kind(&self) -> NotDisplayed<Self::E>;
}

impl<E> OtherError for ErrorOf<E> {
    type E = E;

    fn __tool_error_kind(&self) -> NotDisplayed<E> {
        NotDisplayed(PhantomData)
    }
}

impl<E> NotDisplayed<E> {
    // The bound is on the method, so that it is shown where the method is named.
    pub fn __into_tool_error(self, error: E) -> ToolError
    where
        E: ToolFailure,
    {
        error.never()
    }
}

/// The schema of what a function returns, where its type has one.
#[doc(hidden)]
#[derive(Debug)]
pub struct SchemaOf<T: ?Sized>(pub PhantomData<T>);

#[doc(hidden)]
pub trait SpecialSchema {
    fn __tool_schema(&self) -> Option<SchemaFn>;
}

#[doc(hidden)]
pub trait SomeSchema {
    fn __tool_schema(&self) -> Option<SchemaFn>;
}

#[doc(hidden)]
pub trait NoSchema {
    fn __tool_schema(&self) -> Option<SchemaFn> {
        None
    }
}

// Called on `&&SchemaOf<T>`.
impl<T: JsonSchema, E> SpecialSchema for &SchemaOf<Result<T, E>> {
    fn __tool_schema(&self) -> Option<SchemaFn> {
        Some(T::json_schema)
    }
}

impl<T: JsonSchema> SomeSchema for &&SchemaOf<T> {
    fn __tool_schema(&self) -> Option<SchemaFn> {
        Some(T::json_schema)
    }
}

impl<T: ?Sized> NoSchema for SchemaOf<T> {}

/// A default as JSON, where its type can be written as such.
#[doc(hidden)]
#[derive(Debug)]
pub struct Shown<'a, T>(pub &'a T);

impl<T: Serialize> Shown<'_, T> {
    pub fn __tool_json(&self) -> Option<serde_json::Value> {
        let value = serde_json::to_value(self.0).ok()?;
        // By way of text a float of 32 bits stays the short number that it was written as, 0.1.
        let text = serde_json::to_string(self.0).ok();
        let short = text.and_then(|text| serde_json::from_str(&text).ok());
        Some(short.unwrap_or(value))
    }
}

#[doc(hidden)]
pub trait NotShown {
    fn __tool_json(&self) -> Option<serde_json::Value> {
        None
    }
}

impl<T> NotShown for Shown<'_, T> {}
