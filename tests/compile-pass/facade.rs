//! The runtime under another path.

#![deny(warnings)]

mod facade {
    pub mod deep {
        pub use toolwright;
    }
    pub use toolwright as runtime;
}

use facade::runtime;

mod toolwright {}

/// Read a text file.
#[runtime::tool(crate = facade::deep::toolwright, permission = None::<runtime::PermissionRequest>)]
async fn read_file(
    #[arg(default = "a", pattern = "a")] path: String,
) -> Result<String, std::io::Error> {
    Ok(path)
}

mod inner {
    /// Write a text file.
    #[crate::facade::runtime::tool(crate = crate::facade::facade::runtime)]
    pub fn write_file(text: String, context: &crate::facade::runtime::ToolContext) -> usize {
        let _ = context;
        text.len()
    }
}

#[test]
fn program_runs() {
    let tools = runtime::ToolRegistry::new()
        .with(ReadFile)
        .with(inner::WriteFile);
    assert_eq!(tools.len(), 2);
}
