//! Tools as values: the contract, and tools made at run time.

mod by_hand;
mod contract;
mod shared_object;
