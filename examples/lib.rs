//! The folder of tickets, which the workbench and a small program share.

pub mod folder;
