use toolwright::tool;

type Number = Result<u32, String>;

/// Reads a number.
#[tool]
async fn read_number(text: String) -> Option<Number> {
    Some(text.parse::<u32>().map_err(|error| error.to_string()))
}

fn main() {}
