use super::CallStatus::{self, Cancelled, Failed, New, Resuming, Running, Succeeded, Suspended};

/// As it stands in the documentation.
const LEGAL: &[(CallStatus, &[CallStatus])] = &[
    (New, &[Running, Suspended, Succeeded, Failed, Cancelled]),
    (Running, &[Suspended, Succeeded, Failed, Cancelled]),
    (Suspended, &[Resuming, Failed, Cancelled]),
    (
        Resuming,
        &[Running, Suspended, Succeeded, Failed, Cancelled],
    ),
    (Succeeded, &[]),
    (Failed, &[]),
    (Cancelled, &[]),
];

#[test]
fn s4_49_each_step_is_legal_or_refused_as_the_table_says() {
    assert_eq!(LEGAL.len(), CallStatus::ALL.len());
    for (from, legal) in LEGAL {
        for to in CallStatus::ALL {
            match from.step(to) {
                Ok(next) => assert!(legal.contains(&to) && next == to, "{from} to {to}"),
                Err(refused) => {
                    assert!(!legal.contains(&to), "{from} to {to}");
                    assert_eq!((refused.from(), refused.to()), (*from, to));
                }
            }
        }
    }
}

#[test]
fn s4_51_what_has_ended_stays_as_it_is() {
    for from in CallStatus::ALL {
        let goes_on = CallStatus::ALL.iter().any(|to| from.may_become(*to));
        assert_eq!(goes_on, !from.is_final(), "{from}");
    }
    let refused = Cancelled.step(Succeeded).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a call that is cancelled cannot become succeeded"
    );
}

#[test]
fn it_is_written_by_its_name() {
    for status in CallStatus::ALL {
        let text = serde_json::to_string(&status).unwrap();
        assert_eq!(text, format!("{:?}", status.as_str()));
        assert_eq!(serde_json::from_str::<CallStatus>(&text).unwrap(), status);
    }
}
