//! Random numbers that can be had again.

use std::fmt;

use blake3::{Hasher, OutputReader};

/// A generator of random numbers: see [`ToolContext::rng`](crate::ToolContext::rng).
///
/// The numbers are the extendable output of BLAKE3, keyed by the generator's seed. Without its seed they
/// cannot be told from truly random ones, and with it they are the same on every machine and in every
/// version of this crate.
pub struct CallRng(OutputReader);

impl CallRng {
    pub(super) fn new(seed: &[u8; 32]) -> Self {
        Self(Hasher::new_keyed(seed).finalize_xof())
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// Fills a buffer with random bytes.
    pub fn fill(&mut self, buffer: &mut [u8]) {
        self.0.fill(buffer);
    }

    /// A random number below a limit, each as likely as any other. Below 0 there is none: it is 0.
    ///
    /// ```
    /// use toolwright::testing;
    ///
    /// let mut rng = testing::context().build().rng();
    /// let dice: Vec<u64> = (0..100).map(|_| rng.below(6) + 1).collect();
    /// assert!(dice.iter().all(|eyes| (1..=6).contains(eyes)));
    /// ```
    pub fn below(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        // Lemire, "Fast Random Integer Generation in an Interval", 2019: the high half of a product,
        // drawn anew where the low half shows that it would come up too often.
        let rare = limit.wrapping_neg() % limit;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(limit);
            let [low, high] = halves(product);
            if low >= rare {
                return high;
            }
        }
    }

    /// The next 32 random bytes, to seed a generator of another crate, as `StdRng::from_seed` of `rand`
    /// takes.
    pub fn seed(&mut self) -> [u8; 32] {
        let mut seed = [0; 32];
        self.fill(&mut seed);
        seed
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "the low half is what is wanted"
)]
fn halves(product: u128) -> [u64; 2] {
    [product as u64, (product >> 64) as u64]
}

/// Shows nothing: who knows where it is knows what comes.
impl fmt::Debug for CallRng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallRng")
    }
}
