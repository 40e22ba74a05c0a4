//! A line of calls as a provider's message has them: read, or refused with a reason.

#![no_main]
#![allow(dead_code, reason = "the parser is that of the workbench")]

#[path = "../../examples/workbench/src/calls.rs"]
mod calls;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    let line = line.trim_ascii();
    match calls::parse(line) {
        Ok(calls::Said::One(call)) => assert!(calls::parse_one(line).is_ok(), "{}", call.name()),
        Ok(calls::Said::Several(several)) => {
            for call in several {
                if let Err(error) = call {
                    assert!(!error.to_string().is_empty());
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
