use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::*;

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }

    fn millis(&mut self) -> Duration {
        Duration::from_millis(self.below(8) as u64)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reads,
    Acts,
    /// It has no place in the order of the batch.
    Free,
}

/// The calls that are in, and the stays so far.
#[derive(Default)]
struct House {
    reading: AtomicUsize,
    acting: AtomicUsize,
    all: AtomicUsize,
    /// The stays, in the order in which they began and ended: the call, the number of its stay, and true if it begins.
    stays: Mutex<Vec<(usize, usize, bool)>>,
}

struct Stay<'h> {
    house: &'h House,
    kind: Kind,
    of: (usize, usize),
}

impl House {
    fn begin(&self, kind: Kind, of: (usize, usize), most: Option<usize>) -> Stay<'_> {
        let others = self.all.fetch_add(1, Ordering::Relaxed);
        assert!(most.is_none_or(|most| others < most), "{others} others");
        let acting = self.acting.load(Ordering::Relaxed);
        match kind {
            Kind::Free => {}
            Kind::Reads => {
                assert_eq!(acting, 0, "{of:?} reads beside an effect");
                self.reading.fetch_add(1, Ordering::Relaxed);
            }
            Kind::Acts => {
                assert_eq!(acting, 0, "{of:?} acts beside an effect");
                assert_eq!(self.reading.load(Ordering::Relaxed), 0, "{of:?}");
                self.acting.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.stays.lock().unwrap().push((of.0, of.1, true));
        Stay {
            house: self,
            kind,
            of,
        }
    }
}

impl Drop for Stay<'_> {
    fn drop(&mut self) {
        self.house.all.fetch_sub(1, Ordering::Relaxed);
        match self.kind {
            Kind::Free => 0,
            Kind::Reads => self.house.reading.fetch_sub(1, Ordering::Relaxed),
            Kind::Acts => self.house.acting.fetch_sub(1, Ordering::Relaxed),
        };
        let of = (self.of.0, self.of.1, false);
        self.house.stays.lock().unwrap().push(of);
    }
}

/// The script of a call with a permit, if nobody drops it.
struct Script {
    kind: Kind,
    before: Duration,
    /// For each stay how long it is, and how long the call is out after it. It may give up the way back
    /// after a while, and then it is astray.
    stays: Vec<(Duration, Duration, Option<Duration>)>,
    dropped: Option<Duration>,
}

impl Script {
    fn new(random: &mut Random) -> Self {
        let stay = |random: &mut Random| {
            let gives_up = random.below(3) == 0;
            let way = random.millis();
            (random.millis(), random.millis(), gives_up.then_some(way))
        };
        Self {
            kind: [Kind::Reads, Kind::Reads, Kind::Acts, Kind::Free][random.below(4)],
            before: random.millis(),
            stays: (0..=random.below(3)).map(|_| stay(random)).collect(),
            dropped: (random.below(4) == 0).then(|| random.millis() * 3),
        }
    }

    async fn run(
        self,
        at: usize,
        permit_guard: Option<PermitGuard>,
        house: &House,
        most: Option<usize>,
    ) {
        let dropped = self.dropped;
        let run = async move {
            sleep(self.before).await;
            let Some(permit_guard) = permit_guard else {
                return;
            };
            let permit = permit_guard.permit();
            permit.acquire().await.unwrap();
            for (number, (length, out, gives_up)) in self.stays.into_iter().enumerate() {
                let stay = house.begin(self.kind, (at, number), most);
                sleep(length).await;
                drop(stay);
                permit.release_while_waiting();
                sleep(out).await;
                match gives_up {
                    None => permit.acquire().await.unwrap(),
                    Some(patience) => {
                        if timeout(patience, permit.acquire()).await.is_err() {
                            permit.note_lost_permit();
                        }
                        poll_fn(|cx| permit.poll_reacquire(cx)).await.unwrap();
                    }
                }
            }
        };
        match dropped {
            Some(after) => drop(timeout(after, run).await),
            None => run.await,
        }
    }
}

fn assert_order(kinds: &[Kind], stays: &[(usize, usize, bool)], seed: u64) {
    let places: BTreeMap<_, _> = stays.iter().zip(0..).collect();
    for (second, kind) in kinds.iter().enumerate() {
        for (first, before) in kinds.iter().enumerate().take(second) {
            let is_free = [kind, before].contains(&&Kind::Free);
            if is_free || (*kind == Kind::Reads && *before == Kind::Reads) {
                continue;
            }
            if let Some(ends) = places.get(&(first, 0, false))
                && let Some(begins) = places.get(&(second, 0, true))
            {
                assert!(ends < begins, "{first} and {second} of {kinds:?} ({seed})");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_leaves_gives_up_or_is_dropped_the_order_holds_and_nobody_is_wedged() {
    for seed in 0..600 {
        let random = &mut Random(seed);
        let batch_lock = BatchLock::default();
        let most = (random.below(2) == 0).then(|| 1 + random.below(3));
        let of_session = most.map(|most| Arc::new(Semaphore::new(most)));
        let of_tool = (random.below(3) == 0).then(|| Arc::new(Semaphore::new(2)));
        let house = Arc::new(House::default());
        let mut kinds = Vec::new();
        let mut tasks = Vec::new();
        for at in 0..=random.below(9) {
            let script = Script::new(random);
            let state = match script.kind {
                Kind::Free => None,
                kind => Some((batch_lock.clone(), kind == Kind::Reads)),
            };
            let permit = ConcurrencyPermit::new(state, of_session.clone(), of_tool.clone(), None);
            if let Some(permit) = &permit {
                permit.enqueue();
            }
            kinds.push(script.kind);
            let house = Arc::clone(&house);
            tasks.push(tokio::spawn(async move {
                script
                    .run(at, permit.map(PermitGuard::new), &house, most)
                    .await;
            }));
        }
        for task in tasks {
            let ended = timeout(Duration::from_secs(60), task).await;
            ended
                .unwrap_or_else(|_| panic!("{kinds:?} hang ({seed})"))
                .unwrap();
        }
        assert_order(&kinds, &house.stays.lock().unwrap(), seed);
        // Whatever became of them, they have let go.
        assert!(batch_lock.0.try_write().is_ok(), "{seed}");
        let free = of_session.as_ref().map(|slots| slots.available_permits());
        assert_eq!(free, most, "{seed}");
        assert!(of_tool.is_none_or(|slots| slots.available_permits() == 2));
    }
}

#[tokio::test(start_paused = true)]
async fn reads_are_together_and_effects_one_after_another() {
    let batch_lock = BatchLock::default();
    let begun = Instant::now();
    let mut tasks = Vec::new();
    for reads in [true, true, true, false, false, true, true] {
        let permit =
            ConcurrencyPermit::new(Some((batch_lock.clone(), reads)), None, None, None).unwrap();
        permit.enqueue();
        tasks.push(tokio::spawn(async move {
            let permit_guard = PermitGuard::new(permit);
            permit_guard.permit().acquire().await.unwrap();
            let at = begun.elapsed().as_secs();
            sleep(Duration::from_secs(1)).await;
            at
        }));
    }
    let mut at = Vec::new();
    for task in tasks {
        at.push(task.await.unwrap());
    }
    assert_eq!(at, [0, 0, 0, 1, 2, 3, 3]);
}

#[tokio::test]
async fn whoever_gave_up_a_wait_is_let_on_when_it_has_its_place_again() {
    let batch_lock = BatchLock::default();
    let permit = |batch_lock: &BatchLock| {
        ConcurrencyPermit::new(Some((batch_lock.clone(), false)), None, None, None).unwrap()
    };
    let (first, second) = (
        PermitGuard::new(permit(&batch_lock)),
        PermitGuard::new(permit(&batch_lock)),
    );
    let noop = &mut Context::from_waker(Waker::noop());
    first.permit().acquire().await.unwrap();
    assert!(first.permit().poll_reacquire(noop).is_ready());
    first.permit().release_while_waiting();
    second.permit().acquire().await.unwrap();
    first.permit().note_lost_permit();
    assert!(first.permit().poll_reacquire(noop).is_pending());
    drop(second);
    assert_eq!(first.permit().poll_reacquire(noop), Poll::Ready(Ok(())));
    assert!(batch_lock.0.try_write().is_err());
    drop(first);
    assert!(batch_lock.0.try_write().is_ok());
}

#[tokio::test]
async fn slots_that_are_free_are_taken_at_once_and_others_are_left_alone() {
    let slots = || Some(Arc::new(Semaphore::new(1)));
    let (of_session, of_tool) = (slots(), slots());
    let permit = || {
        PermitGuard::new(
            ConcurrencyPermit::new(None, of_session.clone(), of_tool.clone(), None).unwrap(),
        )
    };
    let free = |slots: &Option<Arc<Semaphore>>| slots.as_ref().unwrap().available_permits();
    let (first, second) = (permit(), permit());
    assert!(first.permit().try_acquire() && first.permit().try_acquire());
    assert_eq!((free(&of_session), free(&of_tool)), (0, 0));
    assert!(!second.permit().try_acquire());
    first.permit().release();
    // The slot of the session is given back where that of the tool is taken.
    let taken = of_tool.clone().unwrap().try_acquire_owned().unwrap();
    assert!(!second.permit().try_acquire());
    assert_eq!(free(&of_session), 1);
    drop(taken);
    // The first in the queue goes first.
    let noop = &mut Context::from_waker(Waker::noop());
    let taken = of_session.clone().unwrap().try_acquire_owned().unwrap();
    assert!(second.permit().poll(noop, true).is_pending());
    drop(taken);
    assert!(!first.permit().try_acquire() && !second.permit().try_acquire());
    assert_eq!(second.permit().poll(noop, true), Poll::Ready(Ok(())));
    assert!(second.permit().try_acquire());
}
