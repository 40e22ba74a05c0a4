//! Rules that the files of this repository keep.

mod comments;
mod features;
mod module_arrows;
mod pages;
