use toolwright::ToolEnum;

struct ReadFile {
    path: String,
}

#[derive(ToolEnum)]
enum Files {
    Read(ReadFile),
}

fn main() {
    let path = String::new();
    drop(Files::Read(ReadFile { path }).run(&toolwright::testing::context().build()));
}
