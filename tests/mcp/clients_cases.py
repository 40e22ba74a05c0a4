"""The cases of `clients.py`: what each client does with the workbench."""

import asyncio
import json
from pathlib import Path

from clients_adapters import TypeScript

# The files that `fs.search` goes through; it reports after each 64.
FILES = 640
# A bound that is reached by a defect alone.
LIMIT = 60


def check(is_so, *shown):
    if not is_so:
        raise AssertionError(" ".join(str(one) for one in shown))


def as_doubles(value):
    """Returns the value as JavaScript has it, which rounds large integers."""
    return json.loads(json.dumps(value), parse_int=float)


async def until(is_so, what):
    for _ in range(LIMIT * 10):
        if is_so():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"waited in vain: {what}")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Forms:
    """The person at the client: notes the forms, and gives the answers one after another."""

    def __init__(self):
        self.seen, self.answers = [], []

    async def __call__(self, message, schema):
        self.seen.append((message, schema))
        answer = self.answers.pop(0)
        return await answer() if callable(answer) else answer

    async def nobody(self):
        """Gives no answer."""
        await asyncio.Event().wait()

    def will(self, *answers):
        self.seen.clear()
        self.answers[:] = answers


YES = ("accept", {"decision": "yes"})


class Cases:
    """The cases of one client; each has the root for itself."""

    def __init__(self, client, forms, root: Path, bench):
        self.client, self.forms, self.root, self.bench = client, forms, root, bench

    async def list(self):
        tools = await self.client.list()
        check(list(tools) == sorted(self.bench), "other tools, or another order:", list(tools))
        for name, tool in tools.items():
            mine = self.bench[name]
            check(tool["title"] == mine["title"] and tool["description"] == mine["description"], name, tool)
            for schema, own in [("inputSchema", "input_schema"), ("outputSchema", "output_schema")]:
                check(as_doubles(tool.get(schema)) == as_doubles(mine.get(own)), name, tool.get(schema))
        hints = tools["fs.write"]["annotations"]
        check(hints["destructiveHint"] is True and not hints.get("readOnlyHint"), hints)

    async def success(self):
        text = "süße Träume 🦀\n\"\\"
        result = await self.client.call("echo", {"text": text})
        check(not result.is_error and result.text == text, result)

    async def error(self):
        result = await self.client.call("fs.read", {"path": "missing.txt"})
        check(result.is_error and result.text == "`missing.txt` does not exist", result)
        result = await self.client.call("fs.read", {"path": "a.txt", "limit": "many"})
        check(result.is_error and "`/limit`" in result.text and "Valid arguments" in result.text, result)
        try:
            result = await self.client.call("no.such", {})
        except Exception as error:
            check("there is no tool `no.such`" in str(error), repr(error))
        else:
            check(result.is_error and "there is no tool `no.such`" in result.text, result)

    async def structured(self):
        result = await self.client.call("text.count", {"text": "süße Träume\nx"})
        counts = {"lines": 2, "words": 3, "characters": 13, "bytes": 16}
        check(result.structured == counts and json.loads(result.text) == counts, result)
        (self.root / "a.txt").write_text("four")
        result = await self.client.call("fs.list", {})
        check({"name": "a.txt", "kind": "file", "size": 4} in result.structured["entries"], result)

    async def progress(self):
        (self.root / "0.txt").write_text("needle\n" + "hay\n" * 25_000)
        for number in range(1, FILES):
            (self.root / f"{number}.txt").hardlink_to(self.root / "0.txt")
        told = []
        result = await self.client.call("fs.search", {"pattern": "needle", "limit": 2000}, lambda at, text: told.append((at, text)))
        check(not result.is_error and result.text.count("needle") >= FILES, result)
        sent = [(number, f"{64 * number} files") for number in range(1, FILES // 64 + 1)]
        # The TypeScript clients lose reports that come together with the result:
        # https://github.com/modelcontextprotocol/typescript-sdk/issues/2580, read 2026-11-24.
        is_lossy = isinstance(self.client, TypeScript)
        check(told == sent or is_lossy and told and told == sent[: len(told)], told)

    async def cancel(self):
        """A call that runs is cancelled: its process ends, nothing comes after it, and the server serves on."""
        self.forms.will(YES)
        line = "echo $$ > pid.tmp; mv pid.tmp pid; sleep 300; touch late"
        call = asyncio.create_task(self.client.call("shell.run", {"command": line}))
        pid = self.root / "pid"
        await until(lambda: pid.exists() or call.done(), "the line did not start")
        check(not call.done(), call)
        number = int(pid.read_text())
        check(is_running(number), "the line ended early")
        call.cancel()
        await asyncio.wait([call])
        check(call.cancelled() or call.exception(), call)
        await until(lambda: not is_running(number), f"the process {number} of the cancelled call runs on")
        check(not (self.root / "late").exists(), "the line went on")
        await self.success()

    async def leave(self):
        """A call that waits for a form is cancelled: it does not run, and the next one is asked about for itself."""
        self.forms.will(self.forms.nobody)
        call = asyncio.create_task(self.client.call("fs.write", {"path": "left.txt", "content": "left"}))
        await until(lambda: self.forms.seen or call.done(), "no form came")
        check(not call.done(), call)
        call.cancel()
        await asyncio.wait([call])
        check(call.cancelled() or call.exception(), call)
        await self.yes()
        check(not (self.root / "left.txt").exists(), "a cancelled call ran")

    async def yes(self):
        self.forms.will(YES)
        result = await self.client.call("fs.write", {"path": "new.txt", "content": "hello"})
        check(not result.is_error and (self.root / "new.txt").read_text() == "hello", result)
        check(len(self.forms.seen) == 1, "one form was expected, not:", self.forms.seen)
        [(message, schema)] = self.forms.seen
        for shown in ["`fs.write` (Write file) asks for your approval", "new.txt", "| +hello"]:
            check(shown in message, f"{shown!r} is not in the form:", message)
        choices = [choice["const"] for choice in schema["properties"]["decision"]["oneOf"]]
        check(choices[0] == "yes" and choices[-1] == "no" and schema["required"] == ["decision"], schema)

    async def no(self):
        call = {"path": "new.txt", "content": "hello"}
        self.forms.will(("accept", {"decision": "no", "reason": "not on a Friday"}))
        result = await self.client.call("fs.write", call)
        check(result.is_error and "not on a Friday" in result.text, result)
        for action in ["decline", "cancel"]:
            self.forms.will((action, None))
            result = await self.client.call("fs.write", call)
            check(result.is_error and len(self.forms.seen) == 1, action, result)
        check(not (self.root / "new.txt").exists(), "it ran in spite of a no")

    async def misfit(self):
        """An answer that does not fit is no yes; the person is asked again, and told what was wrong."""
        self.forms.will(("accept", {"reason": "sure"}), YES)
        try:
            result = await self.client.call("fs.write", {"path": "new.txt", "content": "hello"})
        except Exception as error:
            # A client that validates the answer does not send it.
            check("decision" in str(error) or "schema" in str(error), repr(error))
            check(not (self.root / "new.txt").exists(), "it ran without a yes")
            return
        check(not result.is_error and len(self.forms.seen) == 2, result, self.forms.seen)
        check("The answer did not fit" in self.forms.seen[1][0], self.forms.seen[1][0])

    async def always(self):
        """After a yes for all files nobody is asked for the next one."""
        self.forms.will(("accept", {"decision": "always_2"}))
        for name in ["one.txt", "two.txt"]:
            result = await self.client.call("fs.write", {"path": name, "content": "hello"})
            check(not result.is_error and (self.root / name).exists(), result)
        check(len(self.forms.seen) == 1, "one form was expected, not:", self.forms.seen)
        option = self.forms.seen[0][1]["properties"]["decision"]["oneOf"][2]["title"]
        check(option == f"Yes, and for the rest of this session: write anything below {self.root.resolve()}", option)

    async def question(self):
        self.forms.will(("accept", {"answer": "teal"}))
        result = await self.client.call("user.ask", {"question": "Which colour?"})
        check(not result.is_error and result.text == "teal", result, self.forms.seen)
        check("Which colour?" in self.forms.seen[0][0], self.forms.seen[0][0])
