//! Literals with a sign, and the comparison of numbers that are known while the macro runs.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::cmp::Ordering;
use syn::{Expr, Lit, Token, UnOp};

/// Takes off the invisible delimiters that a `macro_rules` fragment brings.
pub(crate) fn peel(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => peel(*group.expr),
        other => other,
    }
}

#[derive(Clone)]
pub(crate) struct Literal {
    pub(crate) minus: Option<Token![-]>,
    pub(crate) lit: Lit,
}

/// The value of a literal, so that two spellings of one value are equal.
#[derive(Clone, PartialEq)]
pub(crate) enum KnownLiteral {
    Text(String),
    Integer(i128),
    Float(f64),
    Bool(bool),
}

impl Literal {
    pub(crate) fn of(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Group(group) => Self::of(&group.expr),
            Expr::Lit(literal) => Some(Self {
                minus: None,
                lit: literal.lit.clone(),
            }),
            Expr::Unary(unary) => {
                let (UnOp::Neg(minus), inner) = (unary.op, Self::of(&unary.expr)?) else {
                    return None;
                };
                let signed =
                    inner.minus.is_none() && matches!(inner.lit, Lit::Int(_) | Lit::Float(_));
                signed.then_some(Self {
                    minus: Some(minus),
                    lit: inner.lit,
                })
            }
            _ => None,
        }
    }

    /// `None` for a kind of literal that no key takes, and for a number that is out of reach.
    pub(crate) fn known(&self) -> Option<KnownLiteral> {
        let negative = self.minus.is_some();
        match &self.lit {
            Lit::Str(text) => Some(KnownLiteral::Text(text.value())),
            Lit::Bool(truth) => Some(KnownLiteral::Bool(truth.value)),
            Lit::Int(number) if matches!(number.suffix(), "f32" | "f64") => Some(
                KnownLiteral::Float(signed_float(number.base10_parse().ok()?, negative)),
            ),
            Lit::Int(number) => {
                let value: i128 = number.base10_parse().ok()?;
                Some(KnownLiteral::Integer(if negative { -value } else { value }))
            }
            Lit::Float(number) => {
                let value: f64 = number.base10_parse().ok()?;
                value
                    .is_finite()
                    .then(|| KnownLiteral::Float(signed_float(value, negative)))
            }
            _ => None,
        }
    }
}

fn signed_float(value: f64, negative: bool) -> f64 {
    if negative { -value } else { value }
}

impl KnownLiteral {
    /// The order of two numbers of one kind; of nothing else.
    pub(crate) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(b)),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(b),
            _ => None,
        }
    }
}

impl ToTokens for Literal {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { minus, lit } = self;
        minus.to_tokens(tokens);
        lit.to_tokens(tokens);
    }
}
