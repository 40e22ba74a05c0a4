//! Changes of a text that the fuzzer makes up: it cannot guess a signature, but it can change what is signed.

/// The text with pieces replaced. A piece is 2 bytes for its place, 1 for how many bytes go, 1 for how many
/// of the following bytes come in their place.
pub fn patched(text: &[u8], mut patches: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    while let [high, low, gone, come, rest @ ..] = patches {
        let place = usize::from(u16::from_be_bytes([*high, *low])) % (text.len() + 1);
        let end = (place + usize::from(*gone % 64)).min(text.len());
        let come = usize::from(*come % 32).min(rest.len());
        text.splice(place..end, rest[..come].iter().copied());
        patches = &rest[come..];
    }
    text
}
