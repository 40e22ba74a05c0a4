//! A library with tools: an app finds them by `discover!(weather_kit)`.

use toolwright::tool;

/// Turn degrees Celsius into degrees Fahrenheit.
#[tool(name = "weather.fahrenheit", pure)]
pub fn fahrenheit(
    /// In degrees Celsius.
    #[arg(range = -273.15..)]
    celsius: f64,
) -> f64 {
    celsius * 1.8 + 32.0
}

/// Tell how fast the wind of a force on Beaufort's scale blows at least, in metres a second.
#[tool(name = "weather.wind", pure)]
pub fn wind(
    /// On Beaufort's scale.
    #[arg(range = 0..=12)]
    force: u8,
) -> f64 {
    (0.836 * f64::from(force).powf(1.5) * 10.0).round() / 10.0
}
