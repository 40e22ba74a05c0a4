use toolwright::tool_type;

type Maybe<T> = Option<T>;

#[tool_type]
struct Lines {
    #[arg(range = 1..)]
    first: Maybe<u32>,
}

fn main() {}
