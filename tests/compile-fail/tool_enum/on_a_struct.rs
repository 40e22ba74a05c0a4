use toolwright::ToolEnum;

#[derive(ToolEnum)]
struct Files {
    path: String,
}

fn main() {}
