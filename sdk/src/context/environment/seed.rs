//! Seeds that are made from other seeds.

use std::sync::OnceLock;

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

/// A seed that is made when it is first asked for: most calls need none.
pub(super) struct LazySeed {
    made: OnceLock<Seed>,
    above: Seed,
    what: SeedUse,
    which: [u8; 16],
    /// The bytes that count.
    length: usize,
}

impl LazySeed {
    /// The seed of a number of something that has another seed above it.
    pub(super) fn child(above: Seed, what: SeedUse, number: u64) -> Self {
        let mut which = [0; 16];
        which[..8].copy_from_slice(&number.to_le_bytes());
        Self {
            made: OnceLock::new(),
            above,
            what,
            which,
            length: 8,
        }
    }

    /// The same of two numbers.
    pub(super) fn child_of_two(above: Seed, what: SeedUse, first: u64, second: u64) -> Self {
        let mut child = Self::child(above, what, first);
        child.which[8..].copy_from_slice(&second.to_le_bytes());
        child.length = 16;
        child
    }

    pub(super) fn get(&self) -> Seed {
        let make = || self.above.child(self.what, &self.which[..self.length]);
        *self.made.get_or_init(make)
    }
}

impl From<Seed> for LazySeed {
    fn from(seed: Seed) -> Self {
        Self {
            made: OnceLock::from(seed),
            ..Self::child(seed, SeedUse::Call, 0)
        }
    }
}
