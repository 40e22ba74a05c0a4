"""Lets the vendors' own clients talk to a server that plays the model from the files of `tests/wire`.

    pip install openai anthropic google-genai
    python tests/vendors/clients.py

Each client sends the conversation that this crate wrote (`conversation.golden.json`), and the server must get it member
for member. Each client reads every response and every stream; the text and the calls that it found are written to
`clients.golden.json`, which `tests/clients.rs` compares with what this crate finds.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import anthropic
import openai
from google import genai
from google.genai import types

HERE = Path(__file__).parent
WIRE = HERE.parent / "wire"
# The server of this file leaves the items out of its last event, as no server of the vendor does.
NOT_THE_VENDORS = {"openai-responses/items-apart"}


class Model(BaseHTTPRequestHandler):
    """Plays the model: the name of the model is the name of a file."""

    requests = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        path, _, _ = self.path.partition("?")
        if ":" in path:
            folder, (name, action) = "gemini", path.rsplit("/", 1)[1].split(":")
            is_stream = action == "streamGenerateContent"
        else:
            folders = {"completions": "openai-chat", "responses": "openai-responses", "messages": "anthropic"}
            folder, name = folders[path.rsplit("/", 1)[1]], body["model"]
            is_stream = body.get("stream", False)
        self.requests.append(body)
        data = (WIRE / folder / name).with_suffix(".sse" if is_stream else ".json").read_bytes()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if is_stream else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        for at in range(0, len(data), 61):
            self.wfile.write(data[at : at + 61])
            self.wfile.flush()

    def log_message(self, *_):
        pass


def camel(value):
    """Names as the API writes them: the client of Gemini writes some with `_`, which the API reads too."""
    if isinstance(value, dict):
        name = lambda text: "".join(part if at == 0 else part.capitalize() for at, part in enumerate(text.split("_")))
        return {name(key): camel(item) for key, item in value.items()}
    return [camel(item) for item in value] if isinstance(value, list) else value


def call(identity, name, arguments):
    """A call with its arguments as a value; `None` for text that is no JSON."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except ValueError:
            arguments = None
    return {"id": identity, "name": name, "arguments": arguments or {}}


def of_chat(completion):
    message = completion.choices[0].message
    calls = [call(c.id, c.function.name, c.function.arguments) for c in message.tool_calls or []]
    return {"text": (message.content or "") + (message.refusal or ""), "calls": calls}


def of_response(response):
    parts = [part for item in response.output if item.type == "message" for part in item.content]
    text = "".join(part.text if part.type == "output_text" else part.refusal for part in parts)
    found = [item for item in response.output if item.type == "function_call"]
    return {"text": text, "calls": [call(c.call_id, c.name, c.arguments) for c in found]}


def of_message(message):
    text = "".join(block.text for block in message.content if block.type == "text")
    found = [block for block in message.content if block.type == "tool_use"]
    return {"text": text, "calls": [call(c.id, c.name, c.input) for c in found]}


def of_chunks(chunks):
    parts = [part for chunk in chunks for part in chunk.parts or []]
    text = "".join(part.text for part in parts if part.text and not part.thought)
    found = [part.function_call for part in parts if part.function_call]
    return {"text": text, "calls": [call(c.id, c.name, c.args or {}) for c in found]}


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    chat = openai.OpenAI(api_key="none", base_url=url, max_retries=0)
    claude = anthropic.Anthropic(api_key="none", base_url=url, max_retries=0)
    gemini = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url))

    def conversation(folder):
        return json.loads((WIRE / folder / "conversation.golden.json").read_text())

    def sent(folder, send):
        body = conversation(folder)
        send(body)
        got, body = Model.requests[-1], conversation(folder)
        for member in body:
            if member != "model":
                assert camel(got[member]) == camel(body[member]), (folder, member, got[member], body[member])

    sent("openai-chat", lambda body: chat.chat.completions.create(**body | {"model": "text"}))
    sent("openai-responses", lambda body: chat.responses.create(**body | {"model": "text"}))
    sent("anthropic", lambda body: claude.messages.create(**body | {"model": "text"}))
    sent(
        "gemini",
        lambda body: gemini.models.generate_content(
            model="text",
            contents=[types.Content.model_validate(content) for content in body["contents"]],
            config=types.GenerateContentConfig(tools=[types.Tool.model_validate(tool) for tool in body["tools"]]),
        ),
    )

    def read_chat(name):
        messages = [{"role": "user", "content": "x"}]
        with chat.chat.completions.stream(model=name, messages=messages) as stream:
            try:
                completion = stream.get_final_completion()
            except openai.LengthFinishReasonError as error:
                completion = error.completion
        streamed = of_chat(completion)
        return streamed, of_chat(chat.chat.completions.create(model=name, messages=messages))

    def read_responses(name):
        with chat.responses.stream(model=name, input="x") as stream:
            events = list(stream)
        streamed = of_response(events[-1].response)
        return streamed, of_response(chat.responses.create(model=name, input="x"))

    def read_anthropic(name):
        request = {"model": name, "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]}
        with claude.messages.stream(**request) as stream:
            streamed = of_message(stream.get_final_message())
        return streamed, of_message(claude.messages.create(**request))

    def read_gemini(name):
        streamed = of_chunks(list(gemini.models.generate_content_stream(model=name, contents="x")))
        return streamed, of_chunks([gemini.models.generate_content(model=name, contents="x")])

    readers = {
        "anthropic": read_anthropic,
        "gemini": read_gemini,
        "openai-chat": read_chat,
        "openai-responses": read_responses,
    }
    found = {}
    for folder, read in readers.items():
        for path in sorted((WIRE / folder).glob("*.sse")):
            name = f"{folder}/{path.stem}"
            if name not in NOT_THE_VENDORS:
                found[name], plain = read(path.stem)
                # The plain form of a call that is cut off has no arguments.
                if path.stem != "max-tokens":
                    assert found[name] == plain, (name, found[name], plain)
    golden = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    (HERE / "clients.golden.json").write_text(golden)
    print(f"4 conversations were sent, {len(found)} responses and streams were read")
    return 0


if __name__ == "__main__":
    sys.exit(main())
