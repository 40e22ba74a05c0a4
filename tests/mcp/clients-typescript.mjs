// The TypeScript clients, driven by `clients.py`: it writes a command a line, and gets a message a line.
//
//   node clients-typescript.mjs sdk|client legacy|auto|2026-07-28
//
// Commands: `open` (`command` and `args`, or `url` and `token`; `asks`), `list`, `call`, `cancel`, `answer`.
// Messages: `result` or `failure` of a command, `told`, the progress of a call, and `ask`, a form that waits for its `answer`.
import { createInterface } from 'node:readline';

const [kind, mode] = process.argv.slice(2);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** The classes of one of the two packages, and how the client is built. */
async function load() {
  if (kind === 'sdk') {
    const path = '@modelcontextprotocol/sdk';
    const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }, types] = await Promise.all(
      ['client/index.js', 'client/stdio.js', 'client/streamableHttp.js', 'types.js'].map((file) => import(`${path}/${file}`))
    );
    const call = (client, params, options) => client.callTool(params, undefined, options);
    const onAsk = (client, handler) => client.setRequestHandler(types.ElicitRequestSchema, handler);
    return { Client, StdioClientTransport, StreamableHTTPClientTransport, call, onAsk, options: {} };
  }
  const [{ Client, StreamableHTTPClientTransport }, { StdioClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/stdio')
  ]);
  const call = (client, params, options) => client.callTool(params, options);
  const onAsk = (client, handler) => client.setRequestHandler('elicitation/create', handler);
  const negotiation = { mode: mode === 'legacy' || mode === 'auto' ? mode : { pin: mode } };
  const options = { versionNegotiation: negotiation };
  return { Client, StdioClientTransport, StreamableHTTPClientTransport, call, onAsk, options };
}

const library = await load();
const forms = new Map();
const calls = new Map();
let client;
let version;

async function open({ command, args, url, token, asks }) {
  const capabilities = asks ? { elicitation: { form: {} } } : {};
  client = new library.Client({ name: 'toolwright-clients', version: '1.0.0' }, { ...library.options, capabilities });
  if (asks) {
    library.onAsk(client, ({ params }) => {
      const ask = `form-${forms.size + 1}`;
      say({ ask, message: params.message, schema: params.requestedSchema });
      return new Promise((resolve) => forms.set(ask, resolve));
    });
  }
  const headers = { Authorization: `Bearer ${token}` };
  const transport = url
    ? new library.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    : new library.StdioClientTransport({ command, args, stderr: 'inherit' });
  // The version of a handshake is told to the transport alone.
  const setVersion = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (found) => {
    version = found;
    setVersion?.(found);
  };
  await client.connect(transport);
  return { version: client.getNegotiatedProtocolVersion?.() ?? version };
}

async function call(id, { name, args }) {
  const stop = new AbortController();
  calls.set(id, stop);
  try {
    const onprogress = (progress) => say({ told: id, at: progress });
    return await library.call(client, { name, arguments: args }, { signal: stop.signal, onprogress });
  } finally {
    calls.delete(id);
  }
}

const commands = {
  open: (_, given) => open(given),
  list: () => client.listTools(),
  call,
  cancel: (_, { call }) => calls.get(call)?.abort('the user cancelled'),
  answer: (_, { ask, reply }) => forms.get(ask)(reply),
  close: () => client.close()
};

const lines = createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const { id, does, ...given } = JSON.parse(line);
  try {
    say({ result: id, value: (await commands[does](id, given)) ?? null });
  } catch (error) {
    say({ failure: id, text: `${error?.name ?? 'Error'}: ${error?.message ?? error}` });
  }
});
lines.on('close', () => process.exit());
