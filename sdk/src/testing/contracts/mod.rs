//! The contracts of the store ports as tests, for those who write a store.

mod dispatch;
mod results;
mod states;
pub(crate) mod tickets;

pub use dispatch::dispatcher_contract;
pub use results::result_store_contract;
pub use states::state_store_contract;
pub use tickets::{
    durable_ticket_store_contract, replica_ticket_store_contract, ticket_store_contract,
};
