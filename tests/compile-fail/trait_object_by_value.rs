use toolwright::tool;

trait Files: Send + Sync {}

/// Count the files.
#[tool]
async fn count(files: Box<dyn Files>) -> usize {
    std::mem::size_of_val(&*files)
}

fn main() {}
