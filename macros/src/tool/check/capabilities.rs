//! The capabilities that a tool needs to be granted, checked by the runtime's rules.

use crate::errors::Errors;
use syn::LitStr;

pub(super) fn check_capabilities(capabilities: Vec<LitStr>, errors: &mut Errors) -> Vec<LitStr> {
    let mut seen = Vec::new();
    for literal in &capabilities {
        let capability = literal.value();
        if let Some(problem) = capability_problem(&capability) {
            errors.on(literal, problem);
        } else if seen.contains(&capability) {
            errors.on(
                literal,
                format!("the capability `{capability}` is given twice: keep one of them"),
            );
        }
        seen.push(capability);
    }
    capabilities
}

/// The runtime's rule, told before anything runs.
fn capability_problem(capability: &str) -> Option<String> {
    let rule = "a capability is `domain:action:scope`, as in `fs:read:/data`";
    let mut parts = capability.splitn(3, ':');
    let (domain, action, scope) = (parts.next()?, parts.next(), parts.next());
    let (Some(action), Some(scope)) = (action, scope) else {
        return Some(format!("`{capability}` has too few parts\n{rule}"));
    };
    let word = |part: &str| {
        part.chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    if [domain, action, scope].contains(&"") {
        Some(format!("`{capability}` has an empty part\n{rule}"))
    } else if [domain, action, scope].contains(&"*") || scope.ends_with("/*") {
        Some(format!(
            "`{capability}` is a pattern, and a tool says exactly what it needs: \
             `*` is for what the app grants\n{rule}"
        ))
    } else if !word(domain) || !word(action) {
        Some(format!(
            "`{capability}` has a character that no domain or action has: they are made of letters, digits, \
             `_`, `-` and `.`\n{rule}"
        ))
    } else if scope.trim() != scope || scope.chars().any(is_unseen) {
        Some(format!(
            "`{}` has a character in its scope that people do not see\n{rule}",
            capability.escape_debug()
        ))
    } else {
        None
    }
}

/// Characters that hide, or that change how the others are shown.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
