//! Verdicts that programs have given before.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::verdict::Verdict;

/// The most calls that are remembered; a verdict has a few KiB.
const MOST: usize = 1024;

type Key = [u8; 32];

pub(crate) struct Cache {
    lifetime: Duration,
    kept: Mutex<HashMap<Key, Kept>>,
}

struct Kept {
    verdict: Verdict,
    since: Instant,
}

/// An empty cache with the same lifetime.
impl Clone for Cache {
    fn clone(&self) -> Self {
        Self::new(self.lifetime)
    }
}

impl Cache {
    pub(crate) fn new(lifetime: Duration) -> Self {
        Self {
            lifetime,
            kept: Mutex::default(),
        }
    }

    pub(crate) fn get(&self, key: &Key) -> Option<Verdict> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get(key)?;
        (kept.since.elapsed() < self.lifetime).then(|| kept.verdict.clone())
    }

    pub(crate) fn put(&self, key: Key, verdict: Verdict) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST {
            kept.retain(|_, kept| kept.since.elapsed() < self.lifetime);
        }
        if kept.len() >= MOST {
            let oldest = kept.iter().min_by_key(|(_, kept)| kept.since);
            if let Some(oldest) = oldest.map(|(key, _)| *key) {
                kept.remove(&oldest);
            }
        }
        let since = Instant::now();
        kept.insert(key, Kept { verdict, since });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> Key {
        *blake3::hash(&number.to_le_bytes()).as_bytes()
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_said_is_said_again_until_it_is_too_old() {
        let cache = Cache::new(Duration::from_secs(60));
        let no = Verdict::No("not today".to_owned());
        cache.put(key(1), no.clone());
        tokio::time::advance(Duration::from_secs(59)).await;
        assert_eq!(cache.get(&key(1)), Some(no));
        assert_eq!(cache.get(&key(2)), None);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(cache.get(&key(1)), None);
    }

    #[tokio::test(start_paused = true)]
    async fn it_remembers_so_many_calls_and_forgets_the_oldest() {
        let cache = Cache::new(Duration::MAX);
        for number in 0..=MOST {
            cache.put(key(number), Verdict::Go);
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert_eq!(cache.get(&key(0)), None);
        assert_eq!(cache.get(&key(1)), Some(Verdict::Go));
        assert_eq!(cache.kept.lock().unwrap().len(), MOST);
    }
}
