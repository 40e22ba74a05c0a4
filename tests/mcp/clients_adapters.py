"""The clients of `clients.py` behind one interface.

An adapter is an asynchronous context manager with `version` (of the protocol), `list`, and `call`. The task of a call is
cancelled to cancel the call. Forms go to the function `asks(message, schema)`, which gives an action and a content; without
one, the client says that it has no forms.
"""

import asyncio
import json
import os
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import fastmcp
import httpx2
import mcp_types
from fastmcp.client.elicitation import ElicitResult as FastElicitResult
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


@dataclass
class Server:
    """A server: a command, or an address with a token."""

    command: list[str] = field(default_factory=list)
    url: str = ""
    token: str = ""


@dataclass
class Result:
    is_error: bool
    text: str
    structured: Any


def result_of(content, is_error, structured) -> Result:
    return Result(bool(is_error), "\n".join(part.text for part in content if part.type == "text"), structured)


class Adapter:
    def __init__(self, client, version):
        self.client, self.version = client, version

    async def list(self) -> dict[str, dict]:
        """Returns the tools by name, as they came."""
        tools = await self.client.list_tools()
        tools = getattr(tools, "tools", tools)
        return {tool.name: tool.model_dump(by_alias=True, exclude_none=True) for tool in tools}


class OfficialPython(Adapter):
    """`mcp` of PyPI."""

    async def call(self, name, arguments, on_progress=None) -> Result:
        async def told(progress, total, message):
            if on_progress:
                on_progress(progress, message)

        result = await self.client.call_tool(name, arguments, progress_callback=told)
        return result_of(result.content, result.is_error, result.structured_content)


@asynccontextmanager
async def official_python(server: Server, mode: str, asks):
    async def elicit(_, params):
        action, content = await asks(params.message, params.requested_schema)
        return mcp_types.ElicitResult(action=action, content=content)

    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {server.token}"}, timeout=60)
    if server.url:
        target = streamable_http_client(server.url, http_client=http)
    else:
        target = StdioServerParameters(command=server.command[0], args=server.command[1:])
    async with http, Client(target, mode=mode, elicitation_callback=elicit if asks else None) as client:
        yield OfficialPython(client, client.protocol_version)


class FastMcp(Adapter):
    """`fastmcp` of PyPI."""

    async def call(self, name, arguments, on_progress=None) -> Result:
        async def told(progress, total, message):
            if on_progress:
                on_progress(progress, message)

        result = await self.client.call_tool(name, arguments, progress_handler=told, raise_on_error=False)
        return result_of(result.content, result.is_error, result.structured_content)


def fast_client(server: Server, mode: str, asks) -> fastmcp.Client:
    async def elicit(message, _type, params, _context):
        action, content = await asks(message, params.requested_schema)
        return FastElicitResult(action=action, content=content)

    if server.url:
        transport = StreamableHttpTransport(server.url, auth=server.token)
    else:
        transport = StdioTransport(server.command[0], server.command[1:], keep_alive=False)
    return fastmcp.Client(transport, mode=mode, elicitation_handler=elicit if asks else None)


@asynccontextmanager
async def fast_mcp(server: Server, mode: str, asks):
    async with fast_client(server, mode, asks) as client:
        yield FastMcp(client, client.protocol_version)


class TypeScript:
    """A client of npm, in a process of Node: see `clients-typescript.mjs`."""

    def __init__(self, process, asks):
        self.process, self.asks, self.version = process, asks, ""
        self.waiting: dict[int, asyncio.Future] = {}
        self.on_progress: dict[int, Any] = {}
        self.tasks: set[asyncio.Task] = set()

    async def read(self):
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            if "ask" in message:
                self.spawn(self.answer(message))
            elif "told" in message:
                at = message["at"]
                if told := self.on_progress.get(message["told"]):
                    told(at["progress"], at.get("message"))
            elif (waiting := self.waiting.pop(message.get("result", message.get("failure")), None)) and not waiting.done():
                if "failure" in message:
                    waiting.set_exception(RuntimeError(message["text"]))
                else:
                    waiting.set_result(message["value"])
        for waiting in self.waiting.values():
            waiting.done() or waiting.set_exception(RuntimeError("the client ended"))

    def spawn(self, coroutine):
        task = asyncio.create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def answer(self, message):
        action, content = await self.asks(message["message"], message["schema"])
        reply = {"action": action} if content is None else {"action": action, "content": content}
        await self.tell("answer", ask=message["ask"], reply=reply)

    def send(self, does, **given) -> tuple[int, asyncio.Future]:
        id = TypeScript.last = getattr(TypeScript, "last", 0) + 1
        self.waiting[id] = asyncio.get_running_loop().create_future()
        self.process.stdin.write(json.dumps({"id": id, "does": does, **given}).encode() + b"\n")
        return id, self.waiting[id]

    async def tell(self, does, **given):
        return await self.send(does, **given)[1]

    async def list(self) -> dict[str, dict]:
        return {tool["name"]: tool for tool in (await self.tell("list"))["tools"]}

    async def call(self, name, arguments, on_progress=None) -> Result:
        id, done = self.send("call", name=name, args=arguments)
        if on_progress:
            self.on_progress[id] = on_progress
        try:
            result = await done
        except asyncio.CancelledError:
            await self.tell("cancel", call=id)
            raise
        parts = [part["text"] for part in result["content"] if part["type"] == "text"]
        return Result(bool(result.get("isError")), "\n".join(parts), result.get("structuredContent"))


def type_script(kind: str):
    @asynccontextmanager
    async def open_client(server: Server, mode: str, asks):
        process = await asyncio.create_subprocess_exec(
            "node", "clients-typescript.mjs", kind, mode,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 24, env=os.environ,
        )
        client = TypeScript(process, asks)
        reader = asyncio.create_task(client.read())
        try:
            if server.url:
                target = {"url": server.url, "token": server.token}
            else:
                target = {"command": server.command[0], "args": server.command[1:]}
            client.version = (await client.tell("open", asks=asks is not None, **target))["version"]
            yield client
            await client.tell("close")
        finally:
            process.stdin.close()
            await process.wait()
            await reader
            # Those whose forms nobody answered.
            for task in client.tasks:
                task.cancel()

    return open_client
