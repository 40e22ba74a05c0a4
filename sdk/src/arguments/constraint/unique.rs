//! The lists that can be checked for equal items.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::Hash;

/// A type of which no two items have to be equal: lists of items that can be compared, sets, which have no item twice
/// by themselves, and `Option`s of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    label = "`unique_items` is for lists and sets",
    note = "a list is a `Vec` or a `VecDeque`, or a type of yours that implements `constraint::UniqueTarget`"
)]
pub trait UniqueTarget {
    /// The type that has to be compared: the items, or `()` where the type has none twice by itself.
    type Item;

    /// Returns true if no two items are equal, which holds where there are none. [`all_different`] tells.
    fn has_unique_items(&self) -> bool
    where
        Self::Item: UniqueItem;
}

/// The items of a list that has none twice: all types that are `Eq` and `Hash`, as the items of a [`HashSet`].
///
/// With `PartialEq` alone each item would have to be compared with each other one, and a list of a megabyte, which a
/// model may send, has half a million.
#[diagnostic::on_unimplemented(
    message = "items of the type `{Self}` cannot be compared",
    label = "`unique_items` is for lists of items that are `Eq` and `Hash`",
    note = "derive `PartialEq`, `Eq` and `Hash` for a type of your own; numbers with a point are neither, so look \
            at those in `validate`"
)]
pub trait UniqueItem: Eq + Hash {}

#[diagnostic::do_not_recommend]
impl<T: Eq + Hash> UniqueItem for T {}

/// Lists up to this length are compared item by item, which is faster there.
const SHORT: usize = 16;

/// Returns true if no two of the items are equal. The time it takes grows as their number does.
pub fn all_different<'a, T: UniqueItem + 'a>(
    items: impl ExactSizeIterator<Item = &'a T> + Clone,
) -> bool {
    if items.len() > SHORT {
        let mut seen = HashSet::with_capacity(items.len());
        return items.into_iter().all(|item| seen.insert(item));
    }
    let mut rest = items;
    while let Some(item) = rest.next() {
        if rest.clone().any(|other| other == item) {
            return false;
        }
    }
    true
}

macro_rules! lists {
    ($($list:ident),*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<T> UniqueTarget for $list<T> {
                type Item = T;

                fn has_unique_items(&self) -> bool
                where
                    T: UniqueItem,
                {
                    all_different(self.iter())
                }
            }
        )*
    };
}

lists!(Vec, VecDeque);

macro_rules! sets {
    ($($set:ident<$($T:ident),*>;)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<$($T),*> UniqueTarget for $set<$($T),*> {
                type Item = ();

                fn has_unique_items(&self) -> bool {
                    true
                }
            }
        )*
    };
}

sets! {
    BTreeSet<T>;
    HashSet<T, S>;
}

#[diagnostic::do_not_recommend]
impl<T: UniqueTarget> UniqueTarget for Option<T> {
    type Item = T::Item;

    fn has_unique_items(&self) -> bool
    where
        T::Item: UniqueItem,
    {
        self.as_ref().is_none_or(T::has_unique_items)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet, VecDeque};

    use super::{UniqueTarget, all_different};

    #[test]
    fn short_and_long_lists() {
        for length in [0, 1, 2, 15, 16, 17, 18, 1000] {
            let mut list: Vec<usize> = (0..length).collect();
            assert!(all_different(list.iter()), "{length}");
            for (from, to) in [(0, length / 2), (length / 2, length), (0, length)] {
                if from + 1 < to {
                    let kept = std::mem::replace(&mut list[to - 1], from);
                    assert!(!all_different(list.iter()), "{from} {to} of {length}");
                    list[to - 1] = kept;
                }
            }
        }
    }

    /// Each with each would be 125 000 000 000 comparisons.
    #[test]
    fn a_list_of_a_megabyte_is_no_matter() {
        let list: Vec<u32> = (0..500_000).collect();
        assert!(list.has_unique_items());
    }

    #[test]
    fn what_can_have_the_constraint() {
        let equal = || ["a".to_owned(), "a".to_owned()];
        assert!(!Vec::from(equal()).has_unique_items());
        assert!(!VecDeque::from(equal()).has_unique_items());
        assert!(!Some(Vec::from(equal())).has_unique_items());
        assert!(None::<Vec<String>>.has_unique_items());
        assert!(!vec![None, None::<u8>].has_unique_items());
        assert!(!vec![vec![1], vec![], vec![1]].has_unique_items());
        assert!(HashSet::from(equal()).has_unique_items());
        assert!(BTreeSet::from(equal()).has_unique_items());
    }
}
