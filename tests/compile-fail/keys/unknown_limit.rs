use toolwright::tool;

/// Read a text file.
#[tool(limits(ouput = "64KiB"))]
async fn read_file(path: String) -> String {
    path
}

fn main() {}
