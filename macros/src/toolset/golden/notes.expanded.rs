/// Notes that people share.
#[cfg(feature = "notes")]
impl<S: Store, const N: usize> Notes<S, { N }>
where
    S: Clone,
{
    #![allow(clippy::unused_async)]
    pub const LIMIT: usize = { 8 * N };
    #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
    /// Find notes.
    pub async fn find(
        &self,
        text: String,
        ctx: &ToolContext,
    ) -> Result<Vec<Note>, S::Error> {
        self.store.find(text, ctx).await
    }
    fn access<T>(&self, text: &T) -> PermissionRequest
    where
        T: AsRef<str>,
    {
        PermissionRequest::new("notes", text, "Search")
    }
    #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
    /// Count the notes.
    #[cfg(not(feature = "small"))]
    #[deprecated]
    fn count(&self) -> usize {
        self.store.len()
    }
    #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
    /// Tell the version.
    fn r#type() -> &'static str {
        "1"
    }
}
#[cfg(feature = "notes")]
#[allow(unreachable_pub)]
mod __part_Search_find {
    ///The tools of a block of methods, for `.with_part(Search, ..)`.
    #[allow(
        non_camel_case_types,
        missing_copy_implementations,
        missing_debug_implementations
    )]
    pub struct Search;
}
#[cfg(feature = "notes")]
#[allow(unreachable_pub, unused_imports)]
pub use __part_Search_find::Search;
#[cfg(feature = "notes")]
const _: () = {
    use ::toolwright::__private as __tw;
    use __tw::fallback::*;
    impl<S: Store, const N: usize> __tw::Toolset<__part_Search_find::Search>
    for Notes<S, { N }>
    where
        S: Clone,
        Self: __tw::Shared,
    {
        fn tools(
            self: ::std::sync::Arc<Self>,
        ) -> ::std::vec::Vec<::std::sync::Arc<dyn __tw::Tool>> {
            let mut __tools = ::std::vec::Vec::new();
            ::std::vec::Vec::push(
                &mut __tools,
                __tw::method(
                    &self,
                    const {
                        &__tw::Definition::new(
                                (
                                    "notes.find",
                                    "Find notes.",
                                    &[
                                        __tw::Part::Aliases(&["notes.grep"]),
                                        __tw::Part::Effect(__tw::Effect::ReadOnly),
                                    ],
                                    "toolwright-macros",
                                ),
                                __tw::args1::<String>(),
                                &[("text", "What to look for.", &[])],
                                __tw::tool_future_must_be_send(
                                    &|(__0,), __this, __cx| {
                                        let __cx = __tw::own_context(__cx);
                                        __tw::converted(
                                            0,
                                            async move {
                                                let __cx = &__cx;
                                                let __this = __tw::receiver::<Self>(__this)?;
                                                let __r0 = __tw::lend_async::<
                                                    ToolContext,
                                                    _,
                                                >(
                                                    __tw::Probe::<ToolContext>(__tw::PhantomData)
                                                        .__tool_resource_kind(),
                                                    __cx,
                                                )?;
                                                let __r = Self::find(&*__this, __0, __r0).await;
                                                let __hint = __tw::output_hint(__cx);
                                                let __output = {
                                                    let __r: Result<Vec<Note>, S::Error> = __r;
                                                    match __r.__tool_returned().__tool_result() {
                                                        ::core::result::Result::Ok(__v) => {
                                                            __v.__tool_value().__into_tool_output(__hint)
                                                        }
                                                        ::core::result::Result::Err(__e) => {
                                                            ::core::result::Result::Err(
                                                                (&&&(&__e).__tool_error())
                                                                    .__tool_error_kind()
                                                                    .__into_tool_error(__e),
                                                            )
                                                        }
                                                    }
                                                };
                                                __output
                                            },
                                            |__output, _| __output,
                                        )
                                    },
                                ),
                            )
                            .needs(const {
                                &[
                                    __tw::ResourceKey::of::<ToolContext>(),
                                    __tw::needed::<Index>(),
                                ]
                            })
                            .check(|__c, __s| {
                                let __v = __c
                                    .of(0usize, ::core::option::Option::as_ref(&__s.0));
                                __v.length(&[1], &[Self::LIMIT]);
                            })
                            .ask(|__a, __h, __cx| {
                                let __this = __tw::peek_receiver::<Self>(__h)?;
                                #[allow(unused_variables)]
                                let text = &__a.0;
                                __tw::IntoRequests::into_requests(__this.access(&text))
                            })
                            .samples(|__d| {
                                __d.sample(
                                    0usize,
                                    __tw::SampleProbe::<String>(__tw::PhantomData)
                                        .__tool_sample(),
                                    || __tw::default_from_text("milk"),
                                    |__v| (&__tw::Shown(__v)).__tool_json(),
                                );
                            })
                            .output(|| {
                                (&&__tw::SchemaOf::<
                                    Result<Vec<Note>, S::Error>,
                                >(__tw::PhantomData))
                                    .__tool_schema()
                            })
                    },
                ),
            );
            #[cfg(not(feature = "small"))] #[allow(deprecated)]
            ::std::vec::Vec::push(
                &mut __tools,
                __tw::method(
                    &self,
                    const {
                        &__tw::Definition::sync(
                                (
                                    "notes.size",
                                    "Count the notes.",
                                    &[
                                        __tw::Part::Effect(__tw::Effect::Pure),
                                        __tw::Part::Deprecated(""),
                                    ],
                                    "toolwright-macros",
                                ),
                                __tw::args0(),
                                &[],
                                |(), __this, __cx| {
                                    let __this = __tw::receiver::<Self>(__this)?;
                                    let __hint = __tw::output_hint(__cx);
                                    let __r = Self::count(&*__this);
                                    let __r: usize = __r;
                                    match __r.__tool_returned().__tool_result() {
                                        ::core::result::Result::Ok(__v) => {
                                            __v.__tool_value().__into_tool_output(__hint)
                                        }
                                        ::core::result::Result::Err(__e) => {
                                            ::core::result::Result::Err(
                                                (&&&(&__e).__tool_error())
                                                    .__tool_error_kind()
                                                    .__into_tool_error(__e),
                                            )
                                        }
                                    }
                                },
                            )
                            .output(|| {
                                (&&__tw::SchemaOf::<usize>(__tw::PhantomData))
                                    .__tool_schema()
                            })
                    },
                ),
            );
            ::std::vec::Vec::push(
                &mut __tools,
                __tw::method(
                    &self,
                    const {
                        &__tw::Definition::sync(
                                (
                                    "notes.type",
                                    "Tell the version.",
                                    &[__tw::Part::Effect(__tw::Effect::Pure)],
                                    "toolwright-macros",
                                ),
                                __tw::args0(),
                                &[],
                                |(), _, __cx| {
                                    let __hint = __tw::output_hint(__cx);
                                    let __r = Self::r#type();
                                    let __r: &'static str = __r;
                                    match __r.__tool_returned().__tool_result() {
                                        ::core::result::Result::Ok(__v) => {
                                            __v.__tool_value().__into_tool_output(__hint)
                                        }
                                        ::core::result::Result::Err(__e) => {
                                            ::core::result::Result::Err(
                                                (&&&(&__e).__tool_error())
                                                    .__tool_error_kind()
                                                    .__into_tool_error(__e),
                                            )
                                        }
                                    }
                                },
                            )
                            .output(|| {
                                (&&__tw::SchemaOf::<&'static str>(__tw::PhantomData))
                                    .__tool_schema()
                            })
                    },
                ),
            );
            __tools
        }
    }
};
