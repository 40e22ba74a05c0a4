//! The author's own `validate` of arguments that are valid one by one.

use std::any::Any;
use std::fmt::Display;
use std::marker::PhantomData;

use crate::arguments::{ArgumentProblem, InvalidArguments, ProblemKind};

/// The error of `validate`: every type that can be displayed. An [`ArgumentProblem`] or
/// [`InvalidArguments`] keeps the places that it names.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not tell the model what is wrong",
    label = "`validate` gives `Result<(), E>`, and the error must implement `std::fmt::Display`",
    note = "a `String` will do; an `ArgumentProblem` points to one argument"
)]
pub trait Refusal: Display + 'static {}

#[diagnostic::do_not_recommend]
impl<E: Display + 'static> Refusal for E {}

/// An author's function, with the types of the arguments that it is to judge. Method resolution tells whether it can,
/// as in `returned`: where it cannot, rustc's own texts say what a call of it lacks, and not what is wanted.
#[doc(hidden)]
#[derive(Debug)]
pub struct Judge<Arguments, F>(pub F, pub PhantomData<Arguments>);

/// A function that takes each argument by reference and gives `Result<(), E>`. `Types` are what it takes, which are not
/// always those of the arguments: `&str` will do for a `String`.
#[doc(hidden)]
pub trait Judges<Types, E> {
    type Function;

    fn __tool_validator(&self) -> Fit<Self::Function>;
}

#[doc(hidden)]
#[derive(Debug)]
pub struct Fit<F>(F);

/// Any other function.
#[doc(hidden)]
pub trait JudgesNothing {
    fn __tool_validator(&self) -> Unfit {
        Unfit
    }
}

#[doc(hidden)]
#[derive(Debug)]
pub struct Unfit;

impl<Arguments, F> JudgesNothing for &Judge<Arguments, F> {}

macro_rules! judges {
    ($(($($A:ident $T:ident)*))*) => {
        $(
            impl<F, E, $($A, $T: ?Sized),*> Judges<($(PhantomData<$T>,)*), E> for Judge<($($A,)*), F>
            where
                F: Fn($(&$T),*) -> Result<(), E> + Copy,
            {
                type Function = F;

                #[inline]
                fn __tool_validator(&self) -> Fit<F> {
                    Fit(self.0)
                }
            }
        )*
    };
}

judges! {
    ()
    (A0 T0)
    (A0 T0 A1 T1)
    (A0 T0 A1 T1 A2 T2)
    (A0 T0 A1 T1 A2 T2 A3 T3)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7 A8 T8)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7 A8 T8 A9 T9)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7 A8 T8 A9 T9 A10 T10)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7 A8 T8 A9 T9 A10 T10 A11 T11)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7 A8 T8 A9 T9 A10 T10 A11 T11 A12 T12)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7 A8 T8 A9 T9 A10 T10 A11 T11 A12 T12 A13 T13)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7 A8 T8 A9 T9 A10 T10 A11 T11 A12 T12 A13 T13 A14 T14)
    (A0 T0 A1 T1 A2 T2 A3 T3 A4 T4 A5 T5 A6 T6 A7 T7 A8 T8 A9 T9 A10 T10 A11 T11 A12 T12 A13 T13 A14 T14 A15 T15)
}

/// A function of which is known that it fits. `Wanted` is a signature that does in any case.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this function cannot `validate` the arguments of the tool",
    label = "write it as a `{Wanted}`",
    note = "it takes each argument by reference, in the order of the tool; its error is anything that can be displayed, \
            and tells the model why the call is refused"
)]
pub trait Validates<Wanted> {
    /// The function. Where none fits there is no such type, and so no second error.
    type Function;

    fn function(self) -> Self::Function;
}

#[diagnostic::do_not_recommend]
impl<Wanted, F> Validates<Wanted> for Fit<F> {
    type Function = F;

    #[inline]
    fn function(self) -> F {
        self.0
    }
}

/// The author's function, if it is one that judges these arguments.
#[doc(hidden)]
#[inline]
pub fn validator<Wanted, V: Validates<Wanted>>(told: V) -> V::Function {
    told.function()
}

/// Turns the author's words into a report.
#[doc(hidden)]
pub fn validated<E: Refusal>(judged: Result<(), E>) -> Result<(), InvalidArguments> {
    judged.map_err(|refusal| {
        let any: &dyn Any = &refusal;
        if let Some(invalid) = any.downcast_ref::<InvalidArguments>() {
            return invalid.clone();
        }
        let problem = any.downcast_ref::<ArgumentProblem>().cloned();
        InvalidArguments::new(vec![problem.unwrap_or_else(|| {
            ArgumentProblem::new(ProblemKind::Constraint, "", refusal.to_string())
        })])
    })
}
