use toolwright::id::{SessionId, TurnId};

fn resume(_turn: TurnId) {}

fn main() {
    resume(SessionId::new("s-1"));
}
