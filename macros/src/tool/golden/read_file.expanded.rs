#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
/// Read a text file with numbered lines.
///
/// The last line may be cut.
///
/// # Errors
/// When there is no such file.
pub async fn read_file(
    path: PathBuf,
    from: u32,
    limit: Option<u32>,
    workspace: &Workspace,
) -> Result<String, ReadError> {
    workspace.lines(&path, from, limit).await
}
///The tool `fs.read`, made from the function [`read_file`](fn@read_file).
pub struct ReadFile;
const _: () = {
    use ::toolwright::__private as __tw;
    use __tw::fallback::*;
    impl __tw::FnTool for ReadFile {
        fn definition() -> &'static dyn __tw::Defined {
            static __DEFINITION: __tw::FnDefinition<(PathBuf, u32, Option<u32>)> = __tw::Definition::new(
                    __tw::Declared::new(
                            "fs.read",
                            __tw::Docs::Text(
                                "Read a text file with numbered lines.\n\nThe last line may be cut.",
                            ),
                        )
                        .effect(__tw::Effect::ReadOnly)
                        .timeout_ms(10000u64),
                    __tw::args3::<PathBuf, u32, Option<u32>>(),
                    &[
                        __tw::Argument::new(
                            "path",
                            __tw::Docs::Text(
                                "Path of the file, relative to the workspace.",
                            ),
                        ),
                        __tw::Argument::new(
                            "from",
                            __tw::Docs::Text("First line to return, counted from 1."),
                        ),
                        __tw::Argument::new(
                            "limit",
                            __tw::Docs::Text(
                                "How many lines to return; all of them when absent.",
                            ),
                        ),
                    ],
                    |(__0, __1, __2), _, __cx| {
                        let __r0 = __tw::lend_async::<
                            Workspace,
                            _,
                        >(
                            __tw::Probe::<Workspace>(__tw::PhantomData)
                                .tool_resource_kind(),
                            __cx,
                        )?;
                        ::core::result::Result::Ok(
                            __tw::tool_future_must_be_send(
                                __cx,
                                read_file(__0, __1, __2, __r0),
                                |__r, __hint| {
                                    let __r: Result<String, ReadError> = __r;
                                    match __r.tool_returned().tool_result() {
                                        ::core::result::Result::Ok(__v) => {
                                            __v.tool_value().into_tool_output(__hint)
                                        }
                                        ::core::result::Result::Err(__e) => {
                                            ::core::result::Result::Err(
                                                (&&&(&__e).tool_error())
                                                    .tool_error_kind()
                                                    .into_tool_error(__e),
                                            )
                                        }
                                    }
                                },
                            ),
                        )
                    },
                )
                .needs(&[__tw::ResourceKey::of::<Workspace>()])
                .fill(|__d, __s| {
                    __d.preset(
                        1usize,
                        &mut __s.1,
                        || 1,
                        |__v| (&__tw::Shown(__v)).tool_json(),
                    );
                })
                .check(|__c, __s| {
                    let __v = __c.of(1usize, __s.1.as_ref());
                    __v.range(&[1], &[], &[]);
                })
                .ask(|__a, __h, __cx| {
                    #[allow(unused_variables)]
                    let path = &__a.0;
                    __tw::IntoRequests::into_requests(FileAccess::read(path))
                })
                .output(|| {
                    (&&__tw::SchemaOf::<Result<String, ReadError>>(__tw::PhantomData))
                        .tool_schema()
                })
                .alone();
            &__DEFINITION
        }
    }
    __tw::register!(ReadFile);
};
