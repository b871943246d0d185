import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { claims } from '../conformance/claims.ts';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertStatus, listedPaths } from '../support/expect.ts';
import { headersOf, type McpEra, mcpPath, messageOf, openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { type HttpResponse, type JsonRecord, jsonOf, recordOf } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';

/** Not a multiple of three, so that base64 ends in padding. */
const limitBytes = 3_000_001;
/** Base64 needs four bytes for three. 1 MiB is for the rest of the message. */
const bodyMaxBytes = Math.ceil((limitBytes * 4) / 3) + 1024 * 1024;

const { service, client: server } = await useOwnService({ STOA_MAX_FILE_BYTES: String(limitBytes) });
const ada = await signUp(server);
const robot = await createKey(ada);
const workspace = await createWorkspace(ada, robot.client);
const eras: readonly McpEra[] = ['legacy', 'modern'];

for (const era of eras) {
  const mcp = openMcp(server, robot, { era, workspaceId: workspace.id });

  test(
    ...claims('mcp.transport.largest-file', `a file of exactly the limit can be written, ${era}`),
    async () => {
      const bytes = randomBytes(limitBytes);
      const path = `${era}/exact.bin`;
      const written = await mcp.call('write_file', {
        path,
        content: bytes.toString('base64'),
        encoding: 'base64',
      });
      assert.deepEqual(written.data, { ok: true, version: 1 }, written.text);
      await assertFile(workspace, path, bytes, 1);
      const text = 'x'.repeat(limitBytes);
      const asText = await mcp.call('write_file', { path: `${era}/exact.txt`, content: text });
      assert.deepEqual(asText.data, { ok: true, version: 1 }, asText.text);
      await assertFile(workspace, `${era}/exact.txt`, text, 1);
    },
  );

  test(...claims('mcp.transport.over-limit', `rejects one byte more with the limit, ${era}`), async () => {
    const content = randomBytes(limitBytes + 1).toString('base64');
    const asBase64 = await mcp.call('write_file', { path: `${era}/over.bin`, content, encoding: 'base64' });
    const asText = await mcp.call('write_file', {
      path: `${era}/over.txt`,
      content: 'x'.repeat(limitBytes + 1),
    });
    for (const { isError, text } of [asBase64, asText]) {
      assert.equal(isError, true);
      assert.match(text, new RegExp(String(limitBytes)));
    }
    assert.deepEqual(await listedPaths(workspace, `${era}/over.bin`), []);
    assert.deepEqual(await listedPaths(workspace, `${era}/over.txt`), []);
  });

  test(...claims('mcp.transport.body-limit', `a body of the limit is read, ${era}`), async () => {
    const response = await send(era, padded(write(era, 'padded.md'), bodyMaxBytes));
    assertStatus(response, 200);
    assert.equal(jsonOf(response).id, 1);
    assert.deepEqual(await listedPaths(workspace, `${era}/padded.md`), [`${era}/padded.md`]);
  });

  test(
    ...claims(
      'mcp.transport.body-limit',
      `rejects a body over the limit with or without a Content-Length, ${era}`,
    ),
    async () => {
      const body = padded(write(era, 'too-much.md'), bodyMaxBytes + 1);
      // With an announced length the server rejects it without waiting for the body.
      assertRejection(await announce(body.length), 413, { says: new RegExp(String(bodyMaxBytes)) });
      assertRejection(await announce(Number.MAX_SAFE_INTEGER), 413);
      const counted = await send(era, inChunks(body));
      assertRejection(counted, 413, { says: new RegExp(String(bodyMaxBytes)) });
      assert.deepEqual(await listedPaths(workspace, `${era}/too-much.md`), []);
    },
  );
}

test(
  ...claims(
    'mcp.transport.nesting',
    'rejects a large message with too many levels and accepts other messages at the same time',
  ),
  async () => {
    const mcp = openMcp(server, robot, { workspaceId: workspace.id });
    const content = 'x'.repeat(1_000_000);
    const neighbours = Array.from({ length: 10 }, (_, number) =>
      mcp.call('write_file', { path: `beside/${number}.txt`, content }),
    );
    const nested = [200, 4_000, 10_000, 100_000].flatMap((depth) => [
      mcp.request(nestedCall('['.repeat(depth), ']'.repeat(depth))),
      mcp.request(nestedCall('{"a":'.repeat(depth), `1${'}'.repeat(depth)}`)),
    ]);
    for (const response of await Promise.all(nested)) {
      assertStatus(response, 400);
      assert.equal(recordOf(jsonOf(response).error).code, -32700);
    }
    for (const { data, text } of await Promise.all(neighbours)) assert.equal(data.ok, true, text);
    assert.equal((await mcp.request(nestedCall('['.repeat(50), ']'.repeat(50)))).status, 200);
  },
);

test(...claims('mcp.transport.nesting', 'rejects a large message with too many values'), async () => {
  const mcp = openMcp(server, robot, { workspaceId: workspace.id });
  for (const value of ['{}', '[]', '1']) {
    const response = await mcp.request(nestedCall(`[${`${value},`.repeat(60_000)}`, '1]'));
    assertStatus(response, 400);
    assert.equal(recordOf(jsonOf(response).error).code, -32700);
  }
});

test(
  ...claims(
    'mcp.transport.largest-file',
    'writes more large files than the server handles at once, and small calls continue',
  ),
  async () => {
    const mcp = openMcp(server, robot, { workspaceId: workspace.id });
    const files = Array.from({ length: 12 }, (_, number) => ({
      path: `many/${number}.bin`,
      bytes: randomBytes(limitBytes),
    }));
    const writes = files.map(({ path, bytes }) =>
      mcp.call('write_file', { path, content: bytes.toString('base64'), encoding: 'base64' }),
    );
    const small = Array.from({ length: 20 }, () => mcp.call('get_usage'));
    for (const { isError, text } of await Promise.all(small)) assert.equal(isError, false, text);
    for (const { data, text } of await Promise.all(writes)) assert.equal(data.ok, true, text);
    for (const { path, bytes } of files) await assertFile(workspace, path, bytes, 1);
  },
);

/** A call that is large by its padding, with a deep argument that no tool knows. */
function nestedCall(open: string, close: string): string {
  const given = `"workspaceId":${JSON.stringify(workspace.id)},"nested":${open}${close},"padding":"${'p'.repeat(600_000)}"`;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_usage","arguments":{${given}}}}`;
}

function write(era: McpEra, name: string): JsonRecord {
  const given = { workspaceId: workspace.id, path: `${era}/${name}`, content: 'x' };
  return messageOf(era, 1, 'tools/call', { name: 'write_file', arguments: given });
}

/** Pads a message with spaces, which JSON ignores. */
function padded(message: JsonRecord, sizeBytes: number): Buffer {
  const text = JSON.stringify(message);
  return Buffer.from(`{${' '.repeat(sizeBytes - Buffer.byteLength(text))}${text.slice(1)}`);
}

function send(era: McpEra, body: Buffer | AsyncIterable<Uint8Array>): Promise<HttpResponse> {
  const headers = headersOf(era, 'tools/call', { name: 'write_file' });
  return robot.client.send('POST', mcpPath, {
    body,
    headers: { ...headers, 'content-type': 'application/json' },
  });
}

/** Sends a body without a Content-Length. */
async function* inChunks(body: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  const chunkBytes = 64 * 1024;
  for (let at = 0; at < body.length; at += chunkBytes) yield body.subarray(at, at + chunkBytes);
}

function announce(declared: number): Promise<HttpResponse> {
  const lines = [
    `POST ${mcpPath} HTTP/1.1`,
    `Host: ${new URL(service.url).host}`,
    `x-api-key: ${robot.secret}`,
    'Content-Type: application/json',
    `Content-Length: ${declared}`,
    'Connection: close',
  ];
  return sendRaw(service.url, `${lines.join('\r\n')}\r\n\r\n`);
}
