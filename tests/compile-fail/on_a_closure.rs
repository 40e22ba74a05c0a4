use toolwright::tool;

fn main() {
    #[tool]
    let read_file = async |path: String| path;
}
