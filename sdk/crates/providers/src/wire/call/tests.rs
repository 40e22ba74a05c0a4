use crate::wire::{Answered, write_results};
use crate::{Api, AssistantMessage};

#[test]
fn a_call_without_an_id_is_refused_where_the_api_gives_ids() {
    fn body(api: Api, id: &str) -> String {
        match api {
            Api::OpenAiChat | Api::Compatible => format!(
                r#"{{"role":"assistant","tool_calls":[{{{id}"type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}}"#
            ),
            Api::OpenAiResponses => {
                let id = id.replace("\"id\"", "\"call_id\"");
                format!(
                    r#"[{{{id}"type":"function_call","id":"fc_1","name":"f","arguments":"{{}}"}}]"#
                )
            }
            Api::Anthropic => format!(
                r#"{{"role":"assistant","content":[{{{id}"type":"tool_use","name":"f","input":{{}}}}]}}"#
            ),
            Api::Gemini => format!(
                r#"{{"role":"model","parts":[{{"functionCall":{{{id}"name":"f","args":{{}}}}}}]}}"#
            ),
        }
    }
    for api in Api::ALL {
        let gives_ids = !matches!(api, Api::Gemini | Api::Compatible);
        for (id, why) in [
            ("", "it has no id"),
            (r#""id":null,"#, "it has no id"),
            (r#""id":"","#, "it has no id"),
            (r#""id":7,"#, "its id is a number, not a text"),
            (r#""id":["a"],"#, "its id is a list, not a text"),
        ] {
            let text = body(api, id);
            let message = AssistantMessage::read(api, &text).unwrap();
            let [call] = message.calls() else {
                panic!("{text}")
            };
            let refusal = call.refusal().unwrap_or_default();
            assert_eq!(refusal.contains(why), gives_ids, "{api} {id}: {refusal}");
            assert!(!call.id().is_empty());
            // The message that goes back has the id, and so has the result.
            let made = call.id().to_owned();
            let results = write_results(api, &[Answered::refused(call, "no")]);
            let names_it = results[0].as_str().contains(&made);
            assert_eq!(names_it, api != Api::Gemini, "{api} {id}: {}", results[0]);
            let messages = message.into_messages();
            assert_eq!(messages.len(), 1);
            let is_there = messages[0].as_str().contains(&made);
            assert_eq!(is_there, api != Api::Gemini, "{api} {id}: {}", messages[0]);
        }
        let text = body(api, r#""id":"a","#);
        let message = AssistantMessage::read(api, &text).unwrap();
        assert_eq!(message.calls()[0].refusal(), None, "{api}");
    }
    let old = r#"{"role":"assistant","function_call":{"name":"f","arguments":"{}"}}"#;
    let message = AssistantMessage::read(Api::OpenAiChat, old).unwrap();
    assert_eq!(message.calls()[0].refusal(), None);
}
