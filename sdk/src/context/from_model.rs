//! Types that a model could fill in, and that no app lends: by reference they are mistakes.

use std::any::TypeId;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
    NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};
use std::path::{Path, PathBuf};

/// A type that a model could fill in: truth values, characters, numbers, texts, paths, lists, and what holds one of
/// them.
#[doc(hidden)]
pub trait FromModel {
    /// The type that a tool takes in place of a reference.
    type Owned;
}

macro_rules! own {
    ($($type:ty)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl FromModel for $type {
                type Owned = $type;
            }
        )*

        /// Returns true if the type is one of those that stand for themselves, or an `Option`, a `Vec` or a `Box` of
        /// one: of a type by its id alone no more can be told.
        pub(super) fn is_from_model(id: TypeId) -> bool {
            $(
                id == TypeId::of::<$type>()
                    || id == TypeId::of::<Option<$type>>()
                    || id == TypeId::of::<Vec<$type>>()
                    || id == TypeId::of::<Box<$type>>()
            )||*
        }
    };
}

own! {
    bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
    NonZeroI8 NonZeroI16 NonZeroI32 NonZeroI64 NonZeroI128 NonZeroIsize
    NonZeroU8 NonZeroU16 NonZeroU32 NonZeroU64 NonZeroU128 NonZeroUsize
    String PathBuf
}

macro_rules! by_another {
    ($($type:ty => $owned:ty,)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl FromModel for $type {
                type Owned = $owned;
            }
        )*
    };
}

by_another! {
    str => String,
    Path => PathBuf,
    // A model sends text, and no strings of the operating system.
    OsStr => String,
    OsString => String,
}

#[diagnostic::do_not_recommend]
impl<T> FromModel for [T] {
    type Owned = Vec<T>;
}

#[diagnostic::do_not_recommend]
impl<T: FromModel> FromModel for Vec<T> {
    type Owned = Vec<T::Owned>;
}

#[diagnostic::do_not_recommend]
impl<T: FromModel> FromModel for Option<T> {
    type Owned = Option<T::Owned>;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + FromModel> FromModel for Box<T> {
    type Owned = T::Owned;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + FromModel + ToOwned> FromModel for Cow<'_, T> {
    type Owned = <T as FromModel>::Owned;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + FromModel> FromModel for &T {
    type Owned = T::Owned;
}
