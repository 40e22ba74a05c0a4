"""The test model of Pydantic AI calls every tool, with arguments that it makes of the schema alone."""

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ToolReturnPart
from pydantic_ai.models.test import TestModel

from clients_adapters import Server, fast_client

# The model writes "a" for each text that a tool requires, so there is a file of this name and content.
FILE, CONTENT = "a", "a\n"

# The result of each tool; of a text, the end.
EXPECTED = {
    "echo": "a",
    "fs.edit": "`old` and `new` are the same: there is nothing to change",
    "fs.glob": {"paths": ["a"]},
    "fs.list": {"entries": [{"name": "a", "kind": "file", "size": 2}]},
    "fs.read": "     1\ta",
    "fs.remove": "removed `a`",
    "fs.search": "a\n     1:\ta",
    "fs.write": "wrote 1 byte to `a`",
    "shell.run": "[exit status: 127]",
    "text.count": {"lines": 1, "words": 1, "characters": 1, "bytes": 1},
    "text.hash": "17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f",
    "user.ask": "teal",
}


async def person(_message, schema):
    """Allows each call, and answers each question."""
    return "accept", {"decision": "yes"} if "decision" in schema["properties"] else {"answer": "teal"}


async def results(server: Server, mode: str, tools) -> dict:
    """Returns the result of each tool that the model called; of one that failed, the text that the model reads."""
    toolset = MCPToolset(fast_client(server, mode, person), tool_error_behavior="failed")
    agent = Agent(TestModel(call_tools=tools), toolsets=[toolset])
    async with agent:
        run = await agent.run("Call the tools.")
    parts = [part for message in run.all_messages() for part in message.parts]
    return {part.tool_name: part.content for part in parts if isinstance(part, ToolReturnPart)}


def is_expected(name: str, result) -> bool:
    expected = EXPECTED[name]
    return result.endswith(expected) if isinstance(result, str) and isinstance(expected, str) else result == expected
