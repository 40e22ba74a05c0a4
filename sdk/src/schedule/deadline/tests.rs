use std::future::{Future, poll_fn};
use std::task::{Context, Poll};

use flag::Flag;
use tokio::runtime::{Builder, Runtime};

use super::*;

mod flag {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};

    /// The number of times that it was woken.
    #[derive(Default)]
    pub(super) struct Flag(AtomicUsize);

    impl Flag {
        pub(super) fn new() -> (Arc<Self>, Waker) {
            let flag = Arc::new(Self::default());
            (Arc::clone(&flag), flag.into())
        }

        pub(super) fn count(&self) -> usize {
            self.0.load(Ordering::SeqCst)
        }
    }

    impl Wake for Flag {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
}

const SECOND: Duration = Duration::from_secs(1);

fn deadlines() -> Arc<DeadlineQueue> {
    Arc::new(DeadlineQueue::new(Duration::ZERO))
}

/// Returns true if nothing waits, and no sweeper runs.
fn is_empty(deadlines: &DeadlineQueue) -> bool {
    let mut shards = deadlines.shards.iter();
    shards.all(|shard| shard.lock().runtimes.is_empty())
}

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

fn alive() -> usize {
    Handle::current().metrics().num_alive_tasks()
}

/// Sleeps, because the clock stands still while anything runs.
async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Waits for its deadline as a call does.
async fn rings(deadlines: &Arc<DeadlineQueue>, time: Duration) {
    let until = Some(Instant::now() + time);
    let mut deadline: Option<Deadline> = None;
    poll_fn(|cx: &mut Context<'_>| {
        let is_due = deadline
            .as_ref()
            .is_some_and(|deadline| deadlines.is_due(deadline));
        let holds = deadline
            .as_ref()
            .is_some_and(|deadline| deadlines.go_on(deadline, cx.waker()));
        if !is_due && !holds {
            deadline = Some(deadlines.add(0, until, cx.waker()).unwrap());
        }
        if is_due {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    if let Some(deadline) = deadline {
        deadlines.remove(&deadline);
    }
}

#[tokio::test(start_paused = true)]
async fn each_rings_in_its_time_by_one_task_that_ends_with_the_last() {
    let deadlines = deadlines();
    let begun = Instant::now();
    let late = rings(&deadlines, 60 * SECOND);
    let early = async {
        rings(&deadlines, 5 * SECOND).await;
        assert_eq!(begun.elapsed().as_secs(), 5);
        assert_eq!(alive(), 1);
        rings(&deadlines, 2 * SECOND).await;
        assert_eq!(begun.elapsed().as_secs(), 7);
    };
    tokio::join!(late, early);
    assert_eq!(begun.elapsed().as_secs(), 60);
    until(|| alive() == 0).await;
    assert!(is_empty(&deadlines));
}

#[tokio::test(start_paused = true)]
async fn the_task_ends_when_nothing_waits_any_more_long_before_its_time() {
    let deadlines = deadlines();
    let (flag, waker) = Flag::new();
    let begun = Instant::now();
    let far = Some(Instant::now() + 3600 * SECOND);
    for _ in 0..3 {
        let deadline = deadlines.add(0, far, &waker).unwrap();
        tokio::task::yield_now().await;
        assert_eq!(alive(), 1);
        deadlines.remove(&deadline);
        // Once more at once: the task goes on.
        let deadline = deadlines.add(0, far, &waker).unwrap();
        tokio::task::yield_now().await;
        assert_eq!(alive(), 1);
        deadlines.remove(&deadline);
        until(|| alive() == 0).await;
    }
    assert_eq!(flag.count(), 0);
    assert!(is_empty(&deadlines));
    assert!(begun.elapsed() < 10 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn the_task_stays_for_calls_that_come_soon_after_others() {
    let deadlines = deadlines();
    let (_, waker) = Flag::new();
    let far = Some(Instant::now() + 3600 * SECOND);
    let mut queues = Vec::new();
    for _ in 0..50 {
        let deadline = deadlines.add(0, far, &waker).unwrap();
        deadlines.remove(&deadline);
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(alive(), 1);
        queues.push(deadline.runtime_queue);
    }
    queues.dedup();
    assert_eq!(queues.len(), 1);
    tokio::time::sleep(2 * SECOND).await;
    assert_eq!(alive(), 0);
}

#[test]
fn a_runtime_that_goes_takes_no_alarm_of_another_with_it() {
    let deadlines = deadlines();
    let (first, second) = (runtime(), runtime());
    let (ours, our_waker) = Flag::new();
    let (other, other_waker) = Flag::new();
    let add = |runtime: &Runtime, waker: &Waker| {
        let _inside = runtime.enter();
        let until = Some(Instant::now() + SECOND);
        deadlines.add(0, until, waker).unwrap()
    };
    let of_first = add(&first, &our_waker);
    let of_second = add(&second, &other_waker);
    drop(first);
    assert_eq!((ours.count(), other.count()), (1, 0));
    assert!(
        !deadlines.go_on(&of_first, &our_waker),
        "it has to look for another"
    );
    second.block_on(async {
        assert!(deadlines.go_on(&of_second, &other_waker));
        rings(&deadlines, 2 * SECOND).await;
    });
    assert_eq!(other.count(), 1);
    deadlines.remove(&of_first);
    deadlines.remove(&of_second);
}

#[test]
fn a_call_that_moves_to_another_runtime_rings_there() {
    let deadlines = deadlines();
    let (first, second) = (runtime(), runtime());
    let mut rings = Box::pin(rings(&deadlines, SECOND));
    first.block_on(poll_fn(|cx| {
        assert!(rings.as_mut().poll(cx).is_pending());
        Poll::Ready(())
    }));
    // The first is there, and nobody drives it.
    second.block_on(rings);
    drop(first);
    drop(second);
    assert!(is_empty(&deadlines));
}

#[test]
fn without_timers_there_is_no_alarm() {
    let deadlines = deadlines();
    let (_, waker) = Flag::new();
    let until = Some(Instant::now() + SECOND);
    assert_eq!(
        deadlines.add(0, until, &waker).unwrap_err(),
        TimerFault::NoTimers
    );
    let without = Builder::new_current_thread().build().unwrap();
    let inside = without.enter();
    assert_eq!(
        deadlines.add(0, until, &waker).unwrap_err(),
        TimerFault::NoTimers
    );
    drop(inside);
    assert!(is_empty(&deadlines));
    // Nor where the runtime is about to go.
    let going = runtime();
    let handle = going.handle().clone();
    drop(going);
    let _inside = handle.enter();
    let shutting_down = deadlines.add(0, until, &waker).unwrap_err();
    assert_eq!(shutting_down, TimerFault::ShuttingDown);
    assert!(is_empty(&deadlines));
}

#[test]
fn a_cancellation_wakes_its_family_and_no_other() {
    let deadlines = deadlines();
    let (ours, our_waker) = Flag::new();
    let (other, other_waker) = Flag::new();
    let one = deadlines
        .add(deadlines.new_wake_group(), None, &our_waker)
        .unwrap();
    let two = deadlines
        .add(deadlines.new_wake_group(), None, &other_waker)
        .unwrap();
    deadlines.wake(0);
    assert_eq!((ours.count(), other.count()), (1, 0));
    deadlines.remove(&one);
    deadlines.remove(&two);
    assert!(is_empty(&deadlines));
}

#[test]
fn calls_that_wait_on_many_threads_ring_and_leave_nothing() {
    let deadlines = deadlines();
    let threads = Builder::new_multi_thread()
        .worker_threads(4)
        .enable_time()
        .build()
        .unwrap();
    threads.block_on(async {
        let begun = Instant::now();
        let time = Duration::from_millis(20);
        let call = || {
            let deadlines = Arc::clone(&deadlines);
            async move { rings(&deadlines, time).await }
        };
        let calls: Vec<_> = (0..200).map(|_| tokio::spawn(call())).collect();
        for call in calls {
            call.await.unwrap();
        }
        assert!(begun.elapsed() >= time);
        until(|| is_empty(&deadlines)).await;
    });
}

#[test]
fn a_cancellation_reaches_calls_in_each_queue() {
    let deadlines = deadlines();
    let wake_group = deadlines.new_wake_group();
    let armed: Vec<_> = (0..2 * SHARDS)
        .map(|_| {
            let deadlines = Arc::clone(&deadlines);
            let add = move || {
                let (flag, waker) = Flag::new();
                (deadlines.add(wake_group, None, &waker).unwrap(), flag)
            };
            std::thread::spawn(add).join().unwrap()
        })
        .collect();
    let used = deadlines.shards.iter();
    let used = used.filter(|shard| !shard.lock().runtimes.is_empty());
    assert!(used.count() > 1, "threads do not share one queue");
    deadlines.wake(wake_group);
    for (deadline, flag) in &armed {
        assert_eq!(flag.count(), 1);
        deadlines.remove(deadline);
    }
    assert!(is_empty(&deadlines));
}

#[tokio::test(start_paused = true)]
async fn a_time_that_never_comes_is_no_limit_and_is_cancelled_as_any() {
    let deadlines = deadlines();
    let wake_group = deadlines.new_wake_group();
    let (flag, waker) = Flag::new();
    let never = Some(Instant::now() + Duration::from_secs(300 * 366 * 24 * 3600));
    let deadline = deadlines.add(wake_group, never, &waker).unwrap();
    tokio::task::yield_now().await;
    assert_eq!(alive(), 0, "nobody waits for it");
    assert!(deadlines.go_on(&deadline, &waker) && !deadlines.is_due(&deadline));
    deadlines.wake(wake_group);
    assert_eq!(flag.count(), 1);
    deadlines.remove(&deadline);
    assert!(is_empty(&deadlines));
}
