//! Types of other crates as arguments and results, by toolwright's features of these crates' names.

use chrono::NaiveDate;
use toolwright::{tool, tool_type};
use url::Url;
use uuid::Uuid;

/// A booking.
#[tool_type]
#[derive(Debug)]
pub struct Booking {
    /// Its number.
    pub id: Uuid,
    /// The day.
    pub day: NaiveDate,
    /// Its page.
    pub page: Option<Url>,
}

/// Move a booking to another day.
#[tool]
pub fn move_booking(
    /// The booking as it is.
    booking: Booking,
    /// The new day.
    day: NaiveDate,
) -> Booking {
    Booking { day, ..booking }
}

#[cfg(test)]
mod tests {
    use super::MoveBooking;
    use serde_json::Value;
    use toolwright::{Executor, Tool as _, ToolRegistry};

    #[test]
    fn their_schemas_are_there() {
        let schema = MoveBooking.spec().input_schema().to_string();
        for format in ["\"uuid\"", "\"date\"", "\"uri\""] {
            assert!(schema.contains(format), "{schema}");
        }
    }

    #[tokio::test]
    async fn they_are_read_and_written() {
        let executor = Executor::builder(ToolRegistry::new().with(MoveBooking))
            .permission_checker(toolwright::permission::AllowAll)
            .build()
            .expect("the tool is right");
        let call = r#"{
            "booking": {"id": "67e55044-10b1-426f-9247-bb680e5fe0c8", "day": "2026-01-31", "page": "https://a.example/b"},
            "day": "2026-02-01"
        }"#;
        let outcome = executor.call("move_booking", call).await;
        let moved: Value = serde_json::from_str(&outcome.text()).expect("a booking");
        assert_eq!(moved["day"], "2026-02-01", "{moved}");
        assert_eq!(moved["page"], "https://a.example/b");
        let refused = executor
            .call("move_booking", &call.replace("2026-02-01", "2026-02-31"))
            .await;
        assert!(refused.text().contains("/day"), "{}", refused.text());
    }
}
