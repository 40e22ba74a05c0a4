use toolwright::{tool, tool_type};

#[tool_type(argument)]
struct City {
    name: String,
}

/// Tell the weather.
#[tool(struct_name = City)]
async fn weather(city: City) -> String {
    city.name
}

fn main() {}
