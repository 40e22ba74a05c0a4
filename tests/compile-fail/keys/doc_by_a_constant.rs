use toolwright::tool;

const DESCRIPTION: &str = "Reads a text file.";

#[doc = DESCRIPTION]
#[tool]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
