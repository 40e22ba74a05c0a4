//! The SDKs of others, with tools of toolwright, talk to the server that plays the model: `tests/` runs the examples of
//! `toolwright-providers`.
