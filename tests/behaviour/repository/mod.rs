//! Rules that the files of this repository keep.

mod features;
mod module_arrows;
mod pages;
