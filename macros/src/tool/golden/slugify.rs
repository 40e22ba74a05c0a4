/// Make a slug.
#[tool(
    title = "Slug",
    version = "1.0",
    aliases("slug"),
    category = "text",
    pure,
    destructive = false,
    open_world = false,
    needs_approval,
    streaming,
    metadata(team = "docs", "tier" = 2u8, weight = -0.5, beta = true),
    permission = Ask::name(format!("{type}"), &rules),
    register = false,
    struct_name = Slug,
    crate = my::toolwright,
)]
#[cfg(feature = "text")]
#[deprecated(note = "use `text.slug`")]
#[expect(clippy::too_many_arguments)]
pub(crate) fn slugify(
    #[arg(name = "kind", aliases("sort"), one_of("a", "b"), default = "a")] r#type: String,
    #[arg(length = 1..64, pattern = "^[a-z]+$")] mut title: String,
    #[arg(format = "date-time", default)]
    #[allow(unused_variables)]
    since: Stamp,
    #[arg(range = 0.5..1.0, multiple_of = 0.25, one_of(0.5, 0.75))] cut: f64,
    rules: Option<&(dyn Rules + Send)>,
    ctx: &ToolContext,
) -> impl Serialize {
    title
}
