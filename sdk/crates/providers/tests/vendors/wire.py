"""Judges the fixtures of `tests/wire` by the vendors' own types.

    pip install openai anthropic google-genai
    python tests/vendors/wire.py

Responses and events must be read by the types of the vendors' Python packages, and the requests of
`conversation.golden.json`, which this crate wrote, by the types of their parameters, with no member that these do not
have. Compatible servers have no types of their own: their files are judged by those of Chat Completions where they
follow them. Fails at the first file that is refused.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import List

from anthropic.types import Message, RawMessageStreamEvent
from anthropic.types.message_param import MessageParam
from anthropic.types.tool_param import ToolParam
from google.genai.types import Content, GenerateContentResponse, Tool
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessageParam, ChatCompletionToolParam
from openai.types.responses import FunctionToolParam, Response, ResponseInputItemParam, ResponseStreamEvent
from pydantic import ConfigDict, TypeAdapter

WIRE = Path(__file__).parent.parent / "wire"
STRICT = ConfigDict(extra="forbid")


def events(text):
    """The data of the events of a stream, `[DONE]` aside."""
    data = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(item) for item in data if item != "[DONE]"]


def exhaust(value):
    """Walks a value, since pydantic reads an `Iterable` when it is walked."""
    if isinstance(value, dict):
        for item in value.values():
            exhaust(item)
    elif hasattr(value, "__iter__") and not isinstance(value, (str, bytes)):
        for item in value:
            exhaust(item)


def strictly(kind, items):
    """Reads the items of a list by a type, without members that are not known."""
    # Kept until the walk has ended, since the walk reads by it.
    adapter = TypeAdapter(List[kind], config=STRICT)
    exhaust(adapter.validate_python(items))


def known_members(model, written):
    """Every member of a message of Gemini is one that the type has: what it does not know, it leaves out."""
    back = json.loads(model.model_validate(written).model_dump_json(by_alias=True, exclude_none=True))
    assert same(back, written), (back, written)


def same(back, written):
    if isinstance(written, dict) and isinstance(back, dict):
        return set(back) == set(written) and all(same(back[name], written[name]) for name in written)
    if isinstance(written, list) and isinstance(back, list):
        return len(back) == len(written) and all(map(same, back, written))
    # Bytes are written in the alphabet of base64 for addresses.
    plain = lambda value: value.replace("-", "+").replace("_", "/") if isinstance(value, str) else value
    return plain(back) == plain(written)


def judge(folder, path):
    name, text = path.name, path.read_text()
    if name == "conversation.golden.json":
        body = json.loads(text)
        match folder:
            case "openai-chat" | "compatible":
                # `annotations` stands in the answers that the API takes back, and in no type of a parameter.
                for message in body["messages"]:
                    message.pop("annotations", None)
                strictly(ChatCompletionMessageParam, body["messages"])
                strictly(ChatCompletionToolParam, body["tools"])
            case "openai-responses":
                # The type of the reasoning of a request asks for less than the answer has; the rest is checked.
                strictly(ResponseInputItemParam, body["input"])
                strictly(FunctionToolParam, body["tools"])
            case "anthropic":
                strictly(MessageParam, body["messages"])
                strictly(ToolParam, body["tools"])
            case "gemini":
                for content in body["contents"]:
                    known_members(Content, content)
                for tool in body["tools"]:
                    Tool.model_validate(tool)
    elif path.suffix == ".sse":
        for event in events(text):
            match folder:
                case "openai-chat":
                    TypeAdapter(ChatCompletionChunk).validate_python(event)
                case "openai-responses":
                    read = TypeAdapter(ResponseStreamEvent).validate_python(event)
                    assert read.type == event["type"], (read, event)
                case "anthropic" if event["type"] != "ping":
                    read = TypeAdapter(RawMessageStreamEvent).validate_python(event)
                    assert read.type == event["type"], (read, event)
                case "gemini":
                    GenerateContentResponse.model_validate(event)
    elif path.suffix == ".json":
        body = json.loads(text)
        match folder:
            case "openai-chat":
                ChatCompletion.model_validate(body)
            case "openai-responses":
                Response.model_validate(body)
            case "anthropic":
                Message.model_validate(body)
            case "gemini":
                GenerateContentResponse.model_validate(body)


def main():
    count = 0
    for folder in sorted(path for path in WIRE.iterdir() if path.is_dir()):
        for path in sorted(folder.iterdir()):
            try:
                judge(folder.name, path)
            except Exception as error:
                print(f"{folder.name}/{path.name}: {error}")
                return 1
            count += 1
    versions = ", ".join(f"{name} {version(name)}" for name in ["openai", "anthropic", "google-genai"])
    print(f"{count} files are right by {versions}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
