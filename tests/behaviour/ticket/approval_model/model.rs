//! The expected outcomes of calls and answers.

use std::collections::HashMap;

/// The state of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    Done,
    Denied,
    /// For answers about these doors.
    Waits(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Yes,
    No,
    Always,
    Never,
}

#[derive(Debug, Default)]
struct Grants {
    allowed: Vec<String>,
    denied: Vec<String>,
}

#[derive(Debug)]
struct Call {
    session: usize,
    before: Vec<String>,
    within: Vec<String>,
    /// The answer about each door in a ticket that was used.
    said: HashMap<String, bool>,
    open: Option<Open>,
    runs: u32,
    done: u32,
    /// The number of ends that it had.
    ends: u32,
}

/// The open ticket.
#[derive(Debug)]
struct Open {
    asked: Vec<(String, Option<bool>)>,
    by_body: bool,
}

impl Open {
    fn is_settled(&self) -> bool {
        let said = || self.asked.iter().map(|(_, said)| *said);
        said().any(|said| said == Some(false)) || said().all(|said| said.is_some())
    }
}

#[derive(Debug, Default)]
pub(super) struct Model {
    calls: Vec<Call>,
    grants: HashMap<usize, Grants>,
}

impl Model {
    pub(super) fn call(
        &mut self,
        session: usize,
        before: Vec<String>,
        within: Vec<String>,
    ) -> (usize, Fate) {
        self.calls.push(Call {
            session,
            before,
            within,
            said: HashMap::new(),
            open: None,
            runs: 0,
            done: 0,
            ends: 0,
        });
        let number = self.calls.len() - 1;
        (number, self.go_on(number))
    }

    /// Returns true if the call may pass; `None` if somebody has to be asked.
    fn may_pass(&self, call: &Call, door: &str) -> Option<bool> {
        let grants = self.grants.get(&call.session);
        let granted = |list: fn(&Grants) -> &Vec<String>| {
            grants.is_some_and(|grants| list(grants).iter().any(|granted| granted == door))
        };
        if door == "the vault" || granted(|grants| &grants.denied) {
            return Some(false);
        }
        if door == "the hall" || granted(|grants| &grants.allowed) {
            return Some(true);
        }
        call.said.get(door).copied()
    }

    fn go_on(&mut self, number: usize) -> Fate {
        let call = &self.calls[number];
        let (mut waits, mut by_body, mut began) = (Vec::new(), false, false);
        let mut denied = false;
        for door in &call.before {
            match self.may_pass(call, door) {
                Some(false) => denied = true,
                Some(true) => {}
                None => waits.push(door.clone()),
            }
        }
        if !denied && waits.is_empty() {
            began = true;
            for door in &call.within {
                match self.may_pass(call, door) {
                    Some(false) => denied = true,
                    Some(true) => continue,
                    None => {
                        waits.push(door.clone());
                        by_body = true;
                    }
                }
                break;
            }
        }
        let call = &mut self.calls[number];
        call.runs += u32::from(began);
        if denied {
            call.ends += 1;
            return Fate::Denied;
        }
        if waits.is_empty() {
            call.ends += 1;
            call.done += 1;
            return Fate::Done;
        }
        let asked = waits.iter().map(|door| (door.clone(), None)).collect();
        call.open = Some(Open { asked, by_body });
        Fate::Waits(waits)
    }

    /// Returns true if the answer is taken.
    pub(super) fn answer(&mut self, number: usize, request: usize, said: Said) -> bool {
        let call = &mut self.calls[number];
        let Some(open) = call.open.as_mut().filter(|open| !open.is_settled()) else {
            return false;
        };
        let (door, place) = &mut open.asked[request];
        if place.is_some() {
            return false;
        }
        *place = Some(matches!(said, Said::Yes | Said::Always));
        let (door, session) = (door.clone(), call.session);
        let grants = self.grants.entry(session).or_default();
        match said {
            Said::Always => grants.allowed.push(door),
            Said::Never => grants.denied.push(door),
            Said::Yes | Said::No => return true,
        }
        // Other requests of the session that are covered now.
        for call in self.calls.iter_mut().filter(|call| call.session == session) {
            let Some(open) = &mut call.open else { continue };
            for at in 0..open.asked.len() {
                if open.is_settled() {
                    break;
                }
                let (door, place) = &mut open.asked[at];
                if place.is_none() {
                    *place = if grants.denied.contains(door) {
                        Some(false)
                    } else {
                        grants.allowed.contains(door).then_some(true)
                    };
                }
            }
        }
        true
    }

    pub(super) fn answer_all(&mut self, number: usize) {
        let requests = self.calls[number].open.as_ref().unwrap().asked.len();
        for request in 0..requests {
            self.answer(number, request, Said::Yes);
        }
    }

    /// Nothing where somebody has to answer yet.
    pub(super) fn resume(&mut self, number: usize) -> Option<Fate> {
        let call = &mut self.calls[number];
        let open = call.open.take_if(|open| open.is_settled())?;
        let refused = open.asked.iter().any(|(_, said)| *said == Some(false));
        if refused && !open.by_body {
            call.ends += 1;
            return Some(Fate::Denied);
        }
        for (door, said) in open.asked {
            // A request without an answer is refused together with the one that was refused.
            call.said.insert(door, said.unwrap_or(false));
        }
        Some(self.go_on(number))
    }

    pub(super) fn cancel(&mut self, number: usize) {
        let call = &mut self.calls[number];
        call.open = None;
        call.ends += 1;
    }

    pub(super) fn reset(&mut self, session: usize) {
        self.grants.remove(&session);
    }

    pub(super) fn end(&mut self, session: usize) {
        self.reset(session);
        for call in self.calls.iter_mut().filter(|call| call.session == session) {
            if call.open.take().is_some() {
                call.ends += 1;
            }
        }
    }

    pub(super) fn session(&self, number: usize) -> usize {
        self.calls[number].session
    }

    pub(super) fn is_open(&self, number: usize) -> bool {
        self.calls[number].open.is_some()
    }

    pub(super) fn first_open(&self) -> Option<usize> {
        self.calls.iter().position(|call| call.open.is_some())
    }

    /// The times that the body began, and the times that it came to its end.
    pub(super) fn counts(&self, number: usize) -> (u32, u32) {
        let call = &self.calls[number];
        (call.runs, call.done)
    }

    /// Each call has ended, once.
    pub(super) fn check(&self) {
        for (number, call) in self.calls.iter().enumerate() {
            assert_eq!(call.ends, 1, "call {number}: {call:?}");
            assert!(call.done <= 1, "call {number}: {call:?}");
        }
    }
}
