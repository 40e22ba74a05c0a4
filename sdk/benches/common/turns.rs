//! Two pieces of work in turns, so that their ratio is one of times that lie side by side.

use std::time::{Duration, Instant};

/// The time of a sample, and the number of rounds.
const SAMPLE: Duration = Duration::from_millis(10);
const ROUNDS: usize = 41;

/// The number of rounds: `cargo test --benches` only checks that the code runs.
pub fn rounds() -> usize {
    if std::env::args().any(|argument| argument == "--bench") {
        ROUNDS
    } else {
        1
    }
}

/// Prints what the two take, and how many times as long ours takes.
pub fn compare(rounds: usize, what: &str, base: impl Fn(), ours: impl Fn()) {
    let (base_n, ours_n) = (iterations(&base), iterations(&ours));
    let (mut bases, mut news, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        // Whoever comes second has the warmer caches: take turns.
        let (b, o) = if round % 2 == 0 {
            let b = time(base_n, &base);
            (b, time(ours_n, &ours))
        } else {
            let o = time(ours_n, &ours);
            (time(base_n, &base), o)
        };
        bases.push(b);
        news.push(o);
        ratios.push(o / b);
    }
    let (base_count, our_count) = (allocations(&base), allocations(&ours));
    println!(
        "{what:15} {:10.1} {:9.1}   {:.3} ({:.3} to {:.3})   {base_count}, {our_count}",
        quantile(&mut bases, 0.5),
        quantile(&mut news, 0.5),
        quantile(&mut ratios, 0.5),
        quantile(&mut ratios, 0.25),
        quantile(&mut ratios, 0.75),
    );
}

fn iterations(work: &impl Fn()) -> u32 {
    let begun = Instant::now();
    let mut count = 0;
    while begun.elapsed() < SAMPLE {
        work();
        count += 1;
    }
    count
}

/// Nanoseconds for one.
fn time(count: u32, work: &impl Fn()) -> f64 {
    let begun = Instant::now();
    for _ in 0..count {
        work();
    }
    begun.elapsed().as_nanos() as f64 / f64::from(count)
}

fn allocations(work: &impl Fn()) -> u64 {
    allocation_counter::measure(work).count_total
}

/// The value at a place between 0 and 1, in order of size.
pub fn quantile(values: &mut [f64], at: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index"
    )]
    values[((values.len() - 1) as f64 * at).round() as usize]
}
