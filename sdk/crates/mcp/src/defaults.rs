//! The page of defaults, compared with the code.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::client::ImportOptions;
use crate::server::ServerLimits;

fn time(time: Duration) -> String {
    match (time.as_millis(), time.as_secs()) {
        (millis, _) if millis % 1_000 != 0 => format!("{millis} ms"),
        (_, seconds) if seconds % 60 != 0 || seconds <= 60 => format!("{seconds} s"),
        (_, seconds) => format!("{} min", seconds / 60),
    }
}

fn size(bytes: usize) -> String {
    match (bytes >> 20, bytes >> 10) {
        (mib, _) if mib << 20 == bytes => format!("{mib} MiB"),
        (_, kib) => {
            assert_eq!(kib << 10, bytes);
            format!("{kib} KiB")
        }
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table, each row once")]
fn the_page_of_defaults_says_what_the_code_does() {
    let page = include_str!("../../../docs/defaults.md");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        match cells[..] {
            [_, _, value, "`toolwright-mcp`", setters, ..] => {
                let setter = setters.split(", ").next().unwrap_or_default();
                Some((setter.trim_matches('`').to_owned(), value.to_owned()))
            }
            _ => None,
        }
    });
    let mut rows: BTreeMap<String, Vec<String>> =
        rows.fold(BTreeMap::new(), |mut rows, (setter, value)| {
            rows.entry(setter).or_insert_with(Vec::new).push(value);
            rows
        });
    // Each field, so that a new one has to be here.
    let ServerLimits {
        body_bytes,
        body_time,
        header_time,
        connections,
        concurrent_calls,
        concurrent_calls_in_all,
        calls_per_minute,
        request_time,
        sessions,
        sessions_per_principal,
        idle_time,
        shutdown_time,
    } = ServerLimits::default();
    let ImportOptions {
        connect_timeout,
        list_timeout,
        call_timeout,
        trusts_annotations,
        max_tools,
        max_definition_bytes,
        max_result_bytes,
        backoff,
        pins: _,
        lifecycle: _,
        client: _,
        elicitation,
        observer,
    } = ImportOptions::default();
    assert!(call_timeout.is_none() && elicitation.is_none() && observer.is_none());
    assert!(!trusts_annotations);
    let code = [
        ("ServerLimits::body_bytes", vec![size(body_bytes)]),
        ("ServerLimits::body_time", vec![time(body_time)]),
        ("ServerLimits::header_time", vec![time(header_time)]),
        ("ServerLimits::connections", vec![connections.to_string()]),
        (
            "ServerLimits::concurrent_calls",
            vec![concurrent_calls.to_string()],
        ),
        (
            "ServerLimits::concurrent_calls_in_all",
            vec![concurrent_calls_in_all.to_string()],
        ),
        (
            "ServerLimits::calls_per_minute",
            vec![calls_per_minute.to_string()],
        ),
        ("ServerLimits::request_time", vec![time(request_time)]),
        ("ServerLimits::sessions", vec![sessions.to_string()]),
        (
            "ServerLimits::sessions_per_principal",
            vec![sessions_per_principal.to_string()],
        ),
        ("ServerLimits::idle_time", vec![time(idle_time)]),
        ("ServerLimits::shutdown_time", vec![time(shutdown_time)]),
        (
            "McpServer::page_size",
            vec![crate::server::PAGE.to_string()],
        ),
        (
            "ImportOptions::connect_timeout",
            vec![time(connect_timeout)],
        ),
        ("ImportOptions::list_timeout", vec![time(list_timeout)]),
        (
            "ImportOptions::backoff",
            vec![time(backoff.0), time(backoff.1)],
        ),
        ("ImportOptions::max_tools", vec![max_tools.to_string()]),
        (
            "ImportOptions::max_definition_bytes",
            vec![size(max_definition_bytes)],
        ),
        (
            "ImportOptions::max_result_bytes",
            vec![size(max_result_bytes)],
        ),
        (
            "ImportOptions::trust_annotations",
            vec!["not believed".to_owned()],
        ),
        (
            "Command::max_message_bytes",
            vec![size(crate::client::MAX_MESSAGE)],
        ),
    ];
    let code = code.map(|(setter, values)| (setter.to_owned(), values));
    let requests = rows.remove("Http::concurrent_requests");
    #[cfg(feature = "http")]
    assert_eq!(requests, Some(vec![crate::client::REQUESTS.to_string()]));
    #[cfg(not(feature = "http"))]
    assert!(requests.is_some());
    assert_eq!(rows, BTreeMap::from(code));
}
