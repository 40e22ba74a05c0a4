fn main() {
    let _ = toolwright::discover!(self, serde_json);
}
