use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use super::*;
use crate::id::{InvocationId, SessionId};
use crate::testing;

const EPOCH: SystemTime = SystemTime::UNIX_EPOCH;

fn seeded(seed: u64) -> SessionEnvironment {
    let clock = Arc::new(FixedClock::default());
    EnvironmentSource::fixed(clock, seed).session(&SessionId::new("s"), 1)
}

fn call(environment: &SessionEnvironment, number: u64) -> Arc<CallEnvironment> {
    let id = InvocationId::from_parts(99, number);
    let environment = environment.of_call(id, None).unwrap();
    environment.begin();
    environment
}

fn seconds(seconds: u64) -> SystemTime {
    EPOCH + Duration::from_secs(seconds)
}

/// The numbers of a seed are the same on every machine and in every version.
#[test]
fn what_comes_of_a_seed_is_fixed_for_ever() {
    let mut rng = call(&seeded(7), 3).rng();
    assert_eq!(
        [rng.next_u64(), rng.next_u64()],
        [15_670_754_956_627_773_370, 2_553_291_428_996_748_103]
    );
    let ctx = testing::context().build();
    assert_eq!(
        ctx.new_id().to_string(),
        "593d0d69-c08f-47c2-bdc2-4b35dfab2c2e"
    );
}

#[test]
fn generators_calls_sessions_and_seeds_differ() {
    let mut seen = BTreeSet::new();
    for seed in 0..4 {
        let session = seeded(seed);
        let child = session.child(&SessionId::new("below"), 2);
        for environment in [&session, &child] {
            for number in 1..4 {
                let environment = call(environment, number);
                for _ in 0..3 {
                    assert!(seen.insert(environment.rng().next_u64()));
                }
                assert!(seen.insert(CallRng::new(&environment.seed_below().0).next_u64()));
                assert!(seen.insert(CallRng::new(&environment.seed_below().0).next_u64()));
            }
        }
    }
}

/// A body gets the same however often somebody asked before what the call wants.
#[test]
fn what_was_drawn_before_the_body_does_not_shift_what_it_gets() {
    let session = seeded(1);
    let id = InvocationId::from_parts(0, 1);
    let asked = session.of_call(id, None).unwrap();
    let before = asked.rng().next_u64();
    asked.begin();
    let body = asked.rng().next_u64();
    assert_ne!(before, body);
    assert_eq!(body, call(&session, 1).rng().next_u64());
    asked.begin();
    assert_eq!(body, asked.rng().next_u64());
}

#[test]
fn the_real_world_costs_a_call_nothing_and_never_repeats() {
    let source = EnvironmentSource::real().unwrap();
    let [one, other] = [1, 2].map(|handle| source.session(&SessionId::new("s"), handle));
    assert!(one.of_call(InvocationId::from_parts(0, 1), None).is_none());
    let mut seen = BTreeSet::new();
    for session in [&one, &other] {
        for _ in 0..100 {
            assert!(seen.insert(session.rng().next_u64()));
        }
    }
    let again = EnvironmentSource::real()
        .unwrap()
        .session(&SessionId::new("s"), 1);
    assert!(seen.insert(again.rng().next_u64()));
}

#[test]
fn readings_are_noted_and_handed_out_again() {
    let clock = FixedClock::new(seconds(10));
    let source = EnvironmentSource::fixed(Arc::new(clock.clone()), 0).noting(true);
    let noted = call(&source.session(&SessionId::new("s"), 1), 1);
    let read = |environment: &Arc<CallEnvironment>| {
        let clock = CallClock(Some(Arc::clone(environment)));
        (clock.now(), clock.since(seconds(10)))
    };
    clock.advance(Duration::from_secs(5));
    assert_eq!(read(&noted), (seconds(15), Duration::from_secs(5)));
    clock.set(seconds(3));
    assert_eq!(
        CallClock(Some(Arc::clone(&noted))).since(seconds(10)),
        Duration::ZERO
    );
    let readings = noted.readings().unwrap();
    assert_eq!(readings, [15, 15, 3].map(|seconds| seconds * 1_000_000_000));

    let again = Arc::new(CallEnvironment::recorded(noted.seed(), readings));
    again.begin();
    assert_eq!(again.rng().next_u64(), noted.rng().next_u64());
    assert_eq!(read(&again), (seconds(15), Duration::from_secs(5)));
    assert_eq!([again.now(), again.now()], [seconds(3); 2]);
    assert_eq!(again.times_read(), 4);
    again.begin();
    assert_eq!((again.now(), again.times_read()), (seconds(15), 1));
}

#[test]
fn too_many_readings_are_not_noted_and_still_read() {
    let clock = FixedClock::new(seconds(1));
    let source = EnvironmentSource::fixed(Arc::new(clock), 0).noting(true);
    let environment = call(&source.session(&SessionId::new("s"), 1), 1);
    for _ in 0..MAX_READINGS {
        environment.now();
    }
    assert_eq!(
        environment.readings().map(|all| all.len()),
        Some(MAX_READINGS)
    );
    assert_eq!(environment.now(), seconds(1));
    assert_eq!(environment.readings(), None);
    environment.begin();
    assert_eq!(environment.readings(), Some(vec![]));
}

#[test]
fn a_replayed_call_that_read_no_time_reads_one_all_the_same() {
    let environment = CallEnvironment::recorded(Seed([0; 32]), vec![]);
    assert_eq!((environment.now(), environment.times_read()), (EPOCH, 1));
}

#[test]
fn numbers_below_a_limit_are_below_it_and_even() {
    let mut rng = call(&seeded(0), 1).rng();
    assert_eq!([rng.below(0), rng.below(1)], [0, 0]);
    let limit = u64::MAX / 3 * 2;
    let mut low = 0;
    for _ in 0..3_000 {
        let drawn = rng.below(limit);
        assert!(drawn < limit);
        // A remainder of 64 bits would put two thirds of them here.
        low += u32::from(drawn < limit / 2);
    }
    assert!((1_350..1_650).contains(&low), "{low}");
}

#[test]
fn bytes_do_not_depend_on_how_they_are_fetched() {
    let session = seeded(0);
    let mut whole = [0; 300];
    call(&session, 1).rng().fill(&mut whole);
    let mut rng = call(&session, 1).rng();
    let mut parts = Vec::new();
    for length in [0, 1, 63, 64, 65, 100, 7] {
        let mut part = vec![0; length];
        rng.fill(&mut part);
        parts.extend(part);
    }
    assert_eq!(whole[..], parts[..]);
    assert_eq!(call(&session, 1).rng().seed(), whole[..32]);
}

#[test]
fn an_id_is_a_uuid_of_version_4() {
    let mut rng = call(&seeded(0), 1).rng();
    for _ in 0..100 {
        let id = FreshId::draw(&mut rng);
        let text = id.to_string();
        let lengths: Vec<usize> = text.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(text.as_bytes()[14], b'4');
        assert!(b"89ab".contains(&text.as_bytes()[19]), "{text}");
        assert_eq!(text.replace('-', ""), format!("{:032x}", id.as_u128()));
        assert_eq!(serde_json::to_value(id).unwrap(), text);
        assert_eq!(u128::from_be_bytes(id.to_bytes()), id.as_u128());
    }
}

#[test]
fn a_clock_that_cannot_go_on_stays() {
    let clock = FixedClock::default();
    let before = clock.now();
    clock.advance(Duration::MAX);
    assert_eq!(clock.now(), before);
    assert_eq!(before, seconds(946_684_800));
}

#[test]
fn debug_shows_nothing_that_tells_what_comes() {
    let ctx = testing::context().seed(5).build();
    assert_eq!(
        format!("{:?} {:?}", ctx.rng(), ctx.clock()),
        "CallRng CallClock"
    );
    assert_eq!(
        format!("{:?}", ctx.call.environment()),
        "Some(CallEnvironment)"
    );
}

#[test]
fn a_time_that_no_number_tells_is_read_and_not_noted() {
    let far = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 34);
    let clock = FixedClock::new(far);
    let source = EnvironmentSource::fixed(Arc::new(clock), 0).noting(true);
    let environment = call(&source.session(&SessionId::new("s"), 1), 1);
    assert_eq!((environment.now(), environment.readings()), (far, None));
    for nanos in [0, 1, -1, i64::MAX, i64::MIN + 1] {
        assert_eq!(super::nanos(time(nanos)), Some(nanos));
    }
}
