//! Programs that have to compile and to find their tools by `discover!`, beside those of `main`.

#![allow(
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    reason = "a program is written as its subject needs it"
)]

mod forms_nested;
mod keys;
