/// Read a text file with numbered lines.
///
/// The last line may be cut.
///
/// # Errors
/// When there is no such file.
#[tool(name = "fs.read", read_only, timeout = "10s", permission = FileAccess::read(path))]
pub async fn read_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// First line to return, counted from 1.
    #[arg(default = 1, range = 1..)]
    from: u32,
    /// How many lines to return; all of them when absent.
    limit: Option<u32>,
    workspace: &Workspace,
) -> Result<String, ReadError> {
    workspace.lines(&path, from, limit).await
}
