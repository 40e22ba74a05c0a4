#[derive(::toolwright::__private::schemars::JsonSchema)]
#[serde(crate = "::toolwright::__private::serde")]
#[schemars(crate = "::toolwright::__private::schemars")]
/// A way on a map.
#[derive(Debug)]
#[serde(deny_unknown_fields)]
pub struct Route {
    #[schemars(with = "__Route_schema_0")]
    #[schemars(extend("x-toolwright-order" = "Route#0000"))]
    pub from: Place,
    /// In their order.
    #[serde(default)]
    #[schemars(with = "__Route_schema_1")]
    #[schemars(extend("x-toolwright-order" = "Route#0001"))]
    by: Vec<Option<map::Place>>,
    #[schemars(extend("x-toolwright-order" = "Route#0002"))]
    shared: Option<Box<Route>>,
    #[serde(with = "dates")]
    #[schemars(extend("x-toolwright-order" = "Route#0003"))]
    day: Date,
}
#[doc(hidden)]
#[allow(dead_code, non_camel_case_types)]
type __Route_part_0 = Place;
#[doc(hidden)]
#[allow(dead_code, non_camel_case_types)]
type __Route_part_1 = map::Place;
#[doc(hidden)]
#[allow(dead_code, non_camel_case_types)]
type __Route_schema_0 = <::toolwright::__private::DescribedIf<
    {
        #[allow(unused_imports)]
        use ::toolwright::__private::fallback::*;
        <::toolwright::__private::HasSchema<__Route_part_0>>::__TOOL_HAS_SCHEMA
    },
> as ::toolwright::__private::DescribedAs<__Route_part_0>>::Type;
#[doc(hidden)]
#[allow(dead_code, non_camel_case_types)]
type __Route_schema_1 = Vec<
    Option<
        <::toolwright::__private::DescribedIf<
            {
                #[allow(unused_imports)]
                use ::toolwright::__private::fallback::*;
                <::toolwright::__private::HasSchema<__Route_part_1>>::__TOOL_HAS_SCHEMA
            },
        > as ::toolwright::__private::DescribedAs<__Route_part_1>>::Type,
    >,
>;
#[allow(
    dead_code,
    deprecated,
    non_camel_case_types,
    non_snake_case,
    unused_imports,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::toolwright::__private as __tw;
    use __tw::fallback::*;
    const _: fn() = || {
        __tw::part_of::<__Route_part_0, Route>();
        __tw::part_of::<__Route_part_1, Route>();
    };
    #[derive(
        ::toolwright::__private::serde::Deserialize,
        ::toolwright::__private::serde::Serialize,
    )]
    #[serde(
        crate = "::toolwright::__private::serde",
        remote = "Route",
        rename = "Route",
        bound(
            deserialize = "__Route_part_0 : __tw :: serde :: Deserialize < 'de > , __Route_part_1 : __tw :: serde :: Deserialize < 'de >",
            serialize = "for < '__tw > __Route_part_0 : __tw :: serde :: Serialize , for < '__tw > __Route_part_1 : __tw :: serde :: Serialize"
        )
    )]
    #[serde(deny_unknown_fields)]
    struct __Route_copy {
        from: Place,
        #[serde(default)]
        by: Vec<Option<map::Place>>,
        shared: Option<Box<Route>>,
        #[serde(with = "dates")]
        day: Date,
    }
    impl<'de> __tw::DerivedRead<'de> for Route
    where
        __Route_part_0: __tw::serde::Deserialize<'de>,
        __Route_part_1: __tw::serde::Deserialize<'de>,
    {
        #[inline]
        fn read<__D: __tw::serde::Deserializer<'de>>(
            __d: __D,
        ) -> ::core::result::Result<Self, __D::Error> {
            __Route_copy::deserialize(__d)
        }
    }
    impl<'de> __tw::serde::Deserialize<'de> for Route {
        #[inline]
        fn deserialize<__D: __tw::serde::Deserializer<'de>>(
            __d: __D,
        ) -> ::core::result::Result<Self, __D::Error> {
            __tw::Reading::<Self>(__tw::PhantomData).__tool_read(__d)
        }
    }
    impl __tw::DerivedWrite for Route
    where
        for<'__tw> __Route_part_0: __tw::serde::Serialize,
        for<'__tw> __Route_part_1: __tw::serde::Serialize,
    {
        #[inline]
        fn write<__S: __tw::serde::Serializer>(
            &self,
            __s: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __Route_copy::serialize(self, __s)
        }
    }
    impl __tw::serde::Serialize for Route {
        #[inline]
        fn serialize<__S: __tw::serde::Serializer>(
            &self,
            __s: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __tw::Writing(self).__tool_write(__s)
        }
    }
};
