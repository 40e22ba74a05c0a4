#[tool(crate = my_app::toolwright)]
#[cfg(feature = "tools")]
pub enum Tools {
    Read(ReadFile),
    #[cfg(feature = "net")]
    r#Match(net::Fetch),
}
