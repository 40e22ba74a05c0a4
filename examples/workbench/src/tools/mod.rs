//! The tools, each a plain function.

mod files;
#[cfg(unix)]
mod shell;
mod text;
mod user;

#[cfg(test)]
mod tests {
    #[test]
    fn a_reviewer_has_nothing_to_say() {
        toolwright::testing::assert_no_lints(&toolwright::discover!().unwrap());
    }
}
