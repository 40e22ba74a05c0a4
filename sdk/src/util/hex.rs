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

/// Returns the digits of bytes, of which there are twice as many. Records have many ids and hashes, and the formatter
/// takes ten times as long. They are written eight at a time: whoever reads them as words at once would have to wait
/// for smaller writes.
pub(crate) fn hex<const DIGITS: usize>(bytes: &[u8]) -> [u8; DIGITS] {
    let mut digits = [b'0'; DIGITS];
    for (word, bytes) in digits.chunks_mut(8).zip(bytes.chunks(4)) {
        let pairs = bytes.iter().rev();
        let pairs = pairs.fold(0, |word, byte| {
            word << 16 | u64::from(PAIRS[usize::from(*byte)])
        });
        word.copy_from_slice(&pairs.to_le_bytes()[..word.len()]);
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

    #[test]
    fn digits_stand_in_the_order_of_the_bytes() {
        assert_eq!(
            hex(&[0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd]),
            *b"0123456789abcd"
        );
        assert_eq!(hex(&[0xfe, 0xdc, 0xba, 0x98]), *b"fedcba98");
        assert_eq!(hex(&[0x10, 0x2f, 0x3e, 0x4d, 0x5c]), *b"102f3e4d5c");
    }
}
