use serde_json::{Value, json};

use super::*;

fn canonical(text: &str) -> String {
    CanonicalJson::from_text(text).unwrap().as_str().to_owned()
}

/// RFC 8785 §3.2.2.
#[test]
fn the_example_of_the_rfc() {
    let text = r#"{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
    }"#;
    assert_eq!(
        canonical(text),
        "{\"literals\":[null,true,false],\
         \"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
         \"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
    );
}

/// RFC 8785 §3.2.3: names are sorted as UTF-16.
#[test]
fn the_order_of_the_rfc() {
    let text = r#"{
        "\u20ac": "Euro Sign", "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis"
    }"#;
    let sorted: Vec<Value> = ["Carriage Return", "One", "Control"]
        .into_iter()
        .chain(["Latin Small Letter O With Diaeresis", "Euro Sign"])
        .chain(["Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh"])
        .map(Value::from)
        .collect();
    let canonical = canonical(text);
    let at = |value: &Value| canonical.find(&value.to_string()).unwrap();
    assert!(sorted.is_sorted_by_key(at), "{canonical}");
}

/// RFC 8785 appendix B.
#[test]
fn the_numbers_of_the_rfc() {
    for (bits, text) in [
        (0x0000_0000_0000_0000_u64, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ] {
        let float = f64::from_bits(bits);
        assert_eq!(canonical(&serde_json::to_string(&float).unwrap()), text);
        assert_eq!(canonical(text), text);
    }
}

/// Random numbers without a crate: `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n).unwrap()).unwrap()
    }

    fn float(&mut self) -> f64 {
        loop {
            let float = f64::from_bits(self.next());
            if float.is_finite() {
                return float;
            }
        }
    }

    fn text(&mut self) -> String {
        const SOME: [char; 14] = [
            'a',
            'Z',
            '\u{7f}',
            '"',
            '\\',
            '/',
            '\n',
            '\u{1}',
            '\u{e9}',
            '\u{20ac}',
            '\u{2028}',
            '\u{fb33}',
            '\u{1f600}',
            '\u{ffff}',
        ];
        (0..self.below(5)).map(|_| SOME[self.below(14)]).collect()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.float()),
            3 => json!(self.below(1_000_000)),
            4 => json!(self.text()),
            5 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let members = (0..self.below(5)).map(|_| (self.text(), self.value(depth - 1)));
                Value::Object(members.collect())
            }
        }
    }

    /// The value as text in some form: any order of members, white space, escapes, forms of a number.
    fn write(&mut self, value: &Value) -> String {
        let space = |random: &mut Self| [" ", "", "\n", "\t\r"][random.below(4)];
        let written = match value {
            Value::Number(number) if number.is_u64() => match self.below(4) {
                0 => format!("{number}.0"),
                1 => format!("{number}e0"),
                2 => format!("{number}00E-2"),
                _ => number.to_string(),
            },
            Value::String(text) => self.write_text(text),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.write(item)).collect();
                format!("[{}]", items.join(","))
            }
            Value::Object(members) => {
                let mut written: Vec<String> = Vec::new();
                for (name, value) in members {
                    let member = format!("{}:{}", self.write_text(name), self.write(value));
                    let at = self.below(written.len() + 1);
                    written.insert(at, member);
                }
                format!("{{{}}}", written.join(","))
            }
            other => other.to_string(),
        };
        format!("{}{written}{}", space(self), space(self))
    }

    fn write_text(&mut self, text: &str) -> String {
        let mut units = [0; 2];
        let each = text.chars().map(|c| {
            if self.below(2) == 0 {
                let escaped = c.encode_utf16(&mut units).iter();
                escaped.fold(String::new(), |text, unit| text + &format!("\\u{unit:04X}"))
            } else {
                let whole = serde_json::to_string(&c).unwrap();
                whole[1..whole.len() - 1].to_owned()
            }
        });
        format!("\"{}\"", each.collect::<String>())
    }
}

#[test]
fn order_space_escapes_and_the_form_of_numbers_change_nothing() {
    let mut random = Random(1);
    for _ in 0..1_000 {
        let value = random.value(4);
        let wanted = CanonicalJson::of(&value).unwrap();
        for _ in 0..3 {
            let text = random.write(&value);
            let got = CanonicalJson::from_text(&text).unwrap();
            assert_eq!((got.hash(), &got), (wanted.hash(), &wanted), "{text}");
        }
        assert_eq!(canonical(wanted.as_str()), wanted.as_str());
    }
}

#[test]
fn another_crate_that_writes_rfc_8785_writes_the_same() {
    let mut random = Random(2);
    for _ in 0..5_000 {
        let value = random.value(3);
        let theirs = serde_json_canonicalizer::to_string(&value).unwrap();
        assert_eq!(CanonicalJson::of(&value).unwrap().as_str(), theirs);
    }
}

#[test]
fn different_whole_numbers_never_share_a_text_and_none_is_rounded() {
    let mut numbers: Vec<String> = Vec::new();
    for n in [53, 54, 60, 63, 64, 69, 70, 100] {
        let power = 2_u128.pow(n);
        let around = (power - 3)..=(power + 3);
        numbers.extend(around.map(|number| number.to_string()));
    }
    // The text of RFC 8785 for the float 2^63, a number that no float is, and what is beyond floats.
    let others = [
        "9223372036854776000",
        "9223372036854776001",
        "1e400",
        "1e401",
        "-1e400",
        "0",
    ];
    numbers.extend(others.map(str::to_owned));
    let mut texts: Vec<String> = numbers.iter().map(|number| canonical(number)).collect();
    for (number, text) in numbers.iter().zip(&texts) {
        assert_eq!(Decimal::parse(number), Decimal::parse(text), "{number}");
        assert_eq!(&canonical(text), text);
    }
    assert_eq!(texts[0], "9007199254740989");
    let many = texts.len();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), many);
}

#[test]
fn a_whole_number_has_one_text_in_any_form_and_a_fraction_that_of_its_float() {
    for (text, wanted) in [
        ("9007199254740993.0", "9007199254740993"),
        ("90071992547409930e-1", "9007199254740993"),
        ("9007199254740993000e-3", "9007199254740993"),
        ("18446744073709551616", "18446744073709551616"),
        ("-0", "0"),
        ("-0.0e9", "0"),
        ("0.1000000000000000055511151231257827", "0.1"),
        ("920612209384187.25", "920612209384187.2"),
        ("1e-400", "0"),
    ] {
        assert_eq!(canonical(text), wanted);
    }
}

#[test]
fn what_has_no_canonical_form_is_refused() {
    for text in [
        r#"{"a":1,"b":2,"a":1}"#,
        r#"{"a":1,"\u0061":1}"#,
        r#"{"x":[{"a":1,"a":2}]}"#,
        r#""\ud800""#,
        r#"{"\udc00":1}"#,
        "",
        "nul",
        "[1,]",
        "01",
        "+1",
        "NaN",
        "1 2",
        "1e99999999999999999999",
    ] {
        assert!(CanonicalJson::from_text(text).is_err(), "{text}");
    }
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(CanonicalJson::from_text(&nested(127)).is_ok());
    assert!(CanonicalJson::from_text(&nested(128)).is_err());
    assert!(CanonicalJson::from_text(&nested(1_000_000)).is_err());
}

#[test]
fn it_is_written_as_the_data_that_it_is() {
    let json = CanonicalJson::from_text(r#"{"b":18446744073709551617,"a":[]}"#).unwrap();
    let text = serde_json::to_string(&[&json]).unwrap();
    assert_eq!(text, r#"[{"a":[],"b":18446744073709551617}]"#);
    let back: Vec<CanonicalJson> = serde_json::from_str(&text).unwrap();
    assert_eq!(back, [json]);
}
