"""`workbench serve` under the clients of others: over stdio and over HTTP with a token, in both eras of the protocol.

Each client lists, calls, fails, reads structure, gets progress, cancels, and answers forms with yes and with no. Then the
test model of Pydantic AI calls every tool. A line of the table is a client on a transport; a failure stands below it.
"""
# PyPI: mcp==2.3.0 fastmcp==4.1.2 pydantic-ai-slim[mcp]==2.68.0
# npm: @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
# cargo: workbench

import asyncio
import json
import os
import re
import shutil
import sys
import traceback
from contextlib import asynccontextmanager
from pathlib import Path

sys.dont_write_bytecode = True
import clients_test_model as test_model  # noqa: E402
from clients_adapters import Server, fast_mcp, official_python, type_script  # noqa: E402
from clients_cases import LIMIT, Cases, Forms, check  # noqa: E402

WORKBENCH = str(Path(os.environ["BIN"]) / "workbench")
TOKEN = "the-token-of-the-clients"
OLD, NEW = "2025-11-25", "2026-07-28"

COLUMNS = [
    *["list", "success", "error", "structured", "progress", "cancel", "leave"],
    *["yes", "no", "misfit", "question", "always", "no-forms", "token"],
]
CLIENTS = [
    ("Python mcp", official_python, [("legacy", OLD), ("auto", NEW)]),
    ("fastmcp", fast_mcp, [("legacy", OLD), ("auto", NEW)]),
    ("TypeScript sdk", type_script("sdk"), [("legacy", OLD)]),
    ("TypeScript client", type_script("client"), [("legacy", OLD), ("auto", NEW)]),
]


def applies(case: str, over: str, version: str) -> bool:
    # A request over HTTP without a session is a session for itself, so an answer holds for it alone.
    is_there = {"always": over == "stdio" or version == OLD, "token": over == "http"}
    return is_there.get(case, True)


@asynccontextmanager
async def served(root: Path, over: str):
    """A server of the root: one that the client starts, or one that listens."""
    command = [WORKBENCH, "--root", str(root), "serve"]
    if over == "stdio":
        yield Server(command=command)
        return
    process = await asyncio.create_subprocess_exec(
        *command, "--http", "127.0.0.1:0",
        stderr=asyncio.subprocess.PIPE, env={**os.environ, "WORKBENCH_TOKEN": TOKEN},
    )
    try:
        line = (await asyncio.wait_for(process.stderr.readline(), LIMIT)).decode()
        found = re.search(r"http://\S+/mcp", line)
        check(found, "the server did not start:", line)
        yield Server(url=found[0], token=TOKEN)
    finally:
        process.terminate()
        check(await asyncio.wait_for(process.wait(), LIMIT) == 143, "the exit code of the server:", process.returncode)


def empty(root: Path):
    """Empties the root. A server holds it open, so it stays."""
    root.mkdir(parents=True, exist_ok=True)
    for entry in root.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


async def without_forms(open_client, server, mode, root):
    """A client that has no forms gets an error that says so, and nothing runs."""
    async with open_client(server, mode, None) as client:
        try:
            result = await client.call("fs.write", {"path": "new.txt", "content": "hello"})
        except Exception as error:
            check("elicitation" in str(error).lower() or "capabilit" in str(error).lower(), repr(error))
        else:
            check(result.is_error and "does not have the capability `elicitation`" in result.text, result)
    check(not (root / "new.txt").exists(), "it ran without approval")


async def without_token(open_client, server, mode):
    """A client with another token is refused."""
    try:
        async with open_client(Server(url=server.url, token="another"), mode, None) as client:
            tools = await client.list()
    except Exception as error:
        # The Python clients hide the text of the server.
        texts = ["the bearer token is not valid", "Server returned an error response", "Unauthorized", "401"]
        check(any(text in repr(error) for text in texts), repr(error))
    else:
        raise AssertionError(f"it was served: {tools}")


async def run_client(open_client, mode, version, over, bench, root) -> dict[str, str]:
    """Runs the cases on one connection, and returns what is wrong with each."""
    problems = {}

    async def attempt(name, case):
        empty(root)
        try:
            async with asyncio.timeout(LIMIT):
                await case()
        except TimeoutError:
            problems[name] = f"not done after {LIMIT} s"
        except Exception as error:
            while isinstance(error, ExceptionGroup):
                error = error.exceptions[0]
            problems[name] = "".join(traceback.format_exception_only(error)).strip()

    empty(root)
    async with served(root, over) as server:
        forms = Forms()
        async with open_client(server, mode, forms) as client:
            check(client.version == version, f"the version is {client.version}, not {version}")
            cases = Cases(client, forms, root, bench)
            for name in COLUMNS[:-2]:
                if applies(name, over, version):
                    await attempt(name, getattr(cases, name))
        await attempt("no-forms", lambda: without_forms(open_client, server, mode, root))
        if applies("token", over, version):
            await attempt("token", lambda: without_token(open_client, server, mode))
    return problems


async def run_clients(bench) -> list[str]:
    failures = []
    print(f"{'client':18} {'over':6} {'protocol':11}" + "".join(f" {column:>10}" for column in COLUMNS))
    for name, open_client, modes in CLIENTS:
        for over in ["stdio", "http"]:
            for mode, version in modes:
                where = f"{name:18} {over:6} {version:11}"
                try:
                    problems = await run_client(open_client, mode, version, over, bench, Path.cwd() / "root")
                except Exception as error:
                    traceback.print_exception(error)
                    problems = dict.fromkeys(COLUMNS, f"{error!r}")
                words = ("FAIL" if case in problems else "ok" if applies(case, over, version) else "-" for case in COLUMNS)
                print(where + "".join(f"{word:>11}" for word in words), flush=True)
                failures += [f"{where} {column}: {problem}" for column, problem in problems.items()]
    return failures


async def run_test_model(bench) -> list[str]:
    """The test model calls all tools side by side, and then one after another, each with a file to work on."""
    failures, root = [], Path.cwd() / "root"
    check(sorted(bench) == sorted(test_model.EXPECTED), "the results of other tools are expected")

    def prepare():
        empty(root)
        (root / test_model.FILE).write_text(test_model.CONTENT)

    for over in ["stdio", "http"]:
        for mode, version in [("legacy", OLD), ("auto", NEW)]:
            where, before = f"{'Pydantic AI':18} {over:6} {version:11}", len(failures)
            try:
                prepare()
                async with served(root, over) as server, asyncio.timeout(LIMIT):
                    called = sorted(await test_model.results(server, mode, "all"))
                    check(called == sorted(bench), "called side by side:", called)
                    for name in bench:
                        prepare()
                        result = (await test_model.results(server, mode, [name]))[name]
                        if not test_model.is_expected(name, result):
                            failures.append(f"{where} {name}: {result!r}")
            except Exception as error:
                failures.append(f"{where} {error!r}")
            print(f"{where} {len(bench)} tools, {len(failures) - before} failures", flush=True)
    return failures


async def main():
    listed = await asyncio.create_subprocess_exec(WORKBENCH, "list", "--json", stdout=asyncio.subprocess.PIPE)
    bench = {tool["name"]: tool for tool in json.loads((await listed.communicate())[0])}
    failures = await run_clients(bench) + await run_test_model(bench)
    for failure in failures:
        print(f"\n{failure}")
    sys.exit(1 if failures else 0)


asyncio.run(main())
