use toolwright::tool;

#[tool]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
