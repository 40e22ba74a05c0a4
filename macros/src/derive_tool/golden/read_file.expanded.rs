const _: () = {
    use ::toolwright::__private as __tw;
    use __tw::fallback::*;
    static __DEFINITION: __tw::FnDefinition<
        (PathBuf, u32, Option<String>, Option<Box<ReadFile>>),
    > = __tw::Definition::new(
            __tw::Declared::new(
                    "fs.read",
                    __tw::Docs::Text("Read a text file with numbered lines."),
                )
                .aliases(&["cat"])
                .effect(__tw::Effect::ReadOnly)
                .determinism(__tw::Determinism::Bounded)
                .capabilities(&["fs:read:/data"])
                .timeout_ms(90000u64)
                .memory(67108864u64)
                .fuel(1000u64)
                .output(65536u64)
                .explicit_only()
                .secrets(&["as"])
                .examples(
                    &[
                        "{\"path\":\"a.txt\",\"from\":3}",
                        "{\"path\":\"b.txt\",\"options\":{\"deep\":[true,null]}}",
                    ],
                ),
            __tw::args4::<PathBuf, u32, Option<String>, Option<Box<ReadFile>>>(),
            &[
                __tw::Argument::new("path", __tw::Docs::Text("Path of the file.")),
                __tw::Argument::new("from", __tw::Docs::Text("")),
                __tw::Argument::new("as", __tw::Docs::Text("Who asks.")).secret(),
                __tw::Argument::new("options", __tw::Docs::Text("")),
            ],
            |__v, _, __cx| ::core::result::Result::Ok(
                __tw::tool_future_must_be_send(
                    __cx,
                    __tw::Run::run(__made(__v), __cx),
                    <ReadFile as __tw::TypedTool>::convert,
                ),
            ),
        )
        .needs(
            &[__tw::ResourceKey::of::<Workspace>(), __tw::ResourceKey::of::<dyn Files>()],
        )
        .fill(|__d, __s| {
            __d.preset(
                1usize,
                &mut __s.1,
                || ReadFile::FIRST,
                |__v| (&__tw::Shown(__v)).tool_json(),
            );
        })
        .check(|__c, __s| {
            let __v = __c.of(0usize, __s.0.as_ref());
            __v.length(&[1], &[]);
            let __v = __c.of(1usize, __s.1.as_ref());
            __v.range(&[1], &[ReadFile::LAST], &[]);
            let __v = __c.of(2usize, __s.2.as_ref());
            __v.pattern({
                static P: __tw::Pattern = __tw::Pattern::new("^[a-z]+$");
                &P
            });
        })
        .validate(|__a| __tw::validated(ReadFile::judge(&__a.0, &__a.1, &__a.2, &__a.3)))
        .ask(|__a, __h, __cx| {
            #[allow(unused_variables)]
            let path = &__a.0;
            #[allow(unused_variables)]
            let ctx = __cx;
            __tw::IntoRequests::into_requests(ctx.files().read(path, ReadFile::MODE))
        })
        .samples(|__d| {
            __d.sample(
                0usize,
                __tw::SampleProbe::<PathBuf>(__tw::PhantomData).tool_sample(),
                || __tw::default_from_text("notes.txt"),
                |__v| (&__tw::Shown(__v)).tool_json(),
            );
        })
        .output(|| {
            (&&__tw::SchemaOf::<<ReadFile as __tw::Run>::Output>(__tw::PhantomData))
                .tool_schema()
        })
        .alone();
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
        const NAMES: &'static [&'static str] = &["fs.read", "cat"];
        fn definition() -> &'static dyn __tw::Defined {
            &__DEFINITION
        }
        fn from_arguments(
            __arguments: &::toolwright::Arguments<'_>,
        ) -> ::core::result::Result<Self, ::toolwright::InvalidArguments> {
            __tw::typed_values(&__DEFINITION, __arguments).map(__made)
        }
        fn convert(
            __r: <Self as __tw::Run>::Output,
            __hint: usize,
        ) -> ::core::result::Result<::toolwright::ToolOutput, ::toolwright::ToolError> {
            match __r.tool_returned().tool_result() {
                ::core::result::Result::Ok(__v) => {
                    __v.tool_value().into_tool_output(__hint)
                }
                ::core::result::Result::Err(__e) => {
                    ::core::result::Result::Err(
                        (&&&(&__e).tool_error()).tool_error_kind().into_tool_error(__e),
                    )
                }
            }
        }
    }
};
