//! Rules that the files of this repository keep.

mod module_arrows;
mod pages;
