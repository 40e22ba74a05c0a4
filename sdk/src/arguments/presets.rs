//! Defaults and examples of arguments: values of the author's, each written once.

use std::marker::PhantomData;

use serde_json::Value;

use super::entry::Entry;

/// Walks over the defaults of a tool, to fill them in or to show them.
#[doc(hidden)]
#[derive(Debug)]
pub struct Presets(PresetMode);

#[derive(Debug)]
enum PresetMode {
    Fill,
    /// The defaults by index, each as JSON where its type can be written as such.
    Show(Vec<(usize, Option<Value>)>),
}

impl Presets {
    pub(crate) fn filling() -> Self {
        Self(PresetMode::Fill)
    }

    pub(crate) fn showing() -> Self {
        Self(PresetMode::Show(Vec::new()))
    }

    /// Names a default.
    #[inline]
    pub fn preset<T>(
        &mut self,
        index: usize,
        slot: &mut Option<T>,
        make: impl FnOnce() -> T,
        show: fn(&T) -> Option<Value>,
    ) {
        match &mut self.0 {
            PresetMode::Fill => {
                if slot.is_none() {
                    *slot = Some(make());
                }
            }
            PresetMode::Show(shown) => shown.push((index, show(&make()))),
        }
    }

    /// The defaults by index, of those that are walked over to be shown.
    pub(crate) fn shown(&self) -> &[(usize, Option<Value>)] {
        match &self.0 {
            PresetMode::Fill => &[],
            PresetMode::Show(shown) => shown,
        }
    }

    /// Returns true if an argument has a default.
    pub(crate) fn has(&self, index: usize) -> bool {
        match &self.0 {
            PresetMode::Fill => false,
            PresetMode::Show(shown) => shown.iter().any(|(of, _)| *of == index),
        }
    }

    /// The default of an argument, if it has one that can be shown.
    pub(crate) fn take(&mut self, index: usize) -> Option<Value> {
        match &mut self.0 {
            PresetMode::Fill => None,
            PresetMode::Show(shown) => {
                let place = shown.iter().position(|(of, _)| *of == index)?;
                shown.swap_remove(place).1
            }
        }
    }
}

/// The examples of single arguments, by index.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Samples(Vec<(usize, Value)>);

impl Samples {
    /// Names an example.
    pub fn sample<T>(
        &mut self,
        index: usize,
        of: SampleType<T>,
        make: impl FnOnce() -> T,
        show: fn(&T) -> Option<Value>,
    ) {
        self.0
            .extend(show(&sample(of, make)).map(|value| (index, value)));
    }

    /// Puts them under the keyword `examples` of their properties.
    pub(crate) fn show_in(self, schema: &mut Value, arguments: &[Entry]) {
        for (index, value) in self.0 {
            let name = arguments.get(index).map_or("", |entry| entry.0);
            let property = schema
                .get_mut("properties")
                .and_then(|properties| properties.get_mut(name));
            if let Some(Value::Object(property)) = property {
                property.insert("examples".to_owned(), Value::Array(vec![value]));
            }
        }
    }
}

/// The value of an example.
#[doc(hidden)]
#[expect(clippy::needless_pass_by_value, reason = "it stands for its type")]
pub fn sample<T>(of: SampleType<T>, make: impl FnOnce() -> T) -> T {
    let SampleType(PhantomData) = of;
    make()
}

/// The type of an example: that of the argument, without the `Option` around it. An inherent
/// method goes before that of a trait.
#[doc(hidden)]
#[derive(Debug)]
pub struct SampleProbe<T>(pub PhantomData<T>);

#[doc(hidden)]
#[derive(Debug)]
pub struct SampleType<T>(PhantomData<T>);

impl<T> SampleProbe<Option<T>> {
    pub fn __tool_sample(&self) -> SampleType<T> {
        SampleType(PhantomData)
    }
}

#[doc(hidden)]
pub trait PlainSample {
    type T;

    fn __tool_sample(&self) -> SampleType<Self::T> {
        SampleType(PhantomData)
    }
}

impl<T> PlainSample for SampleProbe<T> {
    type T = T;
}
