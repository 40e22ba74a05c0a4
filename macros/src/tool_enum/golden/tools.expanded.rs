#[cfg(feature = "tools")]
#[allow(deprecated)]
const _: () = {
    use my_app::toolwright::__private as __tw;
    impl __tw::ToolEnum for Tools {
        fn members() -> &'static [__tw::Member<Self>] {
            const {
                &[
                    __tw::Member::new(
                        <__Tool0 as __tw::TypedTool>::definition,
                        |__a| {
                            <__Tool0 as __tw::TypedTool>::from_arguments(__a)
                                .map(Self::Read)
                        },
                    ),
                    #[cfg(feature = "net")]
                    __tw::Member::new(
                        <__Tool1 as __tw::TypedTool>::definition,
                        |__a| {
                            <__Tool1 as __tw::TypedTool>::from_arguments(__a)
                                .map(Self::r#Match)
                        },
                    ),
                ]
            }
        }
        fn spec(&self) -> &'static my_app::toolwright::ToolSpec {
            match self {
                Self::Read(_) => <__Tool0 as __tw::TypedTool>::spec(),
                #[cfg(feature = "net")]
                Self::r#Match(_) => <__Tool1 as __tw::TypedTool>::spec(),
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
                Self::Read(__tool) => {
                    <__Tool0 as __tw::TypedTool>::invoke(__tool, __cx).await
                }
                #[cfg(feature = "net")]
                Self::r#Match(__tool) => {
                    <__Tool1 as __tw::TypedTool>::invoke(__tool, __cx).await
                }
            }
        }
    }
    type __Tool0 = ReadFile;
    #[cfg(feature = "net")]
    type __Tool1 = net::Fetch;
    #[cfg(feature = "net")]
    const _: () = __tw::names_of_its_own(
        <__Tool1 as __tw::TypedTool>::NAMES,
        &[<__Tool0 as __tw::TypedTool>::NAMES],
        "the tool of `Match` answers to a name that a tool before it has: give one of the two another `name`, or remove the alias that is the other's name",
    );
};
