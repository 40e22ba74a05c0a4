use toolwright::tool;

struct Workspace;

#[tool]
impl Workspace {
    fn root(&self) -> &str {
        "/"
    }
}

fn main() {}
