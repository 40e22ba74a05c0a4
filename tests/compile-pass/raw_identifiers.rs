use toolwright::{PermissionRequest, Tool, tool};

/// Find the entries of a type.
#[tool(permission = PermissionRequest::new("find", r#type.as_str(), format!("Find {type} and {}", r#match)))]
async fn r#fn(
    r#type: String,
    #[arg(default = 1, range = 1..)] r#match: u32,
    #[arg(name = "loop")] r#while: Option<bool>,
) -> String {
    format!("{type} {match} {while:?}")
}

/// Find.
#[tool(struct_name = r#Find)]
fn find(r#crate_: u8) -> u8 {
    r#crate_
}

#[test]
fn program_runs() {
    assert_eq!(Fn.spec().name().as_str(), "fn");
    let properties = &Fn.spec().input_schema()["properties"];
    for name in ["type", "match", "loop"] {
        assert!(properties[name].is_object(), "{name}: {properties}");
    }
    assert_eq!(Find.spec().name().as_str(), "find");
}
