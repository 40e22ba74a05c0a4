fn main() {
    let _ = toolwright::discover!("serde_json");
}
