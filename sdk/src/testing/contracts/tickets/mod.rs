//! The contract of every [`TicketStore`], as a test.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test helper: what it finds it says by panicking"
)]

mod answering;
mod durable;
mod granting;
mod keeping;
mod listing;
mod replicas;
pub(crate) mod sample;
mod sessions;
mod watching;

#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

pub use durable::durable_ticket_store_contract;
pub use replicas::replica_ticket_store_contract;
use tokio::task::JoinSet;

use crate::ticket::{StoreError, TicketStore};

/// Checks that a store of tickets keeps to the contract of [`TicketStore`]: what is put is there as
/// it was, of several who change one thing one wins, lists are in order, whoever waits is woken, and
/// sessions, whatever their ids, do not touch each other.
///
/// The closure gives a new, empty store each time. It takes a runtime with timers; in one of several
/// threads the races are real. A store that outlives its process is checked with
/// [`durable_ticket_store_contract`] too.
///
/// ```
/// use toolwright::testing;
/// use toolwright::ticket::MemoryTickets;
///
/// # #[tokio::main(flavor = "multi_thread", worker_threads = 2)]
/// # async fn main() {
/// testing::ticket_store_contract(async || MemoryTickets::new()).await;
/// # }
/// ```
///
/// # Panics
///
/// Panics if the store does something else; the message says what.
pub async fn ticket_store_contract<S: TicketStore>(make: impl AsyncFn() -> S) {
    keeping::check(&make().await).await;
    answering::check(Arc::new(make().await)).await;
    listing::check(&make().await).await;
    watching::check(Arc::new(make().await)).await;
    granting::check(Arc::new(make().await)).await;
    sessions::check(&make().await).await;
    sessions::check_crowd(Arc::new(make().await)).await;
}

/// Does one thing many times at once.
async fn at_once<T: Send + 'static, F>(times: usize, each: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for number in 0..times {
        tasks.spawn(each(number));
    }
    tasks.join_all().await
}

/// Does two things in one task, and begins with the first.
async fn both<A: Future, B: Future>(one: A, other: B) -> (A::Output, B::Output) {
    let (mut one, mut other) = (pin!(one), pin!(other));
    let mut done = (None, None);
    poll_fn(|cx| {
        if done.0.is_none()
            && let Poll::Ready(output) = one.as_mut().poll(cx)
        {
            done.0 = Some(output);
        }
        if done.1.is_none()
            && let Poll::Ready(output) = other.as_mut().poll(cx)
        {
            done.1 = Some(output);
        }
        match (done.0.take(), done.1.take()) {
            (Some(one), Some(other)) => Poll::Ready((one, other)),
            some => {
                done = some;
                Poll::Pending
            }
        }
    })
    .await
}

/// A result of a store that must not be an error here.
trait Works<T> {
    #[track_caller]
    fn works(self, what: &str) -> T;
}

impl<T> Works<T> for Result<T, StoreError> {
    #[track_caller]
    fn works(self, what: &str) -> T {
        match self {
            Ok(value) => value,
            Err(error) => panic!("`{what}` failed: {error}"),
        }
    }
}

/// `assert_eq!` that says first what is wrong.
#[track_caller]
#[allow(
    clippy::needless_pass_by_value,
    reason = "what is compared is made for it"
)]
fn same<T: PartialEq + Debug>(found: T, expected: T, otherwise: &str) {
    assert!(
        found == expected,
        "{otherwise}\n found: {found:?}\nwanted: {expected:?}"
    );
}
