//! Gates and hooks: what the host has to say in each call.

mod after;
mod batches;
mod before;
mod block;
mod gates;
mod parts;
mod stages;
mod tracked;
mod waits;
