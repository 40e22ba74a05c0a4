fn main() {
    let _ = toolwright::discover!(crate, serde_jsn);
}
