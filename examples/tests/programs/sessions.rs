//! The tools and the state of a session.

use super::prints;

#[test]
fn a_selector_chooses_the_tools_of_a_session() {
    prints(
        "selector",
        &[
            "[\"*\"]: page.read, page.remove, page.write\n  > page.remove: home was removed\n",
            "[\"page.*\", \"!page.remove\"]: page.read, page.write\n  > page.remove: there is no tool `page.remove`\n",
            "[\"page.raed\", \"server.restart\"]: server.restart\n",
            "did you mean `page.read`?\n",
        ],
    );
}

#[test]
fn a_role_holds_whatever_a_session_selects() {
    prints(
        "roles",
        &[
            "reader selects [\"*\", \"page.remove\"] and has chief.ask, page.read\n",
            "page.remove: the role never has it\n",
            "> page.remove: there is no tool `page.remove`\n",
            "editor selects [\"page.*\"] and has chief.ask, page.read, page.write\n",
            "> page.remove: there is no tool `page.remove`\n",
            "cleaner selects [\"page.read\", \"page.remove\"] and has chief.ask, page.read, page.remove\n",
            "> page.remove: home was removed\n",
        ],
    );
}

#[test]
fn a_sub_session_has_fewer_tools_and_ends_with_the_one_above() {
    prints(
        "sub_session",
        &[
            "main has mail.send, task.report, web.search\n",
            "scout has task.report, web.search\n",
            "> mail.send\nthere is no tool `mail.send`\n",
            "scout reports to lead: nothing was found\n",
            "the call was cancelled before it began\n",
        ],
    );
}

#[test]
fn the_tools_of_servers_have_the_names_of_their_servers() {
    prints(
        "server",
        &[
            "[\"*\"]\n  github.issues.close from github\n  github.issues.list from github\n  issues.list from the app\n  tracker.issues.list from tracker\n",
            "[\"@github\"]\n  github.issues.close from github\n  github.issues.list from github\n[",
            "\"!@github/issues.close\"]\n  github.issues.list from github\n  tracker.issues.list from tracker\n",
            "> issues.list\n1: buy milk\n",
            "> github.issues.list\ngithub was sent issues.list {}\n",
        ],
    );
}

#[test]
fn the_state_changes_with_calls_that_succeed() {
    prints(
        "state",
        &[
            "milk is in the basket\n",
            "tea is in the basket\n",
            "the basket holds 2 things\n",
            "s-1 has [\"milk\", \"tea\"]\ns-1 has []\ns-2 has no basket\n",
        ],
    );
}
