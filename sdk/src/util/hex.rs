//! Hexadecimal digits.

/// The two lower-case digits of each byte.
const PAIRS: [[u8; 2]; 256] = pairs();

const fn pairs() -> [[u8; 2]; 256] {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < pairs.len() {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
}

/// Returns the digits of bytes, of which there are twice as many. Records have many ids and hashes, and the formatter
/// takes ten times as long.
pub(crate) fn hex<const DIGITS: usize>(bytes: &[u8]) -> [u8; DIGITS] {
    let mut digits = [b'0'; DIGITS];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&PAIRS[usize::from(*byte)]);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_its_digits() {
        for byte in 0..=u8::MAX {
            assert_eq!(hex::<2>(&[byte]), *format!("{byte:02x}").as_bytes());
        }
    }
}
