//! The kinds of errors, each told apart from the others.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright::arguments::{ArgumentProblem, InvalidArguments, ProblemKind};
use toolwright::content::ErrorKind;
use toolwright::{Executor, ToolError, ToolOutcome, ToolRegistry, tool};

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Way {
    InvalidArguments,
    Failed,
    Denied,
    NotFound,
    Internal,
}

const WAYS: [(Way, &str, ErrorKind, &str); 5] = [
    (
        Way::InvalidArguments,
        "invalid_arguments",
        ErrorKind::InvalidArguments,
        "invalid arguments",
    ),
    (Way::Failed, "failed", ErrorKind::Failed, "failed"),
    (Way::Denied, "denied", ErrorKind::Denied, "denied"),
    (Way::NotFound, "not_found", ErrorKind::NotFound, "not found"),
    (
        Way::Internal,
        "internal",
        ErrorKind::Internal,
        "internal error",
    ),
];

impl Way {
    fn error(self) -> ToolError {
        match self {
            Self::InvalidArguments => {
                let message = "is before the first day";
                let problem = ArgumentProblem::new(ProblemKind::Constraint, "/until", message);
                InvalidArguments::new(vec![problem]).into()
            }
            Self::Failed => ToolError::failed("the tool broke"),
            Self::Denied => ToolError::denied("the owner said no"),
            Self::NotFound => ToolError::not_found("there is no such page"),
            Self::Internal => ToolError::internal("the host is out of handles"),
        }
    }
}

/// Go wrong in some way.
#[tool(pure, register = false)]
fn go_wrong(way: Way) -> Result<(), ToolError> {
    Err(way.error())
}

#[tokio::test]
async fn s4_20_each_kind_is_printed_and_is_an_outcome_of_its_own() {
    let executor = Executor::new(ToolRegistry::new().with(GoWrong)).unwrap();
    let mut outcomes = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for (way, code, kind, printed) in WAYS {
        assert_eq!(kind.to_string(), printed);
        assert!(format!("{:?}", way.error()).contains(&format!("{kind:?}")));

        let outcome = executor.call("go_wrong", json!({ "way": code })).await;
        let ToolOutcome::Completed(result) = &outcome else {
            panic!("{outcome:?}");
        };
        assert!(result.is_error());
        let error = outcome.error().unwrap();
        assert_eq!((error.kind(), error.code()), (kind, code));
        assert_eq!(error.to_string(), way.error().message());
        assert!(result.text().contains(error.message()), "{}", result.text());
        // A program that reads the result finds the kind as well.
        assert_eq!(result.to_json().unwrap()["error"]["kind"], code);
        outcomes.insert((error.kind().as_str(), error.code().to_owned()));
        texts.insert(result.text());
    }
    assert_eq!((outcomes.len(), texts.len()), (WAYS.len(), WAYS.len()));
}
