//! Behaviour and compile-fail tests of toolwright; see `behaviour/` and `compile-fail/`.
