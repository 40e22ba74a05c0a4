//! Hashes and numbers as the digits that lines have. There are several in each line, and the formatter takes many times
//! as long.

use toolwright::content::ContentHash;

/// The two hexadecimal digits of each byte.
const OF_BYTE: [[u8; 2]; 256] = pairs(b"0123456789abcdef");

/// The two digits of each number below 100.
const OF_HUNDRED: [[u8; 2]; 100] = pairs(b"0123456789");

/// The pairs of the digits of a base, in their order.
const fn pairs<const BASE: usize, const ALL: usize>(digits: &[u8; BASE]) -> [[u8; 2]; ALL] {
    let mut pairs = [[0; 2]; ALL];
    let mut number = 0;
    while number < ALL {
        pairs[number] = [digits[number / BASE], digits[number % BASE]];
        number += 1;
    }
    pairs
}

/// Writes the 64 digits of a hash.
pub(crate) fn push_hash(hash: &ContentHash, out: &mut String) {
    let mut digits = [0; 64];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(hash.as_bytes()) {
        pair.copy_from_slice(&OF_BYTE[usize::from(*byte)]);
    }
    out.push_str(std::str::from_utf8(&digits).unwrap_or_default());
}

/// Writes a whole number.
pub(crate) fn push_number(number: u64, out: &mut String) {
    let mut digits = [0; 20];
    let mut rest = number;
    let mut begin = digits.len();
    for pair in digits.rchunks_exact_mut(2) {
        let below = usize::try_from(rest % 100).unwrap_or_default();
        pair.copy_from_slice(&OF_HUNDRED[below]);
        rest /= 100;
        begin -= if rest == 0 && below < 10 { 1 } else { 2 };
        if rest == 0 {
            break;
        }
    }
    out.push_str(std::str::from_utf8(&digits[begin..]).unwrap_or_default());
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
            let hash = ContentHash::of(out);
            let mut out = "-".to_owned();
            push_hash(&hash, &mut out);
            assert_eq!(out, format!("-{hash}"));
        }
    }
}
