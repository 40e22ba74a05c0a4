fn main() {
    let _ = toolwright::discover!(serde-json);
}
