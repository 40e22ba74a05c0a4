use toolwright::toolset;

#[toolset]
struct Notes;

fn main() {}
