//! The shape of a tool's arguments: a tuple, whatever their number, or one type for the whole object.

use super::invocation::{ReadNowFn, read_now};
use super::prepare::{ValuesRefusal, prepare, prepare_whole};
use crate::arguments::{
    Argument, ArgumentReader, Parameter, ReadArgumentFn, ReadSlots, Slots, SpecOf, View, parameter,
};

/// The reader of the arguments of one tool, and their types' schemas. Function pointers, so that the bounds on the
/// types stand where the shape is made and nowhere else.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct Shape<A: Slots> {
    pub(crate) parameters: fn() -> Vec<Parameter>,
    pub(super) prepare: PrepareFn<A>,
    pub(super) read_now: ReadNowFn<A>,
    pub(super) read: ReadArgumentFn<A>,
    /// The one argument is the whole object.
    pub(crate) flat: bool,
}

pub(super) type PrepareFn<A> = fn(
    View<'_>,
    &'static ArgumentReader<A>,
    SpecOf<'_, '_>,
    &mut Option<A>,
) -> Result<(), ValuesRefusal>;

/// The shape of a tool whose one argument is the whole object.
#[doc(hidden)]
pub const fn flat<T: Argument>() -> Shape<(T,)> {
    Shape {
        parameters: || vec![parameter::<T>()],
        prepare: prepare_whole::<T>,
        read_now: read_now::<(T,)>,
        read: |slots, index, tree, flags| <(T,)>::read(slots, index, tree, flags),
        flat: true,
    }
}

macro_rules! shapes {
    ($($function:ident($Argument:tt $($T:ident)*))*) => {
        $(
            #[doc(hidden)]
            pub const fn $function<$($T: $Argument),*>() -> Shape<($($T,)*)> {
                Shape {
                    parameters: || vec![$(parameter::<$T>()),*],
                    prepare: prepare::<($($T,)*)>,
                    read_now: read_now::<($($T,)*)>,
                    read: |slots, index, tree, flags| {
                        <($($T,)*)>::read(slots, index, tree, flags)
                    },
                    flat: false,
                }
            }
        )*
    };
}

// `Argument` is a parameter, because a compile error shows the line where it is written.
shapes! {
    args0(Argument)
    args1(Argument A)
    args2(Argument A B)
    args3(Argument A B C)
    args4(Argument A B C D)
    args5(Argument A B C D E)
    args6(Argument A B C D E F)
    args7(Argument A B C D E F G)
    args8(Argument A B C D E F G H)
    args9(Argument A B C D E F G H I)
    args10(Argument A B C D E F G H I J)
    args11(Argument A B C D E F G H I J K)
    args12(Argument A B C D E F G H I J K L)
    args13(Argument A B C D E F G H I J K L M)
    args14(Argument A B C D E F G H I J K L M N)
    args15(Argument A B C D E F G H I J K L M N O)
    args16(Argument A B C D E F G H I J K L M N O P)
}
