use std::rc::Rc;
use toolwright::tool;

/// Read a text file.
#[tool]
async fn read_file(path: Rc<str>) -> String {
    path.to_string()
}

fn main() {}
