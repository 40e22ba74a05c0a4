use toolwright::{tool, tool_type};

#[tool_type(result)]
struct Weather {
    degrees: i32,
}

/// Tell the weather.
#[tool]
async fn weather(city: String) -> Result<Vec<Weather>, String> {
    Err(city)
}

fn main() {}
