//! Defaults and examples of arguments: values of the author's, each written once.

use serde_json::Value;

use super::definition::ArgumentEntry;

/// Walks over the defaults of a tool, to fill them in or to show them.
#[doc(hidden)]
#[derive(Debug)]
pub struct Presets(Mode);

#[derive(Debug)]
enum Mode {
    Fill,
    /// The defaults by index, each as JSON where its type can be written as such.
    Show(Vec<(usize, Option<Value>)>),
}

impl Presets {
    pub(super) fn filling() -> Self {
        Self(Mode::Fill)
    }

    pub(super) fn showing() -> Self {
        Self(Mode::Show(Vec::new()))
    }

    /// One default.
    #[inline]
    pub fn preset<T>(
        &mut self,
        index: usize,
        slot: &mut Option<T>,
        make: impl FnOnce() -> T,
        show: fn(&T) -> Option<Value>,
    ) {
        match &mut self.0 {
            Mode::Fill => {
                if slot.is_none() {
                    *slot = Some(make());
                }
            }
            Mode::Show(shown) => shown.push((index, show(&make()))),
        }
    }

    /// The default of an argument, if it has one.
    pub(super) fn take(&mut self, index: usize) -> Option<Option<Value>> {
        match &mut self.0 {
            Mode::Fill => None,
            Mode::Show(shown) => {
                let place = shown.iter().position(|(of, _)| *of == index)?;
                Some(shown.swap_remove(place).1)
            }
        }
    }
}

/// The examples of single arguments, by index.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Samples(Vec<(usize, Value)>);

impl Samples {
    /// One example. The slot tells its type.
    pub fn sample<T>(
        &mut self,
        index: usize,
        _slot: &Option<T>,
        make: impl FnOnce() -> T,
        show: fn(&T) -> Option<Value>,
    ) {
        self.0.extend(show(&make()).map(|value| (index, value)));
    }

    /// Puts them under the keyword `examples` of their properties.
    pub(super) fn show_in(self, schema: &mut Value, arguments: &[ArgumentEntry]) {
        for (index, value) in self.0 {
            let name = arguments.get(index).map_or("", |entry| entry.name);
            let property = schema
                .get_mut("properties")
                .and_then(|properties| properties.get_mut(name));
            if let Some(Value::Object(property)) = property {
                property.insert("examples".to_owned(), Value::Array(vec![value]));
            }
        }
    }
}
