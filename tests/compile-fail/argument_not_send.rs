use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::tool;

/// Search the documents.
#[tool]
async fn search(query: Wrapped, limit: u32) {}

#[derive(Deserialize, JsonSchema)]
struct Wrapped {
    text: std::marker::PhantomData<*const u8>,
}

fn main() {}
