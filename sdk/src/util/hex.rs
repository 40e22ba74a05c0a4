//! Hexadecimal digits.

/// The two lower-case digits of each byte, the first in the lower byte.
const PAIRS: [u16; 256] = pairs();

const fn pairs() -> [u16; 256] {
    let digits = b"0123456789abcdef";
    let mut pairs = [0; 256];
    let mut byte = 0;
    while byte < pairs.len() {
        pairs[byte] = u16::from_le_bytes([digits[byte >> 4], digits[byte & 15]]);
        byte += 1;
    }
    pairs
}

/// Returns the digits of bytes, of which there are twice as many. Records
/// have many ids and hashes, and the formatter takes ten times as long. They are written eight at a time: whoever reads
/// them as words at once would have to wait for smaller writes.
#[inline]
pub(crate) fn hex<const BYTES: usize, const DIGITS: usize>(bytes: &[u8; BYTES]) -> [u8; DIGITS] {
    const { assert!(BYTES.is_multiple_of(4) && DIGITS == 2 * BYTES) }
    let mut digits = [b'0'; DIGITS];
    let words = digits.as_chunks_mut::<8>().0;
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        let [a, b, c, d] = bytes.map(|byte| u64::from(PAIRS[usize::from(byte)]));
        *word = (a | b << 16 | c << 32 | d << 48).to_le_bytes();
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
