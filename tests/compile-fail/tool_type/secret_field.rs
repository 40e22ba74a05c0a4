use toolwright::tool_type;

#[tool_type]
struct Login {
    #[arg(secret)]
    password: String,
}

fn main() {}
