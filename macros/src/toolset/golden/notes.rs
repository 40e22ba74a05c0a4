/// Notes that people share.
#[toolset(prefix = "notes", part = Search)]
#[cfg(feature = "notes")]
impl<S: Store, const N: usize> Notes<S, { N }>
where
    S: Clone,
{
    #![allow(clippy::unused_async)]

    pub const LIMIT: usize = { 8 * N };

    /// Find notes.
    #[tool(read_only, aliases("grep"), permission = self.access(&text), needs(Index))]
    pub async fn find(
        &self,
        /// What to look for.
        #[arg(length = 1..=Self::LIMIT, example = "milk")]
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

    /// Count the notes.
    #[cfg(not(feature = "small"))]
    #[deprecated]
    #[tool(name = "size", pure)]
    fn count(&self) -> usize {
        self.store.len()
    }

    /// Tell the version.
    #[tool(pure)]
    fn r#type() -> &'static str {
        "1"
    }
}
