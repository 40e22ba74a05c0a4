// The fixtures of the conformance suite, word for word: several of its scenarios pass on a server that has none of them.
//
//   node conformance-fixtures.mjs URL
//
// Expected texts, names and schemas are those that the scenarios describe.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

const url = process.argv[2];
const NEW = '2026-07-28';
let checked = 0;
const failures = [];

async function check(name, run) {
  checked += 1;
  try {
    await run();
  } catch (error) {
    failures.push(`${name}: ${error.message}`);
  }
}

const text = (text) => ({ type: 'text', text });
const resource = (uri, mimeType, text) => ({ type: 'resource', resource: { uri, mimeType, text } });

// ---- the tools

const TOOLS = [
  'json_schema_2020_12_tool',
  'test_audio_content',
  'test_custom_header',
  'test_elicitation',
  'test_elicitation_sep1034_defaults',
  'test_elicitation_sep1330_enums',
  'test_embedded_resource',
  'test_error_handling',
  'test_image_content',
  'test_input_required_result_capabilities',
  'test_input_required_result_elicitation',
  'test_input_required_result_list_roots',
  'test_input_required_result_multi_round',
  'test_input_required_result_multiple_inputs',
  'test_input_required_result_request_state',
  'test_input_required_result_sampling',
  'test_input_required_result_tampered_state',
  'test_logging_tool',
  'test_missing_capability',
  'test_multiple_content_types',
  'test_reconnection',
  'test_sampling',
  'test_simple_text',
  'test_streaming_elicitation',
  'test_tool_with_logging',
  'test_tool_with_progress',
  'test_trigger_tool_change'
];

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } }
    }
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' }
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false
};

function checkList(tools) {
  assert.deepEqual(tools.map((tool) => tool.name).filter((name) => name !== 'test_dynamic_tool'), TOOLS);
  const named = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  for (const tool of tools) {
    assert.ok(tool.description?.length > 10, `${tool.name} has no description`);
    assert.equal(tool.inputSchema.type, 'object', tool.name);
  }
  const properties = (name) => named[name].inputSchema.properties;
  assert.equal(properties('test_sampling').prompt.type, 'string');
  assert.deepEqual(named.test_sampling.inputSchema.required, ['prompt']);
  assert.equal(properties('test_elicitation').message.type, 'string');
  assert.deepEqual(named.test_elicitation.inputSchema.required, ['message']);
  assert.equal(properties('test_custom_header').value['x-mcp-header'], 'Value');
  assert.deepEqual(named.json_schema_2020_12_tool.inputSchema, SCHEMA_2020_12);
}

function checkContent(name, result) {
  const content = result.content;
  const error = name === 'test_error_handling';
  assert.equal(result.isError ?? false, error);
  switch (name) {
    case 'test_simple_text':
      return assert.deepEqual(content, [text('This is a simple text response for testing.')]);
    case 'test_image_content':
      assert.equal(content.length, 1);
      return checkFile(content[0], 'image', 'image/png', '\x89PNG\r\n\x1a\n');
    case 'test_audio_content':
      assert.equal(content.length, 1);
      return checkFile(content[0], 'audio', 'audio/wav', 'RIFF');
    case 'test_embedded_resource':
      return assert.deepEqual(content, [
        resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')
      ]);
    case 'test_multiple_content_types':
      assert.equal(content.length, 3);
      assert.deepEqual(content[0], text('Multiple content types test:'));
      checkFile(content[1], 'image', 'image/png', '\x89PNG\r\n\x1a\n');
      return assert.deepEqual(
        content[2],
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')
      );
    case 'test_error_handling':
      return assert.deepEqual(content, [text('This tool intentionally returns an error for testing')]);
  }
}

function checkFile(part, type, mimeType, beginning) {
  assert.deepEqual({ type: part.type, mimeType: part.mimeType }, { type, mimeType });
  assert.ok(Buffer.from(part.data, 'base64').toString('latin1').startsWith(beginning), `not a file of ${mimeType}`);
}

const CONTENT_TOOLS = [
  'test_simple_text',
  'test_image_content',
  'test_audio_content',
  'test_embedded_resource',
  'test_multiple_content_types',
  'test_error_handling'
];
const LOGS = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];

function checkProgress(notifications, progressToken) {
  const progress = notifications.map((each) => [each.progressToken, each.progress, each.total]);
  assert.deepEqual(progress, [0, 50, 100].map((value) => [progressToken, value, 100]));
}

// ---- the requests to the client

const form = (properties, required) => ({ type: 'object', properties, ...(required ? { required } : {}) });

const INFORMATION = form(
  {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" }
  },
  ['username', 'email']
);

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true }
};

const options = ['option1', 'option2', 'option3'];
const titled = (...titles) => titles.map((title, number) => ({ const: `value${number + 1}`, title }));
const ENUMS = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three']
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } }
};

const sampling = (prompt, maxTokens) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(prompt) }], maxTokens }
});
const elicitation = (message, name, type = 'string') => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: form({ [name]: { type } }, [name]) }
});
const accepted = (content) => ({ action: 'accept', content });
const sampled = (words) => ({ role: 'assistant', content: text(words), model: 'm', stopReason: 'endTurn' });
const ROOTS = { roots: [{ uri: 'file:///test/root', name: 'Test Root' }] };
const askName = { user_name: elicitation('What is your name?', 'name') };

// A form elicitation says its mode or not; both are the same.
function plain(requests) {
  const copy = structuredClone(requests);
  for (const request of Object.values(copy ?? {})) {
    if (request.params?.mode === 'form') delete request.params.mode;
    if (request.method === 'roots/list') request.params = {};
    for (const message of request.params?.messages ?? []) {
      if (Array.isArray(message.content) && message.content.length === 1) [message.content] = message.content;
    }
  }
  return copy;
}

// ---- 2025-11-25: a session

async function withSession(run, capabilities = { sampling: {}, elicitation: {}, roots: {} }) {
  const client = new Client({ name: 'fixtures', version: '1.0.0' }, { capabilities });
  const seen = { logs: [], progress: [], elicited: [], sampled: [] };
  client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => void seen.logs.push(params));
  client.setNotificationHandler(types.ProgressNotificationSchema, ({ params }) => void seen.progress.push(params));
  if (capabilities.elicitation) {
    client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => {
      seen.elicited.push(params);
      return seen.reply;
    });
  }
  if (capabilities.sampling) {
    client.setRequestHandler(types.CreateMessageRequestSchema, ({ params }) => {
      seen.sampled.push(params);
      return sampled('an answer of the model');
    });
  }
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  try {
    await run(client, seen);
  } finally {
    await transport.terminateSession();
    await client.close();
  }
}

async function stateful() {
  await check('2025: list', () =>
    withSession(async (client) => checkList((await client.listTools()).tools))
  );
  for (const name of CONTENT_TOOLS) {
    await check(`2025: ${name}`, () =>
      withSession(async (client) => checkContent(name, await client.request({ method: 'tools/call', params: { name } }, types.CallToolResultSchema)))
    );
  }
  await check('2025: ping, setLevel', () =>
    withSession(async (client) => {
      assert.deepEqual(await client.ping(), {});
      assert.deepEqual(await client.setLoggingLevel('debug'), {});
    })
  );
  await check('2025: no prompts, no resources', () =>
    withSession(async (client) => {
      const capabilities = client.getServerCapabilities();
      assert.deepEqual(Object.keys(capabilities).sort(), ['logging', 'tools']);
      assert.equal(capabilities.tools.listChanged, true);
    })
  );
  await check('2025: logs', () =>
    withSession(async (client, seen) => {
      await client.setLoggingLevel('debug');
      await client.callTool({ name: 'test_tool_with_logging', arguments: {} });
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.deepEqual(seen.logs.map((log) => [log.level, log.data]), LOGS.map((log) => ['info', log]));
    })
  );
  await check('2025: logs below the level', () =>
    withSession(async (client, seen) => {
      await client.setLoggingLevel('error');
      await client.callTool({ name: 'test_tool_with_logging', arguments: {} });
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.deepEqual(seen.logs, []);
    })
  );
  await check('2025: progress', () =>
    withSession(async (client, seen) => {
      const params = { name: 'test_tool_with_progress', arguments: {}, _meta: { progressToken: 'a token' } };
      const result = await client.request({ method: 'tools/call', params }, types.CallToolResultSchema);
      checkProgress(seen.progress, 'a token');
      assert.equal(result.content[0].type, 'text');
    })
  );
  await check('2025: no progress without a token', () =>
    withSession(async (client, seen) => {
      await client.callTool({ name: 'test_tool_with_progress', arguments: {} });
      assert.deepEqual(seen.progress, []);
    })
  );
  await check('2025: sampling', () =>
    withSession(async (client, seen) => {
      const result = await client.callTool({ name: 'test_sampling', arguments: { prompt: 'a prompt' } });
      assert.deepEqual(result.content, [text('LLM response: an answer of the model')]);
      const { messages, maxTokens } = seen.sampled[0];
      assert.deepEqual(plain({ it: { params: { messages, maxTokens } } }).it, { params: sampling('a prompt', 100).params });
      assert.equal(seen.sampled.length, 1);
    })
  );
  await check('2025: sampling of a client that has none', () =>
    withSession(
      async (client) => {
        const result = await client.callTool({ name: 'test_sampling', arguments: { prompt: 'a prompt' } });
        assert.equal(result.isError, true);
      },
      { elicitation: {} }
    )
  );
  for (const action of ['accept', 'decline', 'cancel']) {
    await check(`2025: elicitation, ${action}`, () =>
      withSession(async (client, seen) => {
        seen.reply = { action, ...(action === 'accept' ? { content: { username: 'u', email: 'e@example.com' } } : {}) };
        const result = await client.callTool({ name: 'test_elicitation', arguments: { message: 'a message' } });
        assert.equal(result.isError ?? false, false);
        assert.ok(result.content[0].text.startsWith(`User response: action=${action}, content=`), result.content[0].text);
        assert.equal(seen.elicited[0].message, 'a message');
        assert.deepEqual(seen.elicited[0].requestedSchema, INFORMATION);
      })
    );
  }
  const forms = [
    ['test_elicitation_sep1034_defaults', DEFAULTS, { name: 'n', age: 1, score: 2.5, status: 'inactive', verified: false }],
    [
      'test_elicitation_sep1330_enums',
      ENUMS,
      { untitledSingle: 'option1', titledSingle: 'value1', legacyEnum: 'opt1', untitledMulti: ['option2'], titledMulti: [] }
    ]
  ];
  for (const [name, properties, content] of forms) {
    await check(`2025: ${name}`, () =>
      withSession(async (client, seen) => {
        seen.reply = accepted(content);
        const result = await client.callTool({ name, arguments: {} });
        const words = result.content[0].text;
        assert.ok(words.startsWith('Elicitation completed: action=accept, content='), words);
        assert.deepEqual(JSON.parse(words.slice(words.indexOf('{'))), content);
        assert.deepEqual(seen.elicited[0].requestedSchema.properties, properties);
      })
    );
  }
}

// ---- 2026-07-28: requests that stand alone

let id = 0;
async function rpc(method, params = {}, { capabilities = { sampling: {}, elicitation: {}, roots: {} }, meta = {} } = {}) {
  id += 1;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': NEW,
      'Mcp-Method': method,
      ...(params.name ? { 'Mcp-Name': params.name } : {})
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': NEW,
          'io.modelcontextprotocol/clientInfo': { name: 'fixtures', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          ...meta
        }
      }
    }),
    signal: AbortSignal.timeout(10_000)
  });
  const body = await response.text();
  const messages = response.headers.get('content-type')?.includes('text/event-stream')
    ? body.split(/\r?\n/).filter((line) => line.startsWith('data:') && line.length > 6).map((line) => JSON.parse(line.slice(5)))
    : [JSON.parse(body)];
  const answer = messages.pop();
  assert.equal(answer.id, id);
  return { status: response.status, result: answer.result, error: answer.error, notifications: messages };
}

const call = (name, more = {}, how) => rpc('tools/call', { name, arguments: {}, ...more }, how);

async function asks(name, requests, more, how) {
  const { result, error } = await call(name, more, how);
  assert.equal(error, undefined, error?.message);
  assert.equal(result.resultType, 'input_required', JSON.stringify(result));
  assert.deepEqual(plain(result.inputRequests), requests);
  return result.requestState;
}

async function says(name, words, more, how) {
  const { result, error } = await call(name, more, how);
  assert.equal(error, undefined, error?.message);
  assert.equal(result.isError ?? false, false, JSON.stringify(result));
  assert.equal(result.resultType ?? 'complete', 'complete');
  assert.deepEqual(result.content, [text(words)]);
}

async function stateless() {
  await check('2026: list', async () => {
    const { result } = await rpc('tools/list');
    checkList(result.tools);
    assert.ok(Number.isInteger(result.ttlMs) && result.ttlMs >= 0);
    assert.ok(['public', 'private'].includes(result.cacheScope));
  });
  for (const name of CONTENT_TOOLS) {
    await check(`2026: ${name}`, async () => checkContent(name, (await rpc('tools/call', { name })).result));
  }
  await check('2026: progress', async () => {
    const { notifications } = await call('test_tool_with_progress', {}, { meta: { progressToken: 7 } });
    checkProgress(notifications.map(({ params }) => params), 7);
  });
  await check('2026: logs', async () => {
    const level = { meta: { 'io.modelcontextprotocol/logLevel': 'info' } };
    const { notifications } = await call('test_tool_with_logging', {}, level);
    assert.deepEqual(notifications.map(({ params }) => [params.level, params.data]), LOGS.map((log) => ['info', log]));
    assert.equal((await call('test_logging_tool', {}, level)).notifications.length, 1);
  });
  await check('2026: no logs without a level', async () => {
    assert.deepEqual((await call('test_tool_with_logging')).notifications, []);
    assert.deepEqual((await call('test_logging_tool')).notifications, []);
  });
  await check('2026: a capability that the client does not have', async () => {
    const { status, error } = await call('test_missing_capability', {}, { capabilities: {} });
    assert.deepEqual([status, error?.code, error?.data?.requiredCapabilities], [400, -32021, { sampling: {} }]);
  });
  await check('2026: test_streaming_elicitation', () =>
    asks('test_streaming_elicitation', { streaming_elicitation: elicitation('Provide a value', 'value') })
  );

  const tool = (name) => `test_input_required_result_${name}`;
  await check('2026: elicitation', async () => {
    const requestState = await asks(tool('elicitation'), askName);
    const answer = { inputResponses: { user_name: accepted({ name: 'Alice' }) } };
    await says(tool('elicitation'), 'Hello, Alice!', { ...answer, requestState });
    await says(tool('elicitation'), 'Hello, Alice!', answer);
    await asks(tool('elicitation'), askName, { inputResponses: { another: accepted({ name: 'Alice' }) } });
    await asks(tool('elicitation'), askName, { inputResponses: { user_name: 12345 } }).catch(async (error) => {
      const answered = await call(tool('elicitation'), { inputResponses: { user_name: 12345 } });
      if (!answered.error) throw error;
    });
  });
  await check('2026: sampling', async () => {
    const requests = { capital_question: sampling('What is the capital of France?', 100) };
    const requestState = await asks(tool('sampling'), requests);
    const inputResponses = { capital_question: sampled('The capital of France is Paris.') };
    await says(tool('sampling'), 'Sampling response: The capital of France is Paris.', { inputResponses, requestState });
  });
  await check('2026: roots', async () => {
    const requestState = await asks(tool('list_roots'), { client_roots: { method: 'roots/list', params: {} } });
    await says(tool('list_roots'), 'Client roots: file:///test/root', { inputResponses: { client_roots: ROOTS }, requestState });
  });
  for (const name of [tool('request_state'), tool('tampered_state')]) {
    await check(`2026: ${name}`, async () => {
      const requestState = await asks(name, { confirm: elicitation('Please confirm', 'ok', 'boolean') });
      assert.ok(typeof requestState === 'string' && requestState.length > 0);
      const inputResponses = { confirm: accepted({ ok: true }) };
      await says(name, 'Confirmed: state-ok', { inputResponses, requestState });
      for (const forged of [`${requestState}-TAMPERED`, requestState.slice(0, -2), 'e30', '{}']) {
        const { error } = await call(name, { inputResponses, requestState: forged });
        assert.equal(error?.code, -32602, `${forged.slice(-20)} was taken`);
      }
      const { error } = await call(tool('elicitation'), { inputResponses, requestState });
      assert.equal(error?.code, -32602, 'the state of another tool was taken');
    });
  }
  await check('2026: several requests', async () => {
    const requests = {
      ...askName,
      greeting: sampling('Generate a greeting', 50),
      client_roots: { method: 'roots/list', params: {} }
    };
    const requestState = await asks(tool('multiple_inputs'), requests);
    assert.ok(requestState);
    const inputResponses = { user_name: accepted({ name: 'Alice' }), greeting: sampled('Hi'), client_roots: ROOTS };
    await says(tool('multiple_inputs'), 'Hi, Alice, at file:///test/root', { inputResponses, requestState });
  });
  await check('2026: several rounds', async () => {
    const first = await asks(tool('multi_round'), { step1: elicitation('Step 1: What is your name?', 'name') });
    const step1 = { step1: accepted({ name: 'Alice' }) };
    const step2 = { step2: accepted({ color: 'blue' }) };
    const asked = { step2: elicitation('Step 2: What is your favorite color?', 'color') };
    const second = await asks(tool('multi_round'), asked, { inputResponses: step1, requestState: first });
    assert.notEqual(first, second);
    await says(tool('multi_round'), 'Alice likes blue', { inputResponses: step2, requestState: second });
  });
  await check('2026: what the client declares', async () => {
    const name = tool('capabilities');
    const greeting = sampling('Generate a greeting', 50);
    await asks(name, { greeting }, {}, { capabilities: { sampling: {} } });
    await asks(name, askName, {}, { capabilities: { elicitation: {} } });
    await asks(name, { ...askName, greeting }, {}, { capabilities: { sampling: {}, elicitation: {} } });
  });
  await check('2026: the list changes, once for each call', async () => {
    const before = (await rpc('tools/list')).result.tools.length;
    await says('test_trigger_tool_change', 'The list of tools has changed');
    const after = (await rpc('tools/list')).result.tools.length;
    assert.equal(Math.abs(before - after), 1);
  });
}

await stateful();
await stateless();
for (const failure of failures) console.log(`FAIL fixtures: ${failure}`);
console.log(`${failures.length === 0 ? 'ok  ' : 'FAIL'} fixtures: ${checked - failures.length} of ${checked} as the suite describes them`);
process.exit(failures.length === 0 ? 0 : 1);
