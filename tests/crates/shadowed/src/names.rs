//! The meaning of the names here.

macro_rules! types {
    ($($name:ident)*) => { $(
        #[doc = ::core::concat!("No `", ::core::stringify!($name), "` of the standard library.")]
        #[allow(non_camel_case_types)]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
        pub struct $name;
    )* };
}
types! {
    Option Some None Result Ok Err Vec Box String
    Arc Cow Pin PhantomData Registration Argument Arguments Declared Definition Docs Effect Meta ToolContext ToolError
    ToolOutput ToolSpec Typed Member Presets Samples Checks Format Pattern ResourceKey Shown SchemaOf Schema OptionProbe
    InvalidArguments
}

/// The primitive types. What serde and schemars derive names them and would take these, so that types with those
/// derives keep clear of this module.
pub mod primitives {
    types!(bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize);
}

macro_rules! traits {
    ($($name:ident)*) => { $(
        #[doc = ::core::concat!("No `", ::core::stringify!($name), "` of the standard library.")]
        pub trait $name {}
    )* };
}
traits! {
    Send Sync Sized Unpin Fn FnMut FnOnce Drop Default Clone Copy Debug Display Future Into From AsRef ToString
    Deref Iterator IntoIterator Serialize Deserialize JsonSchema Tool FnTool Defined Wrap WrapError IntoRequests
    RunTool Toolset TypedTool ToolEnum Shared Serializer Deserializer PartialEq Eq Hash PartialOrd Ord Borrow ToOwned
}

macro_rules! modules {
    ($($name:ident)*) => { $(
        #[doc = ::core::concat!("No `", ::core::stringify!($name), "` of elsewhere.")]
        pub mod $name {}
    )* };
}
modules!(alloc core inventory schemars serde serde_json std tokio toolwright __private __tw fallback);
