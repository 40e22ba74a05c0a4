/// A place on a map.
#[tool_type(argument, crate = my_app::toolwright)]
#[derive(Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub enum Place {
    Point {
        /// Degrees to the north.
        #[arg(range = -90.0..=Self::NORTH, example = 52.5)]
        latitude: f64,
        #[arg(name = "long", aliases("lon", "lng"), default = 0.0)]
        longitude: f64,
        #[cfg(feature = "notes")]
        #[arg(length = ..=80, pattern = "^[a-z ]*$")]
        note: Option<String>,
        near: Option<Box<Self>>,
        #[arg(unique_items)]
        names: Vec<String>,
    },
    #[cfg(feature = "names")]
    Named(#[arg(one_of("Berlin", "Paris"), default = "Paris")] String),
}
