use toolwright::ToolEnum;

#[derive(ToolEnum)]
enum Files {}

fn main() {}
