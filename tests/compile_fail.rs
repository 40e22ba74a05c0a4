//! What a user of `#[tool]` reads when something is wrong.
