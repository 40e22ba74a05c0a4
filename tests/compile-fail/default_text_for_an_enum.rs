use toolwright::{tool, tool_type};

#[tool_type]
enum Sort {
    Date,
    Size,
}

/// List the files.
#[tool]
async fn list(#[arg(default = "Date")] sort: Sort) -> bool {
    matches!(sort, Sort::Date)
}

fn main() {}
