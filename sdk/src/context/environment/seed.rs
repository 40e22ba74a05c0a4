//! Seeds that are made from other seeds.

use blake3::Hasher;

/// The seed of a session, a call or a generator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seed(pub(crate) [u8; 32]);

/// The uses of seeds: no two may share one.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum SeedUse {
    Session = 1,
    Call = 2,
    /// A call that a tool makes.
    Nested = 3,
    Generator = 4,
    /// A generator of a session that has no seed.
    Unseeded = 5,
}

impl Seed {
    /// The seed of a number that the app has chosen.
    pub(super) fn chosen(number: u64) -> Self {
        const CONTEXT: &str = "toolwright 2026-11 seed chosen by the app";
        Self(blake3::derive_key(CONTEXT, &number.to_le_bytes()))
    }

    /// A seed that nobody can guess.
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed)?;
        Ok(Self(seed))
    }

    /// The seed of something that has this one's above it.
    pub(super) fn child(&self, what: SeedUse, which: &[u8]) -> Self {
        let mut hasher = Hasher::new_keyed(&self.0);
        hasher.update(&[what as u8]).update(which);
        Self(*hasher.finalize().as_bytes())
    }
}
