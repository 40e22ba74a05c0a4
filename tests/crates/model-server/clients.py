"""The vendors' own Python clients talk to the stand-in server, by each API, whole and streamed: a thought, a call, its
result, a text. Run it with an environment that has `openai`, `anthropic` and `google-genai`:

    python tests/crates/model-server/clients.py
"""

import json
import subprocess

import anthropic
import openai
from google import genai
from google.genai import types

ARGUMENTS = {"text": "a \"b\" é"}
CALL = "think:call:text_count:" + json.dumps(ARGUMENTS)
TEXT = "text:There are two words."
SAID = "There are two words."
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


def chat(url, streamed):
    client = openai.OpenAI(base_url=url + "/v1", api_key="sk-test", max_retries=0)
    tools = [{"type": "function", "function": {"name": "text_count", "parameters": SCHEMA}}]
    messages = [{"role": "user", "content": "How many words?"}]

    def ask():
        options = dict(model="gpt-test", messages=messages, tools=tools)
        if not streamed:
            return client.chat.completions.create(**options).choices[0].message
        with client.chat.completions.stream(**options, stream_options={"include_usage": True}) as stream:
            for _ in stream:
                pass
            completion = stream.get_final_completion()
        assert completion.usage.total_tokens == 30
        return completion.choices[0].message

    message = ask()
    (call,) = message.tool_calls
    assert json.loads(call.function.arguments) == ARGUMENTS, call
    messages.append(message.model_dump(exclude_none=True, include={"role", "content", "tool_calls"}))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": "2"})
    assert ask().content == SAID


def responses(url, streamed):
    client = openai.OpenAI(base_url=url + "/v1", api_key="sk-test", max_retries=0)
    tools = [{"type": "function", "name": "text_count", "parameters": SCHEMA, "strict": False}]
    items = [{"role": "user", "content": "How many words?"}]

    def ask():
        options = dict(model="gpt-test", input=items, tools=tools, store=False)
        if not streamed:
            return client.responses.create(**options)
        with client.responses.stream(**options) as stream:
            for _ in stream:
                pass
            return stream.get_final_response()

    response = ask()
    thoughts, call = response.output
    assert thoughts.type == "reasoning" and thoughts.encrypted_content, thoughts
    assert json.loads(call.arguments) == ARGUMENTS, call
    items += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in response.output]
    items.append({"type": "function_call_output", "call_id": call.call_id, "output": "2"})
    assert ask().output_text == SAID


def messages(url, streamed):
    client = anthropic.Anthropic(base_url=url, api_key="sk-test", max_retries=0)
    tools = [{"name": "text_count", "input_schema": SCHEMA}]
    history = [{"role": "user", "content": "How many words?"}]

    def ask():
        options = dict(model="claude-test", max_tokens=1000, messages=history, tools=tools)
        if not streamed:
            return client.messages.create(**options)
        with client.messages.stream(**options) as stream:
            for _ in stream:
                pass
            return stream.get_final_message()

    message = ask()
    thoughts, call = message.content
    assert thoughts.type == "thinking" and thoughts.signature, thoughts
    assert call.input == ARGUMENTS and message.stop_reason == "tool_use", message
    history.append({"role": "assistant", "content": message.content})
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "2"}
    history.append({"role": "user", "content": [result]})
    (said,) = ask().content
    assert said.text == SAID


def gemini(url, streamed):
    client = genai.Client(api_key="sk-test", http_options=types.HttpOptions(base_url=url))
    declaration = types.FunctionDeclaration(name="text_count", parameters_json_schema=SCHEMA)
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declaration])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    contents = [types.Content(role="user", parts=[types.Part(text="How many words?")])]

    def ask():
        options = dict(model="gemini-test", contents=contents, config=config)
        if not streamed:
            return client.models.generate_content(**options).candidates[0].content.parts
        chunks = list(client.models.generate_content_stream(**options))
        assert chunks[-1].candidates[0].finish_reason == "STOP", chunks[-1]
        return [part for chunk in chunks for part in chunk.candidates[0].content.parts if part.text != ""]

    parts = ask()
    call = parts[-1]
    assert parts[0].thought and call.thought_signature, parts
    assert call.function_call.args == ARGUMENTS, call
    contents.append(types.Content(role="model", parts=parts))
    response = types.Part.from_function_response(name="text_count", response={"result": 2})
    contents.append(types.Content(role="user", parts=[response]))
    assert "".join(part.text for part in ask()) == SAID


def main():
    script = ["cargo", "run", "--quiet", "-p", "model-server", "--"] + [CALL, TEXT] * 8
    server = subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    url = server.stdout.readline().strip()
    for api in (chat, responses, messages, gemini):
        for streamed in (False, True):
            api(url, streamed)
            print(api.__name__, "streamed" if streamed else "whole", "fine")
    server.stdin.close()
    server.wait()


main()
