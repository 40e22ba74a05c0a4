//! Arguments: read, refused, repaired, and held to their schema.

mod all_problems;
mod bad_arguments;
mod canonical;
mod check_work;
mod constraints;
pub(crate) mod corpora;
mod hostile_arguments;
mod hostile_sizes;
mod names_and_defaults;
mod numbers;
mod one_read;
mod own_reads;
mod parsing;
mod purpose;
mod read_by_hand;
mod refusals;
mod repairs;
mod same_verdict;
mod schemas;
mod steps_and_sets;
mod strict;
mod suggestions;
