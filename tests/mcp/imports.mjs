// Eight servers that others have written, imported by the workbench and served again: every tool with equal schemas (RFC 8785),
// and calls with equal results.
//
// npm: @modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-filesystem@2026.8.31
// npm: @modelcontextprotocol/server-memory@2026.8.31 @modelcontextprotocol/server-sequential-thinking@2026.8.31
// PyPI: mcp-server-git==2026.10.19 mcp-server-time==2026.10.19 mcp-server-fetch==2026.10.24
// PyPI, apart: mcp-server-sqlite==2025.4.25 mcp==1.29.1 (it does not start with the `mcp` of the others)
// cargo: workbench

import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import readline from "node:readline";

// A Python of its own for the server that needs an older `mcp`.
const apart = path.resolve("venv-sqlite/bin");
if (!fs.existsSync(path.join(apart, "mcp-server-sqlite"))) {
  execFileSync(process.env.PYTHON, ["-m", "venv", "venv-sqlite"]);
  const packages = ["mcp-server-sqlite==2025.4.25", "mcp==1.29.1"];
  execFileSync(path.join(apart, "python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]);
}

const workbench = path.join(process.env.BIN, "workbench");
const WAIT = 60_000;

// A client of 2025-11-25 on the pipes of a child process, with nothing between the test and the messages.
class Client {
  #child;
  #waiting = new Map();
  #last = 0;
  log = "";

  constructor(command, env = {}) {
    this.#child = spawn(command[0], command.slice(1), { env: { ...process.env, ...env } });
    this.#child.stderr.on("data", (data) => (this.log += data));
    this.#child.stdin.on("error", () => {});
    readline.createInterface({ input: this.#child.stdout }).on("line", (line) => this.#read(line));
    this.#child.on("close", () => {
      for (const { no } of this.#waiting.values()) no(new Error(`the server has ended: ${this.log}`));
    });
    this.#child.on("error", (error) => (this.log += error));
  }

  #read(line) {
    const message = JSON.parse(line);
    if (message.method !== undefined) {
      if (message.id !== undefined) this.#write({ id: message.id, error: { code: -32601, message: "not here" } });
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.no(new Error(JSON.stringify(message.error)));
    else waiting?.yes(message.result);
  }

  #write(message) {
    this.#child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  request(method, params) {
    const id = ++this.#last;
    return new Promise((yes, no) => {
      const timer = setTimeout(() => no(new Error(`no answer to ${method}: ${this.log}`)), WAIT);
      const done = (end) => (value) => (clearTimeout(timer), end(value));
      this.#waiting.set(id, { yes: done(yes), no: done(no) });
      this.#write({ id, method, params });
    });
  }

  async start() {
    const clientInfo = { name: "imports", version: "1" };
    // As the workbench has them: some servers have more tools for a client with forms.
    const capabilities = { elicitation: { form: {} } };
    await this.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
    this.#write({ method: "notifications/initialized" });
    return this;
  }

  async tools() {
    const all = [];
    let cursor;
    do {
      const page = await this.request("tools/list", cursor === undefined ? {} : { cursor });
      all.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return all;
  }

  call(name, args) {
    return this.request("tools/call", { name, arguments: args });
  }

  async end() {
    const ended = new Promise((yes) => this.#child.once("close", yes));
    this.#child.stdin.end();
    setTimeout(() => this.#child.kill("SIGKILL"), 10_000).unref();
    await ended;
  }
}

// The text of a value by RFC 8785, whose numbers and texts are those of JSON.stringify.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

const page = await new Promise((yes) => {
  const server = http.createServer((request, response) => {
    response.writeHead(request.url === "/robots.txt" ? 404 : 200, { "content-type": "text/plain" });
    response.end("The page is here.");
  });
  server.listen(0, "127.0.0.1", () => (server.unref(), yes(`http://127.0.0.1:${server.address().port}/`)));
});

// A fresh folder for each side, so that both find the same.
function scratch(name, side) {
  const folder = path.resolve("scratch", name, side);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}

const repository = (folder) => {
  const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args]);
  git("init", "-q", "-b", "main");
  fs.writeFileSync(path.join(folder, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first", "--date", "2026-01-01T00:00:00Z");
  fs.writeFileSync(path.join(folder, "a.txt"), "two\n");
};

// Each server with its command and its calls: the name of a tool and the arguments. With `fails` the call is one that ends with `isError`
// at the server itself; with `refused` it is one that the schema forbids, so that the import never sends it.
const servers = {
  everything: {
    command: () => ["mcp-server-everything"],
    calls: () => [
      ["echo", { message: "hi" }],
      ["get-sum", { a: 2, b: 3 }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-tiny-image", {}],
      ["get-resource-links", { count: 2 }],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["get-sum", { a: "two", b: 3 }, "refused"],
    ],
  },
  filesystem: {
    command: (folder) => ["mcp-server-filesystem", folder],
    calls: (folder) => [
      ["write_file", { path: `${folder}/a.txt`, content: "one\ntwo\n" }],
      ["read_text_file", { path: `${folder}/a.txt`, head: 1 }],
      ["edit_file", { path: `${folder}/a.txt`, edits: [{ oldText: "one", newText: "1" }] }],
      ["list_directory", { path: folder }],
      ["directory_tree", { path: folder }],
      ["read_text_file", { path: "/etc/passwd" }, "fails"],
      ["read_text_file", {}, "refused"],
    ],
  },
  memory: {
    command: () => ["mcp-server-memory"],
    env: (folder) => ({ MEMORY_FILE_PATH: `${folder}/memory.jsonl` }),
    calls: () => [
      ["create_entities", { entities: [{ name: "ada", entityType: "person", observations: ["counts"] }] }],
      ["add_observations", { observations: [{ entityName: "ada", contents: ["writes"] }] }],
      ["search_nodes", { query: "ada" }],
      ["read_graph", {}],
      ["add_observations", { observations: [{ entityName: "nobody", contents: ["x"] }] }, "fails"],
    ],
  },
  thinking: {
    command: () => ["mcp-server-sequential-thinking"],
    calls: () => [["sequentialthinking", { thought: "a", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }]],
  },
  git: {
    command: (folder) => ["mcp-server-git", "--repository", folder],
    prepare: repository,
    calls: (folder) => [
      ["git_status", { repo_path: folder }],
      ["git_diff_unstaged", { repo_path: folder }],
      ["git_add", { repo_path: folder, files: ["a.txt"] }],
      ["git_diff_staged", { repo_path: folder }],
      ["git_branch", { repo_path: folder, branch_type: "local" }],
      ["git_show", { repo_path: folder, revision: "nothing" }, "fails"],
    ],
  },
  time: {
    command: () => ["mcp-server-time", "--local-timezone", "UTC"],
    calls: () => [
      ["convert_time", { source_timezone: "UTC", time: "12:00", target_timezone: "Asia/Tokyo" }],
      ["convert_time", { source_timezone: "Nowhere", time: "12:00", target_timezone: "UTC" }, "fails"],
    ],
  },
  fetch: {
    command: () => ["mcp-server-fetch", "--ignore-robots-txt", "--allow-private-ips"],
    calls: () => [
      ["fetch", { url: page, raw: true }],
      ["fetch", { url: page, max_length: 3 }],
    ],
  },
  sqlite: {
    command: (folder) => [path.join(apart, "mcp-server-sqlite"), "--db-path", `${folder}/a.db`],
    calls: () => [
      ["create_table", { query: "CREATE TABLE a (n INTEGER)" }],
      ["write_query", { query: "INSERT INTO a VALUES (1), (2)" }],
      ["read_query", { query: "SELECT n FROM a ORDER BY n" }],
      ["list_tables", {}],
    ],
  },
};

// The folders differ in their names alone.
const neutral = (value, folder) => canonical(value).replaceAll(JSON.stringify(folder).slice(1, -1), "FOLDER");

// The parts of a result that are kept: texts, data and addresses, without annotations and the descriptions of links. The text of a
// structured result is a text of the same data, in whatever order.
function parts(result) {
  const structured = result.structuredContent === undefined ? undefined : canonical(result.structuredContent);
  const isSame = (text) => { try { return canonical(JSON.parse(text)) === structured; } catch { return false; } };
  return result.content
    .filter((part) => !(structured !== undefined && part.type === "text" && isSame(part.text)))
    .map(({ type, text, data, mimeType, uri, name, resource }) => ({ type, text, data, mimeType, uri, name, resource }))
    .map((part) => JSON.parse(JSON.stringify(part)));
}

async function check(name, server) {
  const sides = ["direct", "imported"].map((side) => scratch(name, side));
  sides.forEach((folder) => server.prepare?.(folder));
  const [direct, imported] = sides.map((folder, side) => {
    const command = server.command(folder);
    if (side === 0) return new Client(command, server.env?.(folder));
    const config = path.resolve("scratch", name, "config.json");
    fs.writeFileSync(config, JSON.stringify({ mcpServers: { [name]: { command: command[0], args: command.slice(1), env: server.env?.(folder) ?? {} } } }));
    return new Client([workbench, "--root", scratch(name, "root"), "--yes", "--mcp-config", config, "serve"]);
  });
  const faults = [];
  try {
    await Promise.all([direct.start(), imported.start()]);
    const own = await direct.tools();
    const prefix = `${name}.`;
    const again = (await imported.tools()).filter((tool) => tool.name.startsWith(prefix));
    const listed = new Map(again.map((tool) => [tool.name.slice(prefix.length), tool]));
    if (listed.size !== own.length) faults.push(`${own.length} tools, of which ${listed.size} are served again`);
    for (const tool of own) {
      const other = listed.get(tool.name);
      for (const part of ["inputSchema", "outputSchema", "description"]) {
        const [wanted, found] = [tool[part], other?.[part]].map((value) => value === undefined ? "none" : canonical(value));
        if (wanted !== found) faults.push(`${tool.name}, ${part}:\n    ${wanted}\n    ${found}`);
      }
    }
    const [calls, others] = sides.map((folder) => server.calls(folder));
    for (const [place, [tool, args, end]] of calls.entries()) {
      const result = await imported.call(prefix + tool, others[place][1]);
      const isError = result.isError === true;
      if (isError !== (end !== undefined)) faults.push(`${tool} ${JSON.stringify(args)}: ${JSON.stringify(result)}`);
      if (end === "refused") continue;
      const wanted = await direct.call(tool, args);
      if ((wanted.isError === true) !== isError) faults.push(`${tool}: the server says ${JSON.stringify(wanted)}`);
      if (end !== undefined) continue;
      for (const part of [parts, (result) => result.structuredContent ?? null]) {
        const [a, b] = [neutral(part(wanted), sides[0]), neutral(part(result), sides[1])];
        if (a !== b) faults.push(`${tool} ${JSON.stringify(args)}:\n    ${a}\n    ${b}`);
      }
    }
    console.log(`${faults.length ? "FAIL" : "ok  "} ${name}: ${own.length} tools with equal schemas, ${calls.length} calls`);
  } catch (error) {
    faults.push(error.message);
    console.log(`FAIL ${name}`);
  } finally {
    await Promise.all([direct.end(), imported.end()]);
  }
  faults.forEach((fault) => console.log(`  ${fault}`));
  if (faults.length && imported.log) console.log(`  the workbench: ${imported.log}`);
  return faults.length === 0;
}

let failed = false;
for (const [name, server] of Object.entries(servers)) failed = !(await check(name, server)) || failed;
process.exit(failed ? 1 : 0);
