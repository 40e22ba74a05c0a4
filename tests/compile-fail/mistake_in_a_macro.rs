use toolwright::tool;

macro_rules! reader {
    ($name:ident, $argument:ty) => {
        /// Read a text file.
        #[tool]
        async fn $name(path: $argument) -> String {
            path.to_string()
        }
    };
}

reader!(read_file, &str);

fn main() {}
