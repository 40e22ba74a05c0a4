//! The mistakes in a scope, described for the person or code that made it.

use std::path::Path;

use super::path::is_settled;
use super::{Coverage, GrantQuery};
use crate::permission::PermissionEvaluator;
use crate::permission::file::{FILE_READ, FILE_WRITE};
use crate::permission::host::Host;
use crate::ticket::{GrantLevel, GrantScope};

/// Refuses what can never cover anything.
///
/// # Errors
///
/// Describes the mistake, and what would be right.
pub(crate) fn check_matcher(covers: &GrantScope) -> Result<(), String> {
    match covers {
        GrantScope::Tool { .. } | GrantScope::Arguments { .. } => Ok(()),
        GrantScope::Request { kind, .. }
        | GrantScope::Target { kind, .. }
        | GrantScope::Kind { kind } => {
            if kind.is_empty() {
                return Err("a kind of requests has a name, such as `deploy`".to_owned());
            }
            Ok(())
        }
        GrantScope::Tree { kind, directory } => {
            if !matches!(kind.as_str(), FILE_READ | FILE_WRITE) {
                return Err(format!(
                    "a tree is of the kind `{FILE_READ}` or `{FILE_WRITE}`: requests of other kinds \
                     have targets, and no directories"
                ));
            }
            check_directory(directory)
        }
        GrantScope::Command { words, directory } => {
            if words.first().is_none_or(String::is_empty) {
                return Err("a command begins with the name of a program".to_owned());
            }
            directory.as_deref().map_or(Ok(()), check_directory)
        }
        GrantScope::Host { host, .. } => match Host::parse(host) {
            Ok(read) if read.to_string() == *host => Ok(()),
            Ok(read) => Err(format!("the host is spelled `{read}` in requests")),
            Err(fault) => Err(format!("that is not a host: {fault}")),
        },
    }
}

fn check_directory(directory: &str) -> Result<(), String> {
    if is_settled(Path::new(directory)) {
        Ok(())
    } else {
        Err("a directory is an absolute path without `..`, with links resolved".to_owned())
    }
}

/// Refuses an `always` or `never` that has nothing to do with what it answers.
///
/// # Errors
///
/// Describes the mistake, for the person who answers.
pub(crate) fn check_choice(
    judge: &PermissionEvaluator,
    covers: &GrantScope,
    level: GrantLevel,
    query: &GrantQuery<'_>,
) -> Result<(), String> {
    check_matcher(covers)?;
    let fits = match level {
        GrantLevel::Allow => judge.grant_covers(&[covers], query) == Coverage::Yes,
        GrantLevel::Deny => judge.refusal_covers(covers, query) != Coverage::No,
    };
    if fits {
        Ok(())
    } else {
        Err(
            "what is to be covered does not cover what is asked: take one of the trust options of \
             the request"
                .to_owned(),
        )
    }
}
