use toolwright::{Executor, ToolRegistry};

fn main() {
    let executor = Executor::new(ToolRegistry::new()).unwrap();
    let result = executor.call("read_file", "{}");
    println!("{}", result.text());
}
