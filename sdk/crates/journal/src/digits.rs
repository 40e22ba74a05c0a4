//! Numbers as the digits that lines have.

/// Writes a whole number. There are several in each line, and the formatter takes many times as long.
pub(crate) fn push_number(number: u64, out: &mut String) {
    out.push_str(itoa::Buffer::new().format(number));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_formatter() {
        for number in [0, 7, 10, 99, 100, 999, 1_000, 1_234_567_890, u64::MAX] {
            let mut out = "-".to_owned();
            push_number(number, &mut out);
            assert_eq!(out, format!("-{number}"));
        }
    }
}
