//! The ways to write a tool.

use std::process::Command;

use super::{in_order, prints, run};

#[test]
fn hello_greets() {
    assert_eq!(
        run(&mut Command::new(env!("CARGO_BIN_EXE_hello"))),
        "Hello, Ada!\n"
    );
}

#[test]
fn a_function_is_described_checked_and_called() {
    prints(
        "tool_function",
        &[
            "shop.price: Tell what something costs.\n",
            r#""count":{"default":1,"description":"The number of pieces.","maximum":99,"minimum":1,"type":"integer"}"#,
            "\n120 cents\n",
            "\n40 cents\n",
            "\nthe shop has no melon\n",
            "`/count`: expected an integer from 1 to 99, found 100",
        ],
    );
}

#[test]
fn the_methods_of_a_toolset_share_a_value() {
    prints(
        "toolset",
        &[
            "> notes.list {}\n[\"ada\",\"milk\"]\n",
            "\nbuy two\n",
            "\nthere is no note `tea`\n",
        ],
    );
}

#[test]
fn a_struct_is_the_arguments() {
    prints(
        "derive_tool",
        &[
            "\nA DOG\n",
            "`/steps/0/old`: expected text of at least 1 character",
            "\n2 steps\n",
        ],
    );
}

#[test]
fn an_enum_is_a_closed_set_of_tools() {
    prints(
        "tool_enum",
        &[
            "2 + 3: 5\n7 / 2: 3\n1 / 0: this cannot be divided\n",
            "there is no tool `math.root`",
        ],
    );
}

#[test]
fn a_closure_has_a_schema_from_elsewhere() {
    prints(
        "tool_fn",
        &[
            "\n26.22\n",
            "\n176.37\n",
            "`/unit`: there is no such argument",
            "`/value`: expected a number of at least 0, found -1",
        ],
    );
}

#[test]
fn an_executable_says_itself_what_it_is() {
    prints(
        "executable",
        &[
            "`no name` cannot be a tool's name",
            "\nDear Ada, thank you.\n",
            "`/name`: expected text of at least 1 character",
        ],
    );
}

#[test]
fn bytes_go_in_and_out() {
    prints(
        "bytes",
        &[
            "\n{\"sum\":3.5}\n",
            "`/numbers/0`: expected a number, found the text \"one\"",
        ],
    );
}

/// The seed is given, so that each run throws the same.
#[test]
fn a_tool_by_hand_reads_its_arguments_itself() {
    prints(
        "by_hand",
        &[
            "> dice.d6 {\"count\": 5}\n[6,5,6,6,1]\n",
            "> dice.d20 {\"count\": 2}\n[3,20]\n",
            "`/count`: must be 1 to 10",
            "`/dice`: there is no such argument",
        ],
    );
}

#[test]
fn tools_of_two_crates_are_found() {
    in_order(
        &run(&mut Command::new(env!("CARGO_BIN_EXE_discover"))),
        &[
            "this package: clothes.advise\n",
            "the library: weather.fahrenheit, weather.wind\n",
            "both: clothes.advise, weather.fahrenheit, weather.wind\n",
            "the crate `tokio` brings no tools",
            "> clothes.advise\na coat\n",
            "> weather.fahrenheit\n41.0\n",
        ],
    );
}

#[test]
fn closures_with_types_are_tools_like_functions() {
    prints(
        "tool_fn_typed",
        &[
            "> library.history ",
            "\n{\"books\":[\"A History of Maps\",\"Maps of the Sea\"]}\n",
            "> library.cooking ",
            "\n{\"books\":[\"Bread\"]}\n",
            "\nno title has `Cake` in it\n",
            "- `/limit`: expected an integer from 1 to 5, found 9\n",
            "- `/titel`: there is no such argument; did you mean `title`?\n",
        ],
    );
}
