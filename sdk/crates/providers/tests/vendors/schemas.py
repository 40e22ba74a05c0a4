"""Gives each schema in `schemas.golden.json` to the vendors' own converters and writes their verdicts beside it.

    cargo test -p toolwright-providers --lib write_the_forms -- --ignored
    python tests/vendors/schemas.py

The first command writes the forms, the second adds the verdicts: `unchanged` if a converter gives back the schema that it
got, with the properties of each object in the same order, and else the first difference. `README.md` has the versions.
"""

import copy
import json
import pathlib
import sys
import warnings
from importlib.metadata import version

import agents.strict_schema
import anthropic
import jsonschema
import openai.lib._pydantic
from google.genai import _transformers, types
from pydantic_ai.profiles.google import GoogleOpenAPISchemaTransformer
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer
from pydantic_ai.providers.anthropic import AnthropicJsonSchemaTransformer
from pydantic_ai.providers.openai import OpenAIProvider

warnings.simplefilter("ignore")
FILE = pathlib.Path(__file__).with_name("schemas.golden.json")


def openai_sdk(schema):
    return openai.lib._pydantic._ensure_strict_json_schema(schema, path=(), root=schema)


def openai_agents(schema):
    return agents.strict_schema.ensure_strict_json_schema(schema, _reject_open_objects=False)


def pydantic_openai(schema):
    transformer = OpenAIProvider.model_profile("gpt-5")["json_schema_transformer"]
    assert issubclass(transformer, OpenAIJsonSchemaTransformer)
    automatic = transformer(copy.deepcopy(schema), strict=None)
    automatic.walk()
    if not automatic.is_strict_compatible:
        return "not strict"
    return transformer(schema, strict=True).walk()


def anthropic_sdk(schema):
    return anthropic.transform_schema(schema)


def pydantic_anthropic(schema):
    return AnthropicJsonSchemaTransformer(schema, strict=True).walk()


def dumped(schema):
    return schema.model_dump(mode="json", by_alias=True, exclude_unset=True)


def google_declaration(schema):
    declaration = types.FunctionDeclaration.model_validate({"name": "x", "parameters": schema})
    return dumped(declaration.parameters)


def google_process(schema):
    client = type("Client", (), {"vertexai": False})()
    _transformers.process_schema(schema, client)
    return schema


def google_t_schema(schema):
    return dumped(_transformers.t_schema(None, schema))


def lowered(schema):
    if isinstance(schema, dict):
        return {k: v.lower() if k == "type" and isinstance(v, str) else lowered(v) for k, v in schema.items()}
    return [lowered(item) for item in schema] if isinstance(schema, list) else schema


def google_from_json_schema(schema):
    """Google's converter reads JSON Schema; `propertyOrdering` and `nullable` are no part of it."""
    written = dumped(types.Schema.from_json_schema(json_schema=types.JSONSchema.model_validate(json_schema_of(schema))))
    return with_order(written)


def json_schema_of(schema):
    node = {}
    for keyword, value in schema.items():
        if keyword == "properties":
            node[keyword] = {name: json_schema_of(part) for name, part in value.items()}
        elif keyword == "items":
            node[keyword] = json_schema_of(value)
        elif keyword == "anyOf":
            node[keyword] = [json_schema_of(part) for part in value]
        elif keyword == "type":
            node[keyword] = value.lower()
        elif keyword not in ("propertyOrdering", "nullable"):
            node[keyword] = value
    if schema.get("nullable"):
        if "anyOf" in node:
            node["anyOf"] = node["anyOf"] + [{"type": "null"}]
        else:
            node["type"] = [node["type"], "null"]
    return node


def with_order(schema):
    """The parts that the converter leaves out: the order of properties, and `nullable` for a union with a null."""
    if "anyOf" in schema:
        kept = [part for part in schema["anyOf"] if part != {"nullable": True}]
        if len(kept) < len(schema["anyOf"]):
            schema["nullable"] = True
        schema["anyOf"] = [with_order(part) for part in kept]
    if "items" in schema:
        schema["items"] = with_order(schema["items"])
    if "properties" in schema:
        schema["properties"] = {name: with_order(part) for name, part in schema["properties"].items()}
        if len(schema["properties"]) > 1:
            schema["propertyOrdering"] = list(schema["properties"])
    return schema


def pydantic_google(schema):
    before = lowered(schema)
    after = GoogleOpenAPISchemaTransformer(copy.deepcopy(before)).walk()
    return schema if difference(before, after) is None else after


def json_schema(schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def google_json_schema(schema):
    declaration = types.FunctionDeclaration.model_validate({"name": "x", "parametersJsonSchema": schema})
    return dumped(declaration)["parametersJsonSchema"]


JUDGES = {
    "openai": {"openai": openai_sdk, "openai-agents": openai_agents, "pydantic-ai": pydantic_openai},
    "anthropic": {"anthropic": anthropic_sdk, "pydantic-ai": pydantic_anthropic},
    "gemini": {
        "google-genai FunctionDeclaration": google_declaration,
        "google-genai process_schema": google_process,
        "google-genai t_schema": google_t_schema,
        "google-genai from_json_schema": google_from_json_schema,
        "pydantic-ai": pydantic_google,
    },
    "openai-general": {"jsonschema": json_schema},
    "anthropic-general": {"jsonschema": json_schema},
    "gemini-general": {"jsonschema": json_schema, "google-genai FunctionDeclaration": google_json_schema},
    "compatible-general": {"jsonschema": json_schema},
}


def difference(before, after, at=""):
    """The first place where two schemas differ. Of an object the order counts where it is one of properties."""
    if isinstance(before, dict) and isinstance(after, dict):
        if at.endswith("/properties") and list(before) != list(after):
            return f"{at}: {list(before)} became {list(after)}"
        for key in [*before, *after]:
            if key not in before:
                return f"{at}: `{key}` was added"
            if key not in after:
                return f"{at}: `{key}` was removed"
            if (found := difference(before[key], after[key], f"{at}/{key}")) is not None:
                return found
        return None
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after)):
            if (found := difference(one, other, f"{at}/{place}")) is not None:
                return found
        return None
    same = before == after and isinstance(before, bool) == isinstance(after, bool)
    return None if same else f"{at}: {before!r} became {after!r}"


def verdict(judge, schema):
    try:
        after = judge(copy.deepcopy(schema))
    except Exception as problem:
        return f"refused: {type(problem).__name__}: {problem}"
    return difference(schema, after) or "unchanged"


def main():
    forms = json.loads(FILE.read_text(encoding="utf-8"))
    counts = {form: {"unchanged": 0, "refused": 0, "changed": 0} for form in JUDGES}
    for name, entry in forms.items():
        form = name.split(" ", 1)[0]
        if "schema" not in entry:
            counts[form]["refused"] += 1
            continue
        entry["verdicts"] = {judge: verdict(run, entry["schema"]) for judge, run in JUDGES[form].items()}
        changed = {judge: text for judge, text in entry["verdicts"].items() if text != "unchanged"}
        counts[form]["changed" if changed else "unchanged"] += 1
        for judge, text in changed.items():
            print(f"{name}: {judge}: {text}", file=sys.stderr)
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    lines = ",\n".join(f"{json.dumps(name, **compact)}:{json.dumps(entry, **compact)}" for name, entry in forms.items())
    FILE.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    for package in ("openai", "openai-agents", "anthropic", "google-genai", "pydantic-ai-slim", "jsonschema"):
        print(package, version(package))
    for form, count in counts.items():
        print(f"| {form} | {count['unchanged']} | {count['refused']} | {count['changed']} |")


main()
