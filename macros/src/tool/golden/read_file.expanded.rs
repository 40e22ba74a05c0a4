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
#[allow(unreachable_pub)]
mod __tool_read_file {
    ///The tool `fs.read`, made from the function [`read_file`](fn@super::read_file).
    pub struct ReadFile;
}
#[allow(unused_imports)]
pub use __tool_read_file::ReadFile as ReadFile;
const _: () = {
    use ::toolwright::__private as __tw;
    use __tw::fallback::*;
    impl __tw::FnTool for __tool_read_file::ReadFile {
        fn definition() -> __tw::Defined {
            static __SPEC: __tw::SpecCell = __tw::SpecCell::new();
            __tw::Defined::new(
                &__SPEC,
                const {
                    &__tw::Definition::new(
                            (
                                "fs.read",
                                "Read a text file with numbered lines.\n\nThe last line may be cut.",
                                &[
                                    __tw::Part::Effect(__tw::Effect::ReadOnly),
                                    __tw::Part::Timeout(10000u64),
                                ],
                                "toolwright-macros",
                            ),
                            __tw::args3::<PathBuf, u32, Option<u32>>(),
                            &[
                                (
                                    "path",
                                    "Path of the file, relative to the workspace.",
                                    &[],
                                ),
                                ("from", "First line to return, counted from 1.", &[]),
                                (
                                    "limit",
                                    "How many lines to return; all of them when absent.",
                                    &[],
                                ),
                            ],
                            __tw::tool_future_must_be_send(
                                &|(__0, __1, __2), _, __cx| {
                                    let __cx = __tw::own_context(__cx);
                                    __tw::converted(
                                        0,
                                        async move {
                                            let __cx = &__cx;
                                            let __r0 = __tw::lend_async::<
                                                Workspace,
                                                _,
                                            >(
                                                __tw::Probe::<Workspace>(__tw::PhantomData)
                                                    .__tool_resource_kind(),
                                                __cx,
                                            )?;
                                            let __r = read_file(__0, __1, __2, __r0).await;
                                            let __hint = __tw::output_hint(__cx);
                                            let __output = {
                                                let __r: Result<String, ReadError> = __r;
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
                        .needs(const { &[__tw::ResourceKey::of::<Workspace>()] })
                        .fill(|__d, __s| {
                            __d.preset(
                                1usize,
                                &mut __s.1,
                                || 1,
                                |__v| (&__tw::Shown(__v)).__tool_json(),
                            );
                        })
                        .check(|__c, __s| {
                            let __v = __c
                                .of(1usize, ::core::option::Option::as_ref(&__s.1));
                            __v.range(&[1], &[], &[]);
                        })
                        .ask(|__a, __h, __cx| {
                            #[allow(unused_variables)]
                            let path = &__a.0;
                            __tw::IntoRequests::into_requests(FileAccess::read(path))
                        })
                        .output(|| {
                            (&&__tw::SchemaOf::<
                                Result<String, ReadError>,
                            >(__tw::PhantomData))
                                .__tool_schema()
                        })
                },
            )
        }
    }
    __tw::register!("toolwright-macros", __tool_read_file::ReadFile);
};
