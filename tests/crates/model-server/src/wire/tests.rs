use super::*;

use crate::reply::Part;

/// A history with a call in each API, and its result where there is one.
fn history(wire: Wire, call: Option<&str>, result: Option<&str>) -> Value {
    let mut entries = match wire {
        Wire::Chat | Wire::Anthropic | Wire::Responses => {
            vec![json!({"role": "user", "content": "?"})]
        }
        Wire::Gemini => vec![json!({"role": "user", "parts": [{"text": "?"}]})],
    };
    entries.extend(call.map(|id| match wire {
        Wire::Chat => json!({"role": "assistant", "content": null, "tool_calls":
            [{"id": id, "type": "function", "function": {"name": "a", "arguments": "{}"}}]}),
        Wire::Responses => {
            json!({"type": "function_call", "call_id": id, "name": "a", "arguments": "{}"})
        }
        Wire::Anthropic => json!({"role": "assistant", "content":
            [{"type": "tool_use", "id": id, "name": "a", "input": {}}]}),
        Wire::Gemini => json!({"role": "model", "parts":
            [{"functionCall": {"id": id, "name": "a", "args": {}}}]}),
    }));
    entries.extend(result.map(|id| match wire {
        Wire::Chat => json!({"role": "tool", "tool_call_id": id, "content": "x"}),
        Wire::Responses => json!({"type": "function_call_output", "call_id": id, "output": "x"}),
        Wire::Anthropic => json!({"role": "user", "content":
            [{"type": "tool_result", "tool_use_id": id, "content": "x"}]}),
        Wire::Gemini => json!({"role": "user", "parts":
            [{"functionResponse": {"id": id, "name": "a", "response": {"x": 1}}}]}),
    }));
    match wire {
        Wire::Chat => json!({"messages": entries}),
        Wire::Responses => json!({"input": entries}),
        Wire::Anthropic => json!({"messages": entries, "max_tokens": 1}),
        Wire::Gemini => json!({"contents": entries}),
    }
}

const ALL: [Wire; 4] = [Wire::Chat, Wire::Responses, Wire::Anthropic, Wire::Gemini];

#[test]
fn each_call_has_one_result() {
    let issued = Issued::default();
    for wire in ALL {
        let is_fine = |call, result| wire.check(&history(wire, call, result), &issued).is_ok();
        assert!(is_fine(None, None), "{wire:?}");
        assert!(is_fine(Some("c1"), Some("c1")), "{wire:?}");
        assert!(!is_fine(Some("c1"), None), "{wire:?}");
        assert!(!is_fine(Some("c1"), Some("c2")), "{wire:?}");
        assert!(!is_fine(None, Some("c1")), "{wire:?}");
    }
}

#[test]
fn a_tool_has_a_name_within_the_alphabet_and_once() {
    for (wire, longest) in ALL.into_iter().zip([64, 64, 128, 128]) {
        let is_fine = |names: &[&str]| {
            let mut request = history(wire, None, None);
            let tool = |name: &&str| match wire {
                Wire::Chat => json!({"type": "function", "function": {"name": name}}),
                Wire::Gemini => json!({"functionDeclarations": [{"name": name}]}),
                _ => json!({"type": "function", "name": name, "input_schema": {"type": "object"}}),
            };
            request["tools"] = names.iter().map(tool).collect();
            wire.check(&request, &Issued::default()).is_ok()
        };
        assert!(
            is_fine(&["fs_read", "fs-write", &"a".repeat(longest)]),
            "{wire:?}"
        );
        for wrong in ["", "fs/read", "é", &"a".repeat(longest + 1)] {
            assert!(!is_fine(&[wrong]), "{wire:?} {wrong}");
        }
        assert!(!is_fine(&["a", "a"]), "{wire:?}");
    }
}

#[test]
fn thoughts_stay_as_they_were_sent() {
    let reply = Reply::thinking("hm").and_call("a", &json!({}));
    assert!(matches!(
        reply.parts[..],
        [Part::Thinking(_), Part::Call { .. }]
    ));
    let answering = Answering {
        reply: &reply,
        number: 1,
        model: "m",
    };
    for wire in [Wire::Responses, Wire::Anthropic, Wire::Gemini] {
        let mut issued = Issued::default();
        wire.note(answering, &mut issued);
        let whole = wire.whole(answering);
        let request = |changed: &dyn Fn(String) -> String| {
            let said = match wire {
                Wire::Responses => whole["output"].as_array().unwrap().clone(),
                Wire::Anthropic => vec![json!({"role": "assistant", "content": whole["content"]})],
                _ => vec![whole["candidates"][0]["content"].clone()],
            };
            let said: Vec<Value> = said
                .iter()
                .map(|entry| serde_json::from_str(&changed(entry.to_string())).unwrap())
                .collect();
            let call = answering.call_id(
                if wire == Wire::Responses {
                    "call_"
                } else {
                    "toolu_"
                },
                1,
            );
            let mut request = history(wire, None, Some(&call));
            let member = match wire {
                Wire::Responses => "input",
                Wire::Anthropic => "messages",
                _ => "contents",
            };
            let entries = request[member].as_array_mut().unwrap();
            entries.splice(1..1, said);
            if wire == Wire::Gemini {
                entries[2]["parts"][0]["functionResponse"]["id"].take();
            }
            wire.check(&request, &issued)
        };
        assert_eq!(request(&|text| text), Ok(()), "{wire:?}");
        assert!(
            request(&|text| text.replace("Sg0001", "Sg0002")).is_err(),
            "{wire:?}"
        );
        let dropped = |text: String| {
            text.replace("thoughtSignature", "other")
                .replace("\"thinking\"", "\"text\"")
        };
        let dropped = |text: String| dropped(text).replace("encrypted_content", "other");
        assert!(request(&dropped).is_err(), "{wire:?}");
    }
}

#[test]
fn the_middle_of_a_stream_is_within_its_last_part() {
    let reply = Reply::text("I do it.").and_call("a", &json!({"path": "a long enough text"}));
    let answering = Answering {
        reply: &reply,
        number: 1,
        model: "m",
    };
    for wire in ALL {
        let events = wire.events(answering, &Value::Null);
        let whole = events.texts.concat();
        let half = events.texts[..events.middle].concat();
        assert!(
            whole.contains("text") && half.len() < whole.len(),
            "{wire:?}"
        );
        assert!(
            half.contains("path") || half.contains("pat"),
            "{wire:?} {half}"
        );
        for end in [
            "message_stop",
            "[DONE]",
            "response.completed",
            "finishReason",
        ] {
            assert!(!half.contains(end), "{wire:?}");
        }
    }
}
