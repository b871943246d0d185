import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claims } from '../conformance/claims.ts';
import { assertStatus } from '../support/expect.ts';
import { headersOf, messageOf, modernRevision, opening, openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { integerAt, type JsonRecord, jsonOf, recordOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const mcp = openMcp(server, robot);
const modern = openMcp(server, robot, { era: 'modern' });
const listWorkspaces = { name: 'list_workspaces', arguments: {} };

async function initialize(revision: string): Promise<JsonRecord> {
  const response = await mcp.request(messageOf('legacy', 1, 'initialize', opening(revision)));
  assertStatus(response, 200);
  return recordOf(jsonOf(response).result);
}

test(...claims('mcp.revisions.initialize', 'a client gets the revision that it opens with'), async () => {
  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const opened = await initialize(revision);
    assert.equal(opened.protocolVersion, revision);
    assert.deepEqual(opened.capabilities, { tools: {} });
    const after = await mcp.request(messageOf('legacy', 2, 'tools/call', listWorkspaces), {
      'mcp-protocol-version': revision,
    });
    assertStatus(after, 200);
    assert.ok('structuredContent' in recordOf(jsonOf(after).result), revision);
  }
});

test(
  ...claims(
    'mcp.revisions.initialize-other',
    'offers a known revision to a client that opens with an unknown one',
  ),
  async () => {
    for (const revision of ['1999-01-01', '2099-01-01', 'newest', '', modernRevision]) {
      assert.equal((await initialize(revision)).protocolVersion, '2025-11-25', revision);
    }
  },
);

test(
  ...claims('mcp.revisions.unsupported', 'rejects a message of an unknown revision and lists the known ones'),
  async () => {
    const legacy = await mcp.request(messageOf('legacy', 1, 'tools/list'), {
      'mcp-protocol-version': '1999-01-01',
    });
    assertStatus(legacy, 400);
    assert.match(textAt(recordOf(jsonOf(legacy).error), 'message'), /1999-01-01.*2025-11-25/);
    const unknown = '2099-01-01';
    const params = { _meta: { ...metaOf(), 'io.modelcontextprotocol/protocolVersion': unknown } };
    const response = await modern.request(messageOf('modern', 1, 'tools/list', params), {
      ...headersOf('modern', 'tools/list'),
      'mcp-protocol-version': unknown,
    });
    assertStatus(response, 400);
    const error = recordOf(jsonOf(response).error);
    assert.equal(error.code, -32022);
    assert.deepEqual(error.data, { supported: [modernRevision], requested: unknown });
  },
);

test(
  ...claims(
    ['mcp.revisions.discover', 'mcp.revisions.stateless'],
    'a client of the current revision discovers the server with one request, or with none',
  ),
  async () => {
    const reported = await modern.greet();
    assert.deepEqual(reported.supportedVersions, [modernRevision]);
    assert.deepEqual(reported.capabilities, { tools: {} });
    assert.match(textAt(reported, 'instructions'), /AGENTS\.md/);
    assert.equal(reported.resultType, 'complete');
    const newcomer = openMcp(server, await createKey(ada), { era: 'modern' });
    assert.deepEqual((await newcomer.call('list_workspaces')).data, {
      workspaces: [],
      next: 'create_workspace makes one.',
    });
  },
);

test(...claims('mcp.revisions.list-cache', 'a client may cache the tool list for its own key'), async () => {
  const list = recordOf((await modern.ask('tools/list')).result);
  assert.equal(list.cacheScope, 'private');
  assert.ok(integerAt(list, 'ttlMs') > 0);
  assert.equal(list.resultType, 'complete');
  // A client of an older revision gets no fields that it does not know.
  const older = recordOf((await mcp.ask('tools/list')).result);
  assert.deepEqual(Object.keys(older), ['tools']);
});

test(...claims('mcp.revisions.headers', 'headers and message must say the same'), async () => {
  const call = messageOf('modern', 1, 'tools/call', listWorkspaces);
  const right = headersOf('modern', 'tools/call', listWorkspaces);
  assertStatus(await modern.request(call, right), 200);
  const encoded = `=?base64?${Buffer.from('list_workspaces').toString('base64')}?=`;
  assertStatus(await modern.request(call, { ...right, 'mcp-name': encoded }), 200);
  const { 'mcp-name': _name, ...nameless } = right;
  const { 'mcp-method': _method, ...methodless } = right;
  const { 'mcp-protocol-version': _version, ...versionless } = right;
  const wrong: readonly Readonly<Record<string, string>>[] = [
    { ...right, 'mcp-method': 'tools/list' },
    { ...right, 'mcp-name': 'write_file' },
    { ...right, 'mcp-name': `=?base64?${Buffer.from('write_file').toString('base64')}?=` },
    { ...right, 'mcp-protocol-version': '2025-11-25' },
    nameless,
    methodless,
    versionless,
  ];
  for (const headers of wrong) {
    const response = await modern.request(call, headers);
    assertStatus(response, 400);
    assert.equal(recordOf(jsonOf(response).error).code, -32020, JSON.stringify(headers));
  }
  const bare = await modern.request(messageOf('legacy', 1, 'tools/list'), headersOf('modern', 'tools/list'));
  assertStatus(bare, 400);
  assert.equal(recordOf(jsonOf(bare).error).code, -32602);
});

function metaOf(): JsonRecord {
  return recordOf(recordOf(messageOf('modern', 1, 'tools/list').params)._meta);
}
