#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
/// Make a slug.
#[cfg(feature = "text")]
#[deprecated(note = "use `text.slug`")]
#[expect(clippy::too_many_arguments)]
pub(crate) fn slugify(
    r#type: String,
    mut title: String,
    #[allow(unused_variables)]
    since: Stamp,
    cut: f64,
    rules: Option<&(dyn Rules + Send)>,
    ctx: &ToolContext,
) -> impl Serialize {
    title
}
#[cfg(feature = "text")]
#[allow(unreachable_pub)]
mod __tool_slugify {
    ///The tool `slugify`, made from the function [`slugify`](fn@super::slugify).
    pub struct Slug;
}
#[cfg(feature = "text")]
#[allow(unused_imports)]
pub(crate) use __tool_slugify::Slug as Slug;
#[cfg(feature = "text")]
#[allow(deprecated)]
#[allow(clippy::too_many_arguments)]
const _: () = {
    use my::toolwright::__private as __tw;
    use __tw::fallback::*;
    impl __tw::FnTool for __tool_slugify::Slug {
        fn definition() -> __tw::Defined {
            static __SPEC: __tw::SpecCell = __tw::SpecCell::new();
            __tw::Defined::new(
                &__SPEC,
                const {
                    &__tw::Definition::sync(
                            (
                                "slugify",
                                "Make a slug.",
                                &[
                                    __tw::Part::Title("Slug"),
                                    __tw::Part::Version("1.0"),
                                    __tw::Part::Aliases(&["slug"]),
                                    __tw::Part::Category("text"),
                                    __tw::Part::Effect(__tw::Effect::Pure),
                                    __tw::Part::Destructive(false),
                                    __tw::Part::OpenWorld(false),
                                    __tw::Part::NeedsApproval(true),
                                    __tw::Part::Streaming(true),
                                    __tw::Part::Metadata(
                                        &[
                                            ("team", __tw::Meta::Text("docs")),
                                            ("tier", __tw::Meta::Integer(2)),
                                            ("weight", __tw::Meta::Float(-0.5)),
                                            ("beta", __tw::Meta::Bool(true)),
                                        ],
                                    ),
                                    __tw::Part::Deprecated("use `text.slug`"),
                                ],
                                "toolwright-macros",
                            ),
                            __tw::args4::<String, String, Stamp, f64>(),
                            &[
                                ("kind", "", &[__tw::ArgFlag::Aliases(&["sort"])]),
                                ("title", "", &[]),
                                ("since", "", &[]),
                                ("cut", "", &[]),
                            ],
                            |(__0, __1, __2, __3), _, __cx| {
                                let __r0 = __tw::lend_optional::<
                                    dyn Rules + Send,
                                    _,
                                >(
                                    __tw::Probe::<dyn Rules + Send>(__tw::PhantomData)
                                        .__tool_resource_kind(),
                                    __cx,
                                );
                                let __r1 = __tw::lend::<
                                    ToolContext,
                                    _,
                                >(
                                    __tw::Probe::<ToolContext>(__tw::PhantomData)
                                        .__tool_resource_kind(),
                                    __cx,
                                )?;
                                let __hint = __tw::output_hint(__cx);
                                let __r = slugify(__0, __1, __2, __3, __r0, __r1);
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
                        .needs(const {
                            &[
                                __tw::ResourceKey::optional::<dyn Rules + Send>(),
                                __tw::ResourceKey::of::<ToolContext>(),
                            ]
                        })
                        .fill(|__d, __s| {
                            __d.preset(
                                0usize,
                                &mut __s.0,
                                || __tw::default_from_text("a"),
                                |__v| (&__tw::Shown(__v)).__tool_json(),
                            );
                            __d.preset(
                                2usize,
                                &mut __s.2,
                                || __tw::own_default(),
                                |__v| (&__tw::Shown(__v)).__tool_json(),
                            );
                        })
                        .check(|__c, __s| {
                            let __v = __c
                                .of(0usize, ::core::option::Option::as_ref(&__s.0));
                            __v.one_of_text(&["a", "b"]);
                            let __v = __c
                                .of(1usize, ::core::option::Option::as_ref(&__s.1));
                            let __v = __v.length(&[1], &[63]);
                            __v.pattern({
                                static P: __tw::Pattern = __tw::Pattern::new("^[a-z]+$");
                                &P
                            });
                            let __v = __c
                                .of(2usize, ::core::option::Option::as_ref(&__s.2));
                            __v.format(__tw::Format::DateTime);
                            let __v = __c
                                .of(3usize, ::core::option::Option::as_ref(&__s.3));
                            let __v = __v.range(&[0.5], &[], &[1.0]);
                            let __v = __v.multiple_of(&[0.25]);
                            __v.one_of_number(&[0.5, 0.75]);
                        })
                        .ask(|__a, __h, __cx| {
                            #[allow(unused_variables)]
                            let r#type = &__a.0;
                            #[allow(unused_variables)]
                            let rules = __tw::peek_optional::<dyn Rules + Send>(__cx);
                            __tw::IntoRequests::into_requests(
                                Ask::name(format!("{type}"), &rules),
                            )
                        })
                },
            )
        }
    }
};
