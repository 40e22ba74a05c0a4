//! The cost of a dispatched call of an empty tool, beside a workflow with one empty activity by Temporal's own SDK.
//!
//! `scripts/services --only temporal cargo bench -p toolwright-temporal`
#![allow(
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    clippy::missing_errors_doc,
    clippy::unused_async,
    clippy::unwrap_used,
    reason = "no interface; a benchmark stops at the first fault"
)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use temporalio_client::{
    Client, ClientOptions, Connection, ConnectionOptions, Url, WorkflowGetResultOptions,
    WorkflowStartOptions,
};
use temporalio_common::RetryPolicy;
use temporalio_macros::{activities, workflow, workflow_methods};
use temporalio_sdk::activities::{ActivityContext, ActivityError};
use temporalio_sdk::{
    ActivityOptions, Runtime, Worker, WorkerOptions, WorkflowContext, WorkflowResult,
};
use toolwright::executor::{Approvals, ToolHost};
use toolwright::permission::AllowAll;
use toolwright::ticket::TicketKey;
use toolwright::{Executor, ExecutorBuilder, ToolError, ToolName, ToolRegistry, ToolSpec, tool_fn};
use toolwright_temporal::{TemporalDispatcher, TemporalServer, TemporalWorker};

pub struct Bare;

#[activities]
impl Bare {
    #[activity]
    pub async fn nothing(_ctx: ActivityContext, input: Value) -> Result<Value, ActivityError> {
        Ok(input)
    }
}

#[workflow]
#[derive(Default)]
pub struct BareWorkflow;

#[workflow_methods]
impl BareWorkflow {
    #[run]
    pub async fn run(ctx: &mut WorkflowContext<Self>, input: Value) -> WorkflowResult<Value> {
        let options = ActivityOptions::with_start_to_close_timeout(Duration::from_mins(1))
            .heartbeat_timeout(Duration::from_secs(10))
            .retry_policy(RetryPolicy::builder().maximum_attempts(1).build())
            .build();
        Ok(ctx.execute_activity(Bare::nothing, input, options).await?)
    }
}

/// A name that no other run has.
fn unique(what: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_micros();
    format!("{what}-{now}-{}", COUNT.fetch_add(1, Ordering::Relaxed))
}

fn executor(pool: &str) -> ExecutorBuilder {
    let spec = ToolSpec::new(ToolName::new("nothing").unwrap(), "Do nothing.")
        .with_pool(pool.to_owned())
        .with_timeout(Duration::from_mins(1))
        .with_input_schema(json!({"type": "object"}));
    let nothing = tool_fn(spec, |_: Value, _| async { Ok::<_, ToolError>("") });
    Executor::builder(ToolRegistry::new().with(nothing))
        .approvals(Approvals::new().ticket_key(TicketKey::from_bytes([1; 32])))
        .permission_checker(AllowAll)
}

/// The middle of the times of `count` calls by `callers` at once, one after the other each, and the calls a second.
async fn measure<F: Future<Output = ()> + Send + 'static>(
    callers: usize,
    count: usize,
    call: impl Fn() -> F + Clone + Send + 'static,
) -> (Duration, f64) {
    let began = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..callers {
        let call = call.clone();
        tasks.spawn(async move {
            let mut times = Vec::new();
            for _ in 0..count / callers {
                let began = Instant::now();
                call().await;
                times.push(began.elapsed());
            }
            times
        });
    }
    let mut times = tasks.join_all().await.concat();
    times.sort_unstable();
    #[allow(clippy::cast_precision_loss, reason = "a few hundred")]
    let rate = times.len() as f64 / began.elapsed().as_secs_f64();
    (times[times.len() / 2], rate)
}

#[tokio::main]
async fn main() {
    let Ok(address) = std::env::var("TEMPORAL_ADDRESS") else {
        eprintln!("SKIPPED, WITHOUT A TEMPORAL SERVER: set TEMPORAL_ADDRESS");
        return;
    };
    let url: Url = format!("http://{address}").parse().unwrap();
    let connection = Connection::connect(ConnectionOptions::new(url).build())
        .await
        .unwrap();
    let client = Client::new(connection, ClientOptions::new("default").build()).unwrap();
    let queue = unique("bare");
    let options = WorkerOptions::new(queue.clone())
        .register_workflow::<BareWorkflow>()
        .unwrap();
    let options = options.register_activities(Bare).build();
    let runtime =
        Runtime::from_current_tokio(temporalio_sdk::runtime::RuntimeOptions::default()).unwrap();
    let worker_client = client.clone();
    let tokio = tokio::runtime::Handle::current();
    std::thread::spawn(move || {
        tokio.block_on(async move {
            let mut worker = Worker::new(&runtime, worker_client, options).unwrap();
            worker.run().await.unwrap();
        });
    });
    // As long as a signed call.
    let input = json!({"call": "x".repeat(700)});
    let bare = move || {
        let (client, queue, input) = (client.clone(), queue.clone(), input.clone());
        async move {
            let options = WorkflowStartOptions::new(queue, unique("bare")).build();
            let handle = client
                .start_workflow(BareWorkflow::run, input, options)
                .await
                .unwrap();
            handle
                .get_result(WorkflowGetResultOptions::default())
                .await
                .unwrap();
        }
    };

    let pool = unique("pool");
    let server = TemporalServer::new(address).connect().await.unwrap();
    let host = ToolHost::new(&executor(&pool).hosts_pools().build().unwrap());
    tokio::spawn(
        TemporalWorker::new(&server, host)
            .pools([pool.as_str()])
            .run(),
    );
    let dispatching = executor(&pool)
        .dispatcher(TemporalDispatcher::new(&server))
        .build()
        .unwrap();
    let ours = move || {
        let executor = dispatching.clone();
        async move { assert!(executor.call("nothing", "{}").await.is_success()) }
    };

    measure(1, 10, bare.clone()).await;
    measure(1, 10, ours.clone()).await;
    // In turns, so that a busy machine troubles both.
    for (callers, count) in [(1, 30), (16, 96)].repeat(3) {
        let (bare, bare_rate) = measure(callers, count, bare.clone()).await;
        let (ours, our_rate) = measure(callers, count, ours.clone()).await;
        println!(
            "{callers:>2} callers: bare {bare:>10.2?} {bare_rate:>6.1}/s   dispatched {ours:>10.2?} {our_rate:>6.1}/s   time x {:.2}",
            ours.as_secs_f64() / bare.as_secs_f64()
        );
    }
}
