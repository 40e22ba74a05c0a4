#[cfg(feature = "tools")]
#[allow(deprecated)]
const _: () = {
    use my_app::toolwright::__private as __tw;
    impl __tw::ToolEnum for Tools {
        fn members() -> &'static [__tw::Member<Self>] {
            const {
                &[
                    __tw::member::<
                        ReadFile,
                        Self,
                    >(|__a| {
                        <ReadFile as __tw::TypedTool>::from_arguments(__a)
                            .map(Self::Read)
                    }),
                    #[cfg(feature = "net")]
                    __tw::member::<
                        net::Fetch,
                        Self,
                    >(|__a| {
                        <net::Fetch as __tw::TypedTool>::from_arguments(__a)
                            .map(Self::r#Match)
                    }),
                ]
            }
        }
        fn spec(&self) -> &'static my_app::toolwright::ToolSpec {
            match self {
                Self::Read(_) => <ReadFile as __tw::TypedTool>::spec(),
                #[cfg(feature = "net")]
                Self::r#Match(_) => <net::Fetch as __tw::TypedTool>::spec(),
            }
        }
        async fn run(
            self,
            __cx: &my_app::toolwright::ToolContext,
        ) -> ::core::result::Result<
            my_app::toolwright::ToolOutput,
            my_app::toolwright::ToolError,
        > {
            match self {
                Self::Read(__tool) => __tw::run_typed(__tool, __cx).await,
                #[cfg(feature = "net")]
                Self::r#Match(__tool) => __tw::run_typed(__tool, __cx).await,
            }
        }
    }
    const _: () = __tw::tools_of_a_set_have_names_of_their_own(
        &[
            <ReadFile as __tw::TypedTool>::NAMES,
            #[cfg(feature = "net")]
            <net::Fetch as __tw::TypedTool>::NAMES,
        ],
    );
};
