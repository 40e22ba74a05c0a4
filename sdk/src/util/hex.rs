//! Hexadecimal digits.

/// Returns the digits of bytes, lower-case, of which there are twice as many. Records have many ids and hashes: this
/// form the compiler turns into instructions for several bytes at once, and the formatter takes ten times as long.
#[inline]
pub(crate) fn hex<const BYTES: usize, const DIGITS: usize>(bytes: &[u8; BYTES]) -> [u8; DIGITS] {
    const { assert!(DIGITS == 2 * BYTES) }
    let digit = |half: u8| b'0' + half + u8::from(half > 9) * (b'a' - b'9' - 1);
    let mut digits = [b'0'; DIGITS];
    for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
    digits
}

/// Appends the digits of bytes to a text.
pub(crate) fn push_hex<const BYTES: usize, const DIGITS: usize>(
    bytes: &[u8; BYTES],
    text: &mut String,
) {
    let digits: [u8; DIGITS] = hex(bytes);
    // In this form rustc knows how many bytes it has to copy.
    if let Ok(digits) = std::str::from_utf8(&digits) {
        text.push_str(digits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_its_digits() {
        for byte in 0..=u8::MAX {
            let digits = format!("{byte:02x}").repeat(4);
            assert_eq!(hex::<4, 8>(&[byte; 4]), digits.as_bytes());
        }
    }

    #[test]
    fn digits_stand_in_the_order_of_the_bytes() {
        assert_eq!(
            hex(&[0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]),
            *b"0123456789abcdef"
        );
        assert_eq!(hex(&[0xfe, 0xdc, 0xba, 0x98]), *b"fedcba98");
    }
}
