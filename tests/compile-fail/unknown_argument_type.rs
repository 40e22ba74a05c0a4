use toolwright::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query;

/// Read a text file.
#[tool]
async fn read_file(query: Qery) {
    let _ = query;
}

fn main() {}
