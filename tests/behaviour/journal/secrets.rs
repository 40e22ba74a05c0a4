//! No secret enters a journal, and calls with secrets can be compared all the same.

use toolwright::content::ContentHash;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolRegistry, tool};
use toolwright_journal::{Journal, JournalKey, MemoryLog, RecordedInput};

use super::support::{requests, responses};

/// Sign in.
#[tool(register = false)]
async fn sign_in(
    user: String,
    #[arg(secret, aliases("pass"))] password: String,
    #[arg(default = 3)] attempts: u32,
) -> String {
    format!(
        "{user} is in after {attempts} for {} letters",
        password.len()
    )
}

/// Take a number as large as can be.
#[tool(register = false, pure)]
fn large(number: u128) -> u128 {
    number
}

async fn calls(key: [u8; 32], calls: &[(&str, &str)]) -> (Vec<RecordedInput>, String) {
    let log = MemoryLog::new();
    let key = JournalKey::from_bytes(key);
    let (journal, _) = Journal::builder(log.clone()).key(key).open().unwrap();
    let executor = Executor::builder(ToolRegistry::new().with(SignIn).with(Large))
        .permission_checker(AllowAll)
        .call_recorder(journal)
        .build()
        .unwrap();
    for (tool, arguments) in calls {
        executor.call(tool, *arguments).await;
    }
    assert_eq!(responses(&log).len(), calls.len());
    let inputs = requests(&log).into_iter().map(|request| request.input);
    (inputs.collect(), log.to_text())
}

#[tokio::test]
async fn a_secret_is_recorded_as_a_keyed_hash() {
    let made = [
        ("sign_in", r#"{"user": "ada", "password": "hunter2"}"#),
        (
            "sign_in",
            r#"{"pass": "hunter2", "attempts": 3, "user": "ada"}"#,
        ),
        ("sign_in", r#"{"user": "ada", "password": "hunter3"}"#),
    ];
    let (inputs, text) = calls([1; 32], &made).await;
    assert!(!text.contains("hunter"), "{text}");
    assert!(inputs.iter().all(|input| input.sealed));
    assert_eq!(inputs[0], inputs[1]);
    assert_ne!(inputs[0].request_hash, inputs[2].request_hash);
    // The plain hash of a secret can be tried out; this one cannot.
    for plain in ["hunter2", "\"hunter2\""] {
        assert!(!text.contains(&ContentHash::of(plain).to_string()));
    }
    let again = calls([1; 32], &made).await.0;
    assert_eq!(again, inputs);
    let other = calls([2; 32], &made).await.0;
    assert_ne!(other[0].request_hash, inputs[0].request_hash);
}

#[tokio::test]
async fn nothing_is_recorded_of_arguments_that_were_not_accepted() {
    let made = [
        ("sign_in", r#"{"user": "ada", "passwort": "hunter2"}"#),
        ("sign_in", r#"{"user": "ada", "password": ["hunter2"#),
        ("sign_in", r#"["hunter2"]"#),
        ("log_in", r#"{"user": "ada", "password": "hunter2"}"#),
        (
            "sign_in",
            r#"{"user": "ada", "password": "hunter2", "$secret": "hunter2", "x": 1}"#,
        ),
    ];
    let (inputs, text) = calls([1; 32], &made).await;
    assert!(!text.contains("hunter"), "{text}");
    for input in &inputs {
        assert!(input.sealed);
        assert!(
            input.arguments.as_str().starts_with(r#"{"$unread":""#),
            "{}",
            input.arguments
        );
    }
    let mut hashes: Vec<_> = inputs.iter().map(|input| input.request_hash).collect();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), made.len());
}

#[tokio::test]
async fn two_different_numbers_never_share_a_request_hash() {
    let texts: Vec<String> = [64, 65, 100]
        .into_iter()
        .flat_map(|n| (0..4).map(move |more| 2_u128.pow(n) + more))
        .chain((0..4).map(|more| 2_u128.pow(53) + more))
        .map(|n| format!(r#"{{"number": {n}}}"#))
        .collect();
    let made: Vec<(&str, &str)> = texts.iter().map(|text| ("large", text.as_str())).collect();
    let (inputs, text) = calls([1; 32], &made).await;
    let mut hashes: Vec<_> = inputs.iter().map(|input| input.request_hash).collect();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), made.len());
    // And what was given back stands there with all its digits.
    assert!(text.contains(r#""json":18446744073709551617"#), "{text}");
    assert!(!inputs.last().unwrap().sealed && inputs[0].sealed);
}
