//! Errors as people read them where nobody formats them: `?` in `main`, `unwrap` and a test that
//! fails print `Debug`.

use std::error::Error;
use std::fmt;

/// Writes the text of an error and of its causes, a line each, as `Debug` of an error should. A cause that the text
/// before it tells already is left out.
///
/// # Errors
///
/// Fails if the formatter fails.
pub fn write_error(error: &dyn Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let text = error.to_string();
    f.write_str(&text)?;
    write_causes(error, text, f)
}

/// Writes what caused an error whose own text was written.
pub(crate) fn write_causes(
    error: &dyn Error,
    mut told: String,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !told.contains(&text) {
            write!(f, "\ncaused by: {text}")?;
        }
        told = text;
        source = cause.source();
    }
    Ok(())
}

/// Implements `Debug` of an error by its text and its causes, so that `?` in `main` and `unwrap` print what a person can
/// read.
#[doc(hidden)]
#[macro_export]
macro_rules! __debug_as_text {
    ($error:ty) => {
        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::text::write_error(self, f)
            }
        }
    };
}
pub use __debug_as_text as debug_as_text;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[derive(thiserror::Error)]
    #[error("{text}")]
    struct Told {
        text: &'static str,
        source: Option<Box<Told>>,
    }
    super::debug_as_text!(Told);

    #[test]
    fn causes_are_told_once() {
        let told = |text, source: Option<Told>| Told {
            text,
            source: source.map(Box::new),
        };
        let disk = || told("the disk is full", None);
        assert_eq!(format!("{:?}", disk()), "the disk is full");
        let store = told("the store cannot write", Some(disk()));
        assert_eq!(
            format!(
                "{:?}",
                told("nothing was kept: the store cannot write", Some(store))
            ),
            "nothing was kept: the store cannot write\ncaused by: the disk is full"
        );
    }

    /// The public types of a file that are errors.
    fn errors(text: &str) -> Vec<&str> {
        let public = text.lines().filter_map(|line| {
            let rest = line.strip_prefix("pub struct ");
            let rest = rest.or_else(|| line.strip_prefix("pub enum "))?;
            rest.split(|c: char| !c.is_alphanumeric()).next()
        });
        public
            .filter(|name| {
                let by_hand = format!("Error for {name} {{");
                let head = text
                    .find(&format!("pub struct {name}"))
                    .or_else(|| text.find(&format!("pub enum {name}")));
                let before = head.map_or("", |head| &text[..head]);
                // The attributes in front of an item belong to it.
                let item = before
                    .rfind("\n\n")
                    .map_or(before, |start| &before[start..]);
                text.contains(&by_hand) || item.contains("thiserror::Error")
            })
            .collect()
    }

    #[test]
    fn every_public_error_is_shown_as_text() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders = vec![root.join("src")];
        // The companion crates exist in the repository, and not in a published package.
        folders.extend(Some(root.join("crates")).filter(|crates| crates.exists()));
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                for name in errors(&text) {
                    seen += 1;
                    let by_text = format!("debug_as_text!({name})");
                    let by_hand = format!("Debug for {name} {{");
                    assert!(
                        text.contains(&by_text) || text.contains(&by_hand),
                        "`{name}` in {} derives `Debug`: `debug_as_text!({name});` shows its text",
                        path.display()
                    );
                }
            }
        }
        assert!(seen >= 24, "{seen}");
    }
}
