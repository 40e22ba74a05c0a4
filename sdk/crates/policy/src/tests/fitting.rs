//! The check of a policy against the tools that it is for.

use super::*;
use toolwright::spec::Capability;

#[test]
fn rules_about_tools_that_there_are_not_are_told() {
    let capability = Capability::new("fs:read:/data").unwrap();
    let read = tool("fs.read").with_capability(capability);
    let send = tool("mail.send").with_alias(ToolName::new("send_mail").unwrap());
    let tools = [&read, &send];
    let rules = || {
        [
            Rule::allow().tools(["fs.raed", "fs.*"]),
            Rule::deny().tools(["sf.*"]),
            Rule::deny()
                .tools(["*", "!mail.sned", "!fs.*", "!send_mail"])
                .kinds(["a"]),
            Rule::ask().tools(["send_mail"]),
            Rule::ask().capabilities(["fs:raed:*", "fs:read:*"]),
        ]
    };
    let told = policy(rules()).problems(&tools);
    assert_eq!(
        told,
        [
            "allow rule 1: there is no tool `fs.raed`; did you mean `fs.read`?",
            "deny rule 1: there is no tool `sf.*`; did you mean `fs.*`?",
            "deny rule 2: there is no tool `mail.sned`; did you mean `mail.send`?",
            "deny rule 2: `send_mail` is another name of the tool `mail.send`, and rules go by a \
             tool's own: write `mail.send`",
            "ask rule 1: `send_mail` is another name of the tool `mail.send`, and rules go by a \
             tool's own: write `mail.send`",
            "ask rule 2: no tool needs the capability `fs:raed:*`: leave it out, or say that the \
             policy is shared by several apps",
        ]
    );
    let shared = PermissionPolicy::builder("/").rules(rules()).shared(true);
    let told = shared.build().unwrap().problems(&tools);
    // A rule by an alias does nothing in any app.
    assert_eq!(told.len(), 2, "{told:?}");
}
