/// Read a text file with numbered lines.
///
/// # Panics
/// Never.
#[tool(
    name = "fs.read",
    aliases("cat"),
    read_only,
    determinism = bounded,
    timeout = "1m30s",
    capabilities("fs:read:/data"),
    limits(memory = "64MiB", fuel = 1_000, output = "64KiB"),
    needs(Workspace, dyn Files),
    permission = ctx.files().read(path, Self::MODE),
    validate = Self::judge,
    explicit_only,
    examples({"path": "a.txt", from: 3}, {path: "b.txt", options: {deep: [true, null]}}),
    register = false,
)]
pub(crate) struct ReadFile {
    /// Path of the file.
    #[arg(example = "notes.txt", length = 1..)]
    pub path: PathBuf,
    #[arg(default = Self::FIRST, range = 1..=Self::LAST)]
    from: u32,
    /// Who asks.
    #[arg(secret, pattern = "^[a-z]+$")]
    r#as: Option<String>,
    options: Option<Box<Self>>,
}
