//! The dispatcher against a server: `scripts/services --only temporal cargo test -p toolwright-temporal`.

mod calls;
mod contract;
mod losses;
mod payloads;
mod support;
