use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::session::MAX_SCHEDULED;
use super::*;
use crate::id::SessionId;

#[derive(Debug, Clone, Default, PartialEq)]
struct Count(u32);

#[derive(Debug, Clone, PartialEq)]
struct Directory(&'static str);

/// Something that cannot go in peace.
#[derive(Clone, Default)]
struct Clinging;

impl Drop for Clinging {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "it clings");
    }
}

fn one_more() -> StateCommand {
    StateCommand::update(|count: &mut Count| count.0 += 1)
}

fn count(state: &SessionState) -> Option<u32> {
    state.snapshot().get::<Count>().map(|count| count.0)
}

fn action(name: &str) -> ScheduledAction {
    ScheduledAction::new(name, json!({"of": name}), Duration::from_secs(60))
}

#[test]
fn nothing_is_copied_before_something_is_set() {
    let state = SessionState::default();
    assert_eq!(state.version(), 0);
    assert!(state.snapshot().is_empty());
    assert!(state.apply(&[StateCommand::remove::<Count>()]).is_ok());
    assert!(state.apply(&[StateCommand::emit("told", 1)]).is_ok());
    assert_eq!(state.version(), 0);
    assert!(state.snapshot().0.is_none());
}

#[test]
fn commands_are_applied_in_their_order() {
    let state = SessionState::default();
    let double = StateCommand::update(|count: &mut Count| count.0 *= 2);
    let commands = [
        StateCommand::set(Count(1)),
        one_more(),
        double.clone(),
        one_more(),
    ];
    state.apply(&commands).unwrap();
    assert_eq!(count(&state), Some(5));
    assert_eq!(state.version(), 1);
    let before = state.snapshot();
    let commands = [StateCommand::remove::<Count>(), one_more(), double];
    state.apply(&commands).unwrap();
    assert_eq!(count(&state), Some(2));
    assert_eq!((before.version(), before.get()), (1, Some(&Count(5))));
    state.apply(&[StateCommand::remove::<Count>()]).unwrap();
    assert!(state.snapshot().is_empty());
    assert_eq!(state.version(), 3);
}

#[test]
fn all_commands_are_applied_or_none() {
    let state = SessionState::default();
    state.apply(&[StateCommand::set(Count(1))]).unwrap();
    let panics = StateCommand::update(|_: &mut Count| panic!("no more"));
    let commands = [
        one_more(),
        StateCommand::set(Directory("/")),
        StateCommand::schedule(action("later")),
        panics,
    ];
    let error = state.apply(&commands).unwrap_err();
    assert!(matches!(error, ApplyError::Panicked(said) if said == "no more"));
    assert_eq!((count(&state), state.version()), (Some(1), 1));
    assert_eq!(state.snapshot().get::<Directory>(), None);
    assert!(state.take_scheduled().is_empty());
    state.apply(&[one_more()]).unwrap();
    assert_eq!(count(&state), Some(2));
}

#[test]
fn no_change_is_lost_to_one_at_the_same_time() {
    let state = SessionState::default();
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..500 {
                    state.apply(&[one_more(), one_more()]).unwrap();
                }
            });
        }
    });
    assert_eq!((count(&state), state.version()), (Some(4000), 2000));
}

#[test]
fn a_change_may_read_the_state() {
    let state = Arc::new(SessionState::default());
    state.apply(&[one_more()]).unwrap();
    let its = Arc::clone(&state);
    let reads = StateCommand::update(move |count: &mut Count| {
        count.0 += its.snapshot().get::<Count>().unwrap().0;
    });
    state.apply(&[one_more(), reads]).unwrap();
    assert_eq!(count(&state), Some(3));
}

#[test]
fn what_panics_when_it_goes_takes_nothing_with_it() {
    let state = SessionState::default();
    state
        .apply(&[StateCommand::set(Clinging), one_more()])
        .unwrap();
    let read = state.snapshot();
    state.apply(&[StateCommand::remove::<Clinging>()]).unwrap();
    drop(read);
    state
        .apply(&[StateCommand::update(|_: &mut Clinging| {})])
        .unwrap();
    state.close();
    assert!(state.snapshot().is_empty());
}

#[test]
fn what_a_session_begins_with_replaces_nothing() {
    let state = SessionState::default();
    state.apply(&[StateCommand::begin_with(Count(1))]).unwrap();
    state.apply(&[StateCommand::begin_with(Count(2))]).unwrap();
    assert_eq!((count(&state), state.version()), (Some(1), 1));
}

#[test]
fn scheduled_actions_wait_until_they_are_taken_and_not_without_end() {
    let state = SessionState::default();
    let signs = state
        .apply(&[
            StateCommand::schedule(action("first")),
            StateCommand::emit("told", "x"),
            StateCommand::schedule(action("second")),
        ])
        .unwrap();
    let told = CommandEvent::Emitted {
        name: "told".to_owned(),
        payload: json!("x"),
    };
    assert_eq!(
        signs,
        [
            CommandEvent::Scheduled(action("first")),
            told,
            CommandEvent::Scheduled(action("second")),
        ]
    );
    assert_eq!(state.take_scheduled(), [action("first"), action("second")]);
    assert!(state.take_scheduled().is_empty());
    let many = vec![StateCommand::schedule(action("one")); MAX_SCHEDULED];
    state.apply(&many).unwrap();
    let error = state
        .apply(&[one_more(), StateCommand::schedule(action("one"))])
        .unwrap_err();
    assert!(matches!(error, ApplyError::TooManyScheduled));
    assert_eq!(count(&state), None);
    state.apply(&[one_more()]).unwrap();
    assert_eq!(state.take_scheduled().len(), MAX_SCHEDULED);
}

#[test]
fn handles_of_one_session_have_one_state_until_it_ends() {
    let states = Arc::new(States::default());
    let (a, b) = (SessionId::new("a"), SessionId::new("b"));
    let one = states.open(&a);
    assert!(Arc::ptr_eq(&one, &states.open(&a)));
    one.apply(&[one_more()]).unwrap();
    assert_eq!(count(&states.open(&b)), None);
    drop(one);
    let again = states.open(&a);
    assert_eq!(count(&again), Some(1));
    again.close();
    assert_eq!(count(&again), None);
    // A call that ends later leaves nothing.
    again
        .apply(&[one_more(), StateCommand::schedule(action("x"))])
        .unwrap();
    assert_eq!(count(&again), None);
    assert!(again.take_scheduled().is_empty());
    let new = states.open(&a);
    assert_eq!(count(&new), None);
    drop(again);
    assert!(Arc::ptr_eq(&new, &states.open(&a)));
}

#[test]
fn a_session_that_sets_nothing_leaves_nothing() {
    let states = Arc::new(States::default());
    let id = SessionId::new("a");
    drop(states.open(&id));
    assert_eq!(states.count(), 0);
    states.open(&id).apply(&[one_more()]).unwrap();
    assert_eq!(states.count(), 1);
    states.open(&id).close();
    assert_eq!(states.count(), 0);
}

#[test]
fn a_command_is_equal_to_its_clones_and_shows_no_value() {
    let (set, update) = (StateCommand::set(Directory("/secret")), one_more());
    assert_eq!((&set, &update), (&set.clone(), &update.clone()));
    assert_ne!(set, StateCommand::set(Directory("/secret")));
    assert_ne!(update, one_more());
    assert_eq!(
        StateCommand::remove::<Count>(),
        StateCommand::remove::<Count>()
    );
    assert_eq!(StateCommand::emit("a", 1), StateCommand::emit("a", 1));
    let state = SessionState::default();
    state.apply(std::slice::from_ref(&set)).unwrap();
    let shown = format!(
        "{set:?} {:?} {:?}",
        StateCommand::emit("a", "/secret"),
        state.snapshot()
    );
    assert!(!shown.contains("/secret"), "{shown}");
    assert!(shown.contains("Directory"), "{shown}");
}
