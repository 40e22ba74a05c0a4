use super::*;

fn numbers(fractions: &[Option<f64>]) -> Vec<Option<(f64, Option<f64>)>> {
    let mut progress = Progress::default();
    fractions
        .iter()
        .map(|fraction| progress.next(*fraction))
        .collect()
}

#[test]
fn fractions_are_so_much_of_a_hundred() {
    let told = numbers(&[Some(0.0), Some(0.5), Some(1.0)]);
    let wanted = [0.0, 50.0, 100.0].map(|n| Some((n, Some(100.0))));
    assert_eq!(told, wanted);
}

#[test]
fn steps_are_counted_until_a_fraction_is_known() {
    let told = numbers(&[None, None, Some(0.5), None]);
    assert_eq!(told[..2], [Some((1.0, None)), Some((2.0, None))]);
    assert_eq!(told[2], Some((50.0, Some(100.0))));
    assert_eq!(told[3], Some((50.0_f64.next_up(), Some(100.0))));
}

#[test]
fn progress_rises_and_never_goes_beyond_the_whole() {
    let told = numbers(&[Some(0.5), Some(0.2), Some(0.5), Some(1.0), Some(1.0), None]);
    let sent: Vec<f64> = told.iter().flatten().map(|(n, _)| *n).collect();
    assert_eq!(sent.len(), 4);
    assert!(sent.windows(2).all(|two| two[0] < two[1]), "{sent:?}");
    assert_eq!(sent.last(), Some(&100.0));
    let after_many = numbers(&[None; 200]);
    assert_eq!(after_many.last(), Some(&Some((200.0, None))));
}

#[test]
fn only_those_who_ask_for_info_or_less_are_told() {
    assert!(is_told(LoggingLevel::Debug) && is_told(LoggingLevel::Info));
    assert!(!is_told(LoggingLevel::Notice) && !is_told(LoggingLevel::Emergency));
}

fn progress_of(session: &str, turn: u64) -> Arc<Event> {
    let event = serde_json::json!({
        "sequence": 1,
        "time": {"secs_since_epoch": 0, "nanos_since_epoch": 0},
        "session": session,
        "call": {"turn": turn, "invocation": "00000000000000010000000000000002", "tool": "t"},
        "type": "progress",
        "status": "running",
        "message": "half of it",
        "fraction": 0.5,
    });
    serde_json::from_value(event).unwrap()
}

#[test]
fn reports_take_the_route_of_their_session_and_turn() {
    let routes = Arc::new(Routes::default());
    let sink = Arc::clone(&routes).sink("s".into());
    let (way, mut waiting) = mpsc::channel(1);
    let turn = progress_of("s", 1).call().unwrap().turn();
    routes.locked().insert(turn, way);
    for (session, turn) in [("below", 1), ("s", 2), ("s", 1), ("s", 1)] {
        sink.accept(&progress_of(session, turn));
    }
    // The last one found no room, and nobody waited for that.
    assert!(matches!(
        waiting.try_recv(),
        Ok(Report::Progress {
            fraction: Some(0.5),
            ..
        })
    ));
    assert!(waiting.try_recv().is_err());
}
