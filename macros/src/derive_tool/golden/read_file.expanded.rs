const _: () = {
    use ::toolwright::__private as __tw;
    use __tw::fallback::*;
    static __SPEC: __tw::SpecCell = __tw::SpecCell::new();
    fn __definition() -> &'static __tw::Definition<
        (PathBuf, u32, Option<String>, Option<Box<ReadFile>>),
    > {
        const {
            &__tw::Definition::new(
                    (
                        "fs.read",
                        "Read a text file with numbered lines.",
                        &[
                            __tw::Part::Aliases(&["cat"]),
                            __tw::Part::Effect(__tw::Effect::ReadOnly),
                            __tw::Part::Determinism(__tw::Determinism::Bounded),
                            __tw::Part::Capabilities(&["fs:read:/data"]),
                            __tw::Part::Timeout(90000u64),
                            __tw::Part::Memory(67108864u64),
                            __tw::Part::Fuel(1000u64),
                            __tw::Part::Output(65536u64),
                            __tw::Part::ExplicitOnly,
                            __tw::Part::Secrets(&["as"]),
                            __tw::Part::Examples(
                                &[
                                    "{\"path\":\"a.txt\",\"from\":3}",
                                    "{\"path\":\"b.txt\",\"options\":{\"deep\":[true,null]}}",
                                ],
                            ),
                        ],
                        "toolwright-macros",
                    ),
                    __tw::args4::<PathBuf, u32, Option<String>, Option<Box<ReadFile>>>(),
                    &[
                        ("path", "Path of the file.", &[]),
                        ("from", "", &[]),
                        ("as", "Who asks.", &[__tw::ArgFlag::Secret]),
                        ("options", "", &[]),
                    ],
                    __tw::tool_future_must_be_send(
                        &|__v, _, __cx| {
                            let __cx = __tw::own_context(__cx);
                            __tw::converted(
                                0,
                                async move {
                                    <ReadFile as __tw::TypedTool>::invoke(__made(__v), &__cx)
                                        .await
                                },
                                |__output, _| __output,
                            )
                        },
                    ),
                )
                .needs(const {
                    &[__tw::needed::<Workspace>(), __tw::needed::<dyn Files>()]
                })
                .fill(|__d, __s| {
                    __d.preset(
                        1usize,
                        &mut __s.1,
                        || ReadFile::FIRST,
                        |__v| (&__tw::Shown(__v)).__tool_json(),
                    );
                })
                .check(|__c, __s| {
                    let __v = __c.of(0usize, ::core::option::Option::as_ref(&__s.0));
                    __v.length(&[1], &[]);
                    let __v = __c.of(1usize, ::core::option::Option::as_ref(&__s.1));
                    __v.range(&[1], &[ReadFile::LAST], &[]);
                    let __v = __c.of(2usize, ::core::option::Option::as_ref(&__s.2));
                    __v.pattern({
                        static P: __tw::Pattern = __tw::Pattern::new("^[a-z]+$");
                        &P
                    });
                })
                .validate(|__a| __tw::validated(
                    __tw::validator::<
                        fn(
                            &PathBuf,
                            &u32,
                            &Option<String>,
                            &Option<Box<ReadFile>>,
                        ) -> ::core::result::Result<(), ::std::string::String>,
                        _,
                    >(
                        (&__tw::Judge::<
                            (PathBuf, u32, Option<String>, Option<Box<ReadFile>>),
                            _,
                        >(ReadFile::judge, __tw::PhantomData))
                            .__tool_validator(),
                    )(&__a.0, &__a.1, &__a.2, &__a.3),
                ))
                .ask(|__a, __h, __cx| {
                    #[allow(unused_variables)]
                    let path = &__a.0;
                    #[allow(unused_variables)]
                    let ctx = __cx;
                    __tw::IntoRequests::into_requests(
                        ctx.files().read(path, ReadFile::MODE),
                    )
                })
                .samples(|__d| {
                    __d.sample(
                        0usize,
                        __tw::SampleProbe::<PathBuf>(__tw::PhantomData).__tool_sample(),
                        || __tw::default_from_text("notes.txt"),
                        |__v| (&__tw::Shown(__v)).__tool_json(),
                    );
                })
                .output(|| {
                    (&&__tw::SchemaOf::<
                        <ReadFile as __tw::RunTool>::Output,
                    >(__tw::PhantomData))
                        .__tool_schema()
                })
        }
    }
    fn __made(
        (__0, __1, __2, __3): (PathBuf, u32, Option<String>, Option<Box<ReadFile>>),
    ) -> ReadFile {
        ReadFile {
            path: __0,
            from: __1,
            r#as: __2,
            options: __3,
        }
    }
    impl __tw::TypedTool for ReadFile {
        const NAMES: &'static [&'static ::core::primitive::str] = &["fs.read", "cat"];
        fn definition() -> __tw::Defined {
            __tw::Defined::new(&__SPEC, __definition())
        }
        fn from_arguments(
            __arguments: &::toolwright::arguments::Arguments<'_>,
        ) -> ::core::result::Result<Self, ::toolwright::arguments::InvalidArguments> {
            __tw::typed_values::<Self, _>(__definition(), __arguments).map(__made)
        }
        async fn invoke(
            self,
            __cx: &::toolwright::ToolContext,
        ) -> ::core::result::Result<::toolwright::ToolOutput, ::toolwright::ToolError> {
            let __r = <ReadFile as __tw::RunTool>::run(self, __cx).await;
            let __hint = __tw::output_hint(__cx);
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
        }
    }
};
