#[derive(
    my_app::toolwright::__private::serde::Deserialize,
    my_app::toolwright::__private::schemars::JsonSchema
)]
#[serde(crate = "my_app::toolwright::__private::serde")]
#[schemars(crate = "my_app::toolwright::__private::schemars")]
/// A place on a map.
#[derive(Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub enum Place {
    Point {
        /// Degrees to the north.
        #[schemars(extend("x-toolwright-order" = "Place#0000"))]
        #[schemars(example = __Place_example_0())]
        #[serde(deserialize_with = "__Place_read_0")]
        #[schemars(transform = __Place_describe_0)]
        latitude: f64,
        #[schemars(extend("x-toolwright-order" = "Place#0001"))]
        #[schemars(extend("x-toolwright-aliases" = ["lon", "lng"]))]
        #[serde(rename = "long")]
        #[serde(alias = "lon")]
        #[serde(alias = "lng")]
        #[serde(default = "__Place_default_1")]
        longitude: f64,
        #[cfg(feature = "notes")]
        #[schemars(extend("x-toolwright-order" = "Place#0002"))]
        #[serde(deserialize_with = "__Place_read_2")]
        #[schemars(transform = __Place_describe_2)]
        #[serde(default)]
        note: Option<String>,
        #[schemars(extend("x-toolwright-order" = "Place#0003"))]
        near: Option<Box<Self>>,
        #[schemars(extend("x-toolwright-order" = "Place#0004"))]
        #[serde(deserialize_with = "__Place_read_4")]
        #[schemars(transform = __Place_describe_4)]
        names: Vec<String>,
    },
    #[cfg(feature = "names")]
    Named(
        #[serde(default = "__Place_default_5")]
        #[serde(deserialize_with = "__Place_read_5")]
        #[schemars(transform = __Place_describe_5)]
        String,
    ),
}
#[doc(hidden)]
#[allow(non_snake_case)]
fn __Place_example_0() -> impl my_app::toolwright::__private::serde::Serialize {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    #[allow(unused_imports)]
    use __tw::fallback::*;
    (&__tw::Shown(
        &__tw::sample(
            __tw::SampleProbe::<f64>(__tw::PhantomData).__tool_sample(),
            || 52.5,
        ),
    ))
        .__tool_json()
}
#[doc(hidden)]
#[allow(non_snake_case)]
fn __Place_read_0<'de, D: my_app::toolwright::__private::serde::Deserializer<'de>>(
    __d: D,
) -> ::core::result::Result<f64, D::Error> {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    #[allow(unused_imports)]
    use __tw::fallback::*;
    __tw::not_an_option(__tw::OptionProbe::<f64>(__tw::PhantomData).__tool_option());
    __tw::read_field::<
        f64,
        D,
    >(
        __d,
        |__c, __v| {
            let __v = __c.of(0usize, ::core::option::Option::as_ref(__v));
            __v.range(&[-90.0], &[Place::NORTH], &[]);
        },
    )
}
#[doc(hidden)]
#[allow(non_snake_case)]
fn __Place_describe_0(__schema: &mut my_app::toolwright::__private::schemars::Schema) {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    __tw::describe_field::<
        f64,
    >(
        __schema,
        |__c, __v| {
            let __v = __c.of(0usize, ::core::option::Option::as_ref(__v));
            __v.range(&[-90.0], &[Place::NORTH], &[]);
        },
        ::core::option::Option::None,
    );
}
#[doc(hidden)]
#[allow(non_snake_case, clippy::unnecessary_wraps)]
fn __Place_default_1() -> f64 {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    0.0
}
#[cfg(feature = "notes")]
#[doc(hidden)]
#[allow(non_snake_case)]
fn __Place_read_2<'de, D: my_app::toolwright::__private::serde::Deserializer<'de>>(
    __d: D,
) -> ::core::result::Result<Option<String>, D::Error> {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    #[allow(unused_imports)]
    use __tw::fallback::*;
    __tw::read_field::<
        Option<String>,
        D,
    >(
        __d,
        |__c, __v| {
            let __v = __c.of(0usize, ::core::option::Option::as_ref(__v));
            let __v = __v.length(&[], &[80]);
            __v.pattern({
                static P: __tw::Pattern = __tw::Pattern::new("^[a-z ]*$");
                &P
            });
        },
    )
}
#[cfg(feature = "notes")]
#[doc(hidden)]
#[allow(non_snake_case)]
fn __Place_describe_2(__schema: &mut my_app::toolwright::__private::schemars::Schema) {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    __tw::describe_field::<
        Option<String>,
    >(
        __schema,
        |__c, __v| {
            let __v = __c.of(0usize, ::core::option::Option::as_ref(__v));
            let __v = __v.length(&[], &[80]);
            __v.pattern({
                static P: __tw::Pattern = __tw::Pattern::new("^[a-z ]*$");
                &P
            });
        },
        ::core::option::Option::None,
    );
}
#[doc(hidden)]
#[allow(non_snake_case)]
fn __Place_read_4<'de, D: my_app::toolwright::__private::serde::Deserializer<'de>>(
    __d: D,
) -> ::core::result::Result<Vec<String>, D::Error> {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    #[allow(unused_imports)]
    use __tw::fallback::*;
    __tw::not_an_option(
        __tw::OptionProbe::<Vec<String>>(__tw::PhantomData).__tool_option(),
    );
    __tw::read_field::<
        Vec<String>,
        D,
    >(
        __d,
        |__c, __v| {
            let __v = __c.of(0usize, ::core::option::Option::as_ref(__v));
            __v.unique_items();
        },
    )
}
#[doc(hidden)]
#[allow(non_snake_case)]
fn __Place_describe_4(__schema: &mut my_app::toolwright::__private::schemars::Schema) {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    __tw::describe_field::<
        Vec<String>,
    >(
        __schema,
        |__c, __v| {
            let __v = __c.of(0usize, ::core::option::Option::as_ref(__v));
            __v.unique_items();
        },
        ::core::option::Option::None,
    );
}
#[cfg(feature = "names")]
#[doc(hidden)]
#[allow(non_snake_case, clippy::unnecessary_wraps)]
fn __Place_default_5() -> String {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    __tw::default_from_text("Paris")
}
#[cfg(feature = "names")]
#[doc(hidden)]
#[allow(non_snake_case)]
fn __Place_read_5<'de, D: my_app::toolwright::__private::serde::Deserializer<'de>>(
    __d: D,
) -> ::core::result::Result<String, D::Error> {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    #[allow(unused_imports)]
    use __tw::fallback::*;
    __tw::read_field::<
        String,
        D,
    >(
        __d,
        |__c, __v| {
            let __v = __c.of(0usize, ::core::option::Option::as_ref(__v));
            __v.one_of_text(&["Berlin", "Paris"]);
        },
    )
}
#[cfg(feature = "names")]
#[doc(hidden)]
#[allow(non_snake_case)]
fn __Place_describe_5(__schema: &mut my_app::toolwright::__private::schemars::Schema) {
    #[allow(unused_imports)]
    use my_app::toolwright::__private as __tw;
    __tw::describe_field::<
        String,
    >(
        __schema,
        |__c, __v| {
            let __v = __c.of(0usize, ::core::option::Option::as_ref(__v));
            __v.one_of_text(&["Berlin", "Paris"]);
        },
        ::core::option::Option::Some(__Place_default_5),
    );
}
