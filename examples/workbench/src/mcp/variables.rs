//! Variables of the environment in a configuration.
//!
//! Claude Code has `${NAME}` and `${NAME:-default}` (<https://code.claude.com/docs/en/mcp>, read 2026-11-24), Cursor and VS Code
//! `${env:NAME}` (<https://cursor.com/docs/mcp> and
//! <https://code.visualstudio.com/docs/reference/variables-reference>, read 2026-11-24).

/// Returns the text with its variables filled in; or the reason why it cannot be, which has no value of a variable.
pub(super) fn filled(
    text: &str,
    variable: &impl Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("${") {
        whole.push_str(before);
        let Some((inside, behind)) = behind.split_once('}') else {
            return Err("has a `${` without its `}`".to_owned());
        };
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        let is_name =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return Err(format!(
                "has `${{{inside}}}`, which is known to another client only: write `${{NAME}}` or `${{NAME:-default}}` with a variable of the environment"
            ));
        }
        match (variable(name).filter(|value| !value.is_empty()), default) {
            (Some(value), _) => whole.push_str(&value),
            (None, Some(default)) => whole.push_str(default),
            (None, None) => {
                return Err(format!("needs the variable {name}, which is not set"));
            }
        }
        rest = behind;
    }
    whole.push_str(rest);
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in_or_named() {
        let variable = |name: &str| match name {
            "TOKEN" => Some("${SECRET}".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        for (text, expected) in [
            ("plain $TOKEN }", "plain $TOKEN }"),
            // The value is not read again.
            ("Bearer ${TOKEN}.", "Bearer ${SECRET}."),
            ("${env:TOKEN}${TOKEN}", "${SECRET}${SECRET}"),
            ("${NONE:-a b}${EMPTY:-}", "a b"),
        ] {
            assert_eq!(filled(text, &variable).unwrap(), expected);
        }
        for (text, named) in [
            ("a ${NONE}", "NONE"),
            ("${EMPTY}", "EMPTY"),
            ("${input:key}", "input:key"),
            ("${TOKEN", "`}`"),
            ("${}", "${}"),
        ] {
            let why = filled(text, &variable).unwrap_err();
            assert!(why.contains(named) && !why.contains("SECRET"), "{why}");
        }
    }
}
