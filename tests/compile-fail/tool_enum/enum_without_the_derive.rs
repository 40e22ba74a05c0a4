use toolwright::ToolRegistry;

enum Files {
    Read(String),
}

fn main() {
    drop(Files::Read(String::new()));
    let _ = ToolRegistry::new().with_enum::<Files>();
}
