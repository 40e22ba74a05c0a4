//! What the names mean here.

macro_rules! types {
    ($($name:ident)*) => { $(
        #[doc = ::core::concat!("No `", ::core::stringify!($name), "` of the standard library.")]
        #[allow(non_camel_case_types)]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
        pub struct $name;
    )* };
}
types! {
    Option Some None Result Ok Err Vec Box String str bool u8 u32 u64 usize i64 f64 char
    Arc Cow Pin PhantomData Registration Argument Declared Definition Docs Effect Meta ToolContext ToolError
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
}

macro_rules! modules {
    ($($name:ident)*) => { $(
        #[doc = ::core::concat!("No `", ::core::stringify!($name), "` of elsewhere.")]
        pub mod $name {}
    )* };
}
modules!(alloc core inventory schemars serde serde_json std tokio toolwright __private __tw fallback);
