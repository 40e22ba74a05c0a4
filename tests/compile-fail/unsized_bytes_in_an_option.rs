use toolwright::tool;

/// Count the bytes.
#[tool]
async fn count(bytes: Option<[u8]>) -> usize {
    bytes.map_or(0, |bytes| bytes.len())
}

fn main() {}
