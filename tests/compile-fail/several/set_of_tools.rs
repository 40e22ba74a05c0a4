use toolwright::ToolEnum;

struct ReadFile;

#[derive(ToolEnum)]
#[tool(creat = toolwright)]
enum Files {
    Read(ReadFile),
    Write,
}

fn main() {}
