//! The keywords of one schema that walks along a value ask for, found in one pass over them.

use serde_json::{Map, Value};

/// The keywords of a schema. A walk asks for many that most schemas do not have, and each question that is put to the
/// schema itself searches it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keywords<'s> {
    node: Option<&'s Map<String, Value>>,
    /// A bit for each keyword that is there.
    there: u32,
    /// The value of the keyword that every walk asks for.
    types: Option<&'s Value>,
}

impl<'s> Keywords<'s> {
    /// Those of a schema; a boolean has none.
    pub(crate) fn of(schema: &'s Value) -> Self {
        let mut keywords = Self {
            node: schema.as_object(),
            there: 0,
            types: None,
        };
        for (key, value) in keywords.node.into_iter().flatten() {
            let Some(keyword) = Keyword::named(key) else {
                continue;
            };
            keywords.there |= keyword.bit();
            if keyword == Keyword::Type {
                keywords.types = Some(value);
            }
        }
        keywords
    }

    #[inline]
    pub(crate) fn has(self, keyword: Keyword) -> bool {
        self.there & keyword.bit() != 0
    }

    #[inline]
    pub(crate) fn get(self, keyword: Keyword) -> Option<&'s Value> {
        match keyword {
            Keyword::Type => self.types,
            _ if self.has(keyword) => self.node?.get(keyword.name()),
            _ => None,
        }
    }

    /// Returns true if a keyword besides the type may say which values as a whole are right.
    #[inline]
    pub(crate) fn has_constraints(self) -> bool {
        self.there & !OF_TYPE_AND_PARTS != 0
    }

    /// Returns true if they say all that the schema says of a value without parts: no other schema describes it too.
    #[inline]
    pub(crate) fn say_all(self) -> bool {
        self.node.is_some() && self.there & OF_OTHERS == 0
    }

    /// The list that a keyword holds; an empty one if it holds none.
    #[inline]
    pub(crate) fn list(self, keyword: Keyword) -> &'s [Value] {
        match self.get(keyword) {
            Some(Value::Array(list)) => list,
            _ => &[],
        }
    }

    /// The object that a keyword holds.
    #[inline]
    pub(crate) fn object(self, keyword: Keyword) -> Option<&'s Map<String, Value>> {
        self.get(keyword)?.as_object()
    }
}

/// Names are compared by their length first, and those of one length as numbers.
macro_rules! keywords {
    ($($length:literal => $($keyword:ident $name:literal),*;)*) => {
        /// A keyword that walks along a value ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Keyword {
            $($($keyword,)*)*
        }

        impl Keyword {
            #[inline]
            fn named(name: &str) -> Option<Self> {
                match name.len() {
                    $($length => match name {
                        $($name => Some(Self::$keyword),)*
                        _ => None,
                    },)*
                    _ => None,
                }
            }

            fn name(self) -> &'static str {
                match self {
                    $($(Self::$keyword => $name,)*)*
                }
            }
        }

        #[cfg(test)]
        const ALL: &[(Keyword, usize)] = &[$($((Keyword::$keyword, $length),)*)*];
    };
}

keywords! {
    3 => Not "not";
    4 => Enum "enum", Ref "$ref", Type "type";
    5 => AllOf "allOf", AnyOf "anyOf", Const "const", Items "items", OneOf "oneOf";
    6 => Format "format";
    7 => Default "default", Maximum "maximum", Minimum "minimum", Pattern "pattern";
    8 => MaxItems "maxItems", MinItems "minItems", Required "required";
    9 => MaxLength "maxLength", MinLength "minLength";
    10 => MultipleOf "multipleOf", Properties "properties";
    11 => PrefixItems "prefixItems", UniqueItems "uniqueItems";
    13 => MaxProperties "maxProperties", MinProperties "minProperties";
    15 => AdditionalItems "additionalItems";
    16 => ExclusiveMaximum "exclusiveMaximum", ExclusiveMinimum "exclusiveMinimum";
    17 => PatternProperties "patternProperties";
    20 => AdditionalProperties "additionalProperties";
    21 => UnevaluatedProperties "unevaluatedProperties";
}

/// The keywords that say nothing of a value as a whole but its type. One that is not among these may constrain it.
const OF_TYPE_AND_PARTS: u32 = Keyword::Type.bit()
    | Keyword::Ref.bit()
    | Keyword::Default.bit()
    | Keyword::AllOf.bit()
    | Keyword::AnyOf.bit()
    | Keyword::OneOf.bit()
    | Keyword::Not.bit()
    | Keyword::Items.bit()
    | Keyword::PrefixItems.bit()
    | Keyword::AdditionalItems.bit()
    | Keyword::Required.bit()
    | Keyword::Properties.bit()
    | Keyword::PatternProperties.bit()
    | Keyword::AdditionalProperties.bit()
    | Keyword::UnevaluatedProperties.bit();

/// The keywords by which other schemas describe the same value.
const OF_OTHERS: u32 =
    Keyword::Ref.bit() | Keyword::AllOf.bit() | Keyword::AnyOf.bit() | Keyword::OneOf.bit();

impl Keyword {
    #[inline]
    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_keyword_is_found_by_its_name() {
        assert!(ALL.len() <= 32);
        for (keyword, length) in ALL {
            assert_eq!(keyword.name().len(), *length);
            assert_eq!(Keyword::named(keyword.name()), Some(*keyword));
        }
        let schema = json!({"type": "string", "title": "", "items": [1], "properties": 5});
        let keywords = Keywords::of(&schema);
        assert_eq!(keywords.get(Keyword::Type), Some(&json!("string")));
        assert_eq!(keywords.list(Keyword::Items), [1]);
        assert!(keywords.has(Keyword::Properties) && !keywords.has(Keyword::Enum));
        assert!(keywords.object(Keyword::Properties).is_none());
        assert!(Keywords::of(&json!(true)).get(Keyword::Type).is_none());
    }
}
