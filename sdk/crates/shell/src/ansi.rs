//! The escapes of `$'..'` (bash manual, ANSI-C Quoting).

/// Reads an escape whose backslash is before `at`. `None` for what is no character, or not the same
/// one in every locale.
pub(super) fn escape(chars: &[char], at: &mut usize) -> Option<char> {
    let c = *chars.get(*at)?;
    *at += 1;
    let code = match c {
        'a' => 0x07,
        'b' => 0x08,
        'e' | 'E' => 0x1b,
        'f' => 0x0c,
        'n' => 0x0a,
        'r' => 0x0d,
        't' => 0x09,
        'v' => 0x0b,
        '\\' | '\'' | '"' | '?' => return Some(c),
        '0'..='7' => {
            *at -= 1;
            digits(chars, at, 8, 3)?
        }
        'x' => digits(chars, at, 16, 2)?,
        // In a locale that has no such character, bash writes the escape itself.
        'u' => digits(chars, at, 16, 4)?,
        'U' => digits(chars, at, 16, 8)?,
        'c' => {
            *at += 1;
            return None;
        }
        // No escape: `\z` is both characters.
        _ => return None,
    };
    // A byte over 127 is part of a character; a NUL ends the text.
    (1..0x80).contains(&code).then(|| char::from_u32(code))?
}

fn digits(chars: &[char], at: &mut usize, radix: u32, most: usize) -> Option<u32> {
    let digits: String = chars
        .iter()
        .skip(*at)
        .take(most)
        .take_while(|c| c.is_digit(radix))
        .collect();
    *at += digits.len();
    u32::from_str_radix(&digits, radix).ok()
}
