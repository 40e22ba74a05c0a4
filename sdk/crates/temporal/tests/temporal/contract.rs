//! The contract of dispatchers.

use std::time::Duration;

use toolwright_temporal::{TemporalDispatcher, TemporalServer, TemporalWorker};

use crate::support;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_dispatcher_keeps_to_the_contract() {
    let Some(address) = support::address() else {
        return;
    };
    let server = TemporalServer::new(address).connect().await.unwrap();
    let make = async |host| {
        let worker = TemporalWorker::new(&server, host).pools(["contract"]);
        tokio::spawn(worker.heartbeat_interval(Duration::from_millis(200)).run());
        TemporalDispatcher::new(&server).heartbeat_timeout(support::HEARTBEAT_TIMEOUT)
    };
    toolwright::testing::dispatcher_contract(make).await;
}
