//! The calls of one message, side by side, and calls that run in a task of their own.

mod direct;
pub(crate) mod ended;
pub(crate) mod group;
pub(crate) mod handle;
pub(crate) mod member;
pub(crate) mod poller;
pub(crate) mod queue;
mod rest;
pub(crate) mod run;
pub(crate) mod spawn;
pub(crate) mod stream;
pub(crate) mod tasks;
pub(crate) mod texts;
pub(crate) mod together;
