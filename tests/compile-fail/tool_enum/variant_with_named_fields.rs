use toolwright::ToolEnum;

#[derive(ToolEnum)]
enum Files {
    Read { path: String },
}

fn main() {}
