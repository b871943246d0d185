import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createStoaClient } from '@stoa/client';
import { parseWorkspacePath } from '@stoa/core';
import { joinWorkspace } from '../../../../tests/support/join-workspace.ts';
import { createKey, signUp } from '../../../../tests/support/people.ts';
import { useTarget } from '../../../../tests/support/target.ts';
import { createWorkspace } from '../../../../tests/support/workspace-client.ts';
import { openRemoteWorkspace } from '../../src/remote/open-remote-workspace.ts';
import { hashOf, memorySink, remoteWorkspaceSuite } from './remote-workspace-suite.ts';

const target = await useTarget();
const owner = await signUp(target, 'Ada Lovelace');
const member = await signUp(target, 'Grace Hopper');

remoteWorkspaceSuite('workspace on a server', async () => {
  const workspace = await createWorkspace(owner);
  await joinWorkspace(workspace, owner, member);
  const key = await createKey(member, { name: 'sync', workspaceId: workspace.id });
  const client = createStoaClient({ baseUrl: target.url, apiKey: key.secret });
  const versionOf = async (path: string) => {
    const response = await workspace.get(path);
    return response.status === 200 ? Number(response.headers.get('x-service-version')?.[0]) : null;
  };
  return {
    remote: openRemoteWorkspace({ client, workspaceId: workspace.id }),
    other: {
      async write(path, text) {
        const version = await versionOf(path);
        const response = await workspace.put(
          path,
          text,
          version === null ? { ifNoneMatch: '*' } : { ifMatch: version },
        );
        assert.ok(response.status === 200 || response.status === 201, response.bytes.toString());
      },
      async remove(path) {
        assert.equal((await workspace.remove(path, (await versionOf(path)) ?? 0)).status, 204);
      },
      async move(from, to) {
        assert.equal((await workspace.post('move', { from, to })).status, 200);
      },
      async setPrivate(path, kind, isPrivate) {
        const response = await workspace.send('PUT', '/node-private', {
          json: { path, kind, private: isPrivate },
        });
        assert.ok(response.status < 300, `${response.status} ${response.bytes.toString()}`);
      },
    },
    [Symbol.asyncDispose]: async () => {},
  };
});

const path = parseWorkspacePath('a.md');

/** Starts a server that behaves as no Stoa server does. */
async function playServer(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    remote: openRemoteWorkspace({ client: createStoaClient({ baseUrl, apiKey: 'k' }), workspaceId: 'ws_1' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const text = 'x'.repeat(200_000);
const fileHeaders = (content: string, version = 3) => ({
  'X-Service-Version': String(version),
  'X-Service-Content-Hash': hashOf(content),
  'Content-Type': 'text/plain',
});

describe('a download that breaks off', () => {
  /** Sends `content` from the requested start and cuts the connection after `cutAfter` bytes. */
  const serve =
    (content: string, cutAfter: number, version = 3): RequestListener =>
    (request, response) => {
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const rest = content.slice(from);
      response.writeHead(from === 0 ? 200 : 206, {
        ...fileHeaders(content, version),
        'Content-Length': rest.length,
      });
      if (rest.length <= cutAfter) return response.end(rest);
      response.write(rest.slice(0, cutAfter), () => setImmediate(() => response.destroy()));
    };

  it('resumes where it stopped', async () => {
    const ranges: (string | undefined)[] = [];
    await using server = await playServer((request, response) => {
      ranges.push(request.headers.range);
      serve(text, 80_000)(request, response);
    });
    const sink = memorySink();
    const outcome = await server.remote.download(path, sink);
    assert.deepEqual(outcome, {
      kind: 'file',
      version: 3,
      hash: hashOf(text),
      contentType: 'text/plain',
      sizeBytes: text.length,
    });
    assert.equal(sink.text(), text);
    assert.deepEqual([ranges.length, ranges[0]], [3, undefined]);
    assert.match(ranges[1] ?? '', /^bytes=[1-9]/);
  });

  it('restarts when the file has changed', async () => {
    let asked = 0;
    const newer = 'y'.repeat(150_000);
    await using server = await playServer((request, response) => {
      asked += 1;
      serve(asked === 1 ? text : newer, asked === 1 ? 80_000 : 1_000_000, asked)(request, response);
    });
    const sink = memorySink();
    const outcome = await server.remote.download(path, sink);
    assert.equal(outcome.kind === 'file' && outcome.hash, hashOf(newer));
    assert.equal(sink.text(), newer);
  });

  it('fails after repeated cuts or with bytes that do not match the hash', async () => {
    await using cutting = await playServer(serve(text, 100));
    assert.equal((await cutting.remote.download(path, memorySink())).kind, 'transfer_failed');
    await using lying = await playServer((_request, response) => {
      response.writeHead(200, fileHeaders('what it is not'));
      response.end(text);
    });
    assert.equal((await lying.remote.download(path, memorySink())).kind, 'transfer_failed');
  });
});

describe('failures of a server', () => {
  const result =
    (status: number, message: string, headers = {}): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify({ statusCode: status, statusMessage: message, message }));
    };
  const failureOf = async (listener: RequestListener) => {
    await using server = await playServer(listener);
    const failed = await server.remote
      .readChanges({ cursor: 0, limit: 10, waitSeconds: null })
      .catch((error) => error);
    return [failed.name, failed.kind, failed.retryAfterSeconds ?? null];
  };

  it('are classified as passing, stopped, rejected or not a Stoa server', async () => {
    const cases = [
      [result(503, 'busy', { 'Retry-After': '7' }), 'passing', 7],
      [result(500, 'broken'), 'passing', null],
      [result(429, 'slow'), 'passing', null],
      [result(401, 'no key'), 'stopped', null],
      [result(403, 'not a member'), 'stopped', null],
      [result(404, 'Workspace not found'), 'stopped', null],
      [result(302, '', { Location: 'https://example.org/' }), 'not_stoa', null],
      [result(200, 'hello'), 'not_stoa', null],
      [result(400, 'bad'), 'refused', null],
      [(request) => request.socket.destroy(), 'passing', null],
    ] as const satisfies readonly (readonly [RequestListener, string, number | null])[];
    for (const [listener, kind, seconds] of cases) {
      assert.deepEqual(await failureOf(listener), ['RemoteFailure', kind, seconds], kind);
    }
  });

  it('tell missing bytes apart from a proxy without a server', async () => {
    await using lost = await playServer(
      result(502, 'The stored bytes of this file are missing: ask the operator to check the storage'),
    );
    assert.deepEqual(await lost.remote.download(path, memorySink()), { kind: 'bytes_missing' });
    await using proxy = await playServer(result(502, 'Bad Gateway'));
    await assert.rejects(proxy.remote.download(path, memorySink()), { kind: 'passing' });
  });

  it('map a rejected upload to its reason', async () => {
    const request = {
      path,
      content: { kind: 'bytes', bytes: new Uint8Array(3), hash: hashOf(new Uint8Array(3)), sizeBytes: 3 },
      presumed: { kind: 'absent' },
      contentType: null,
    } as const;
    for (const [listener, kind] of [
      [result(402, 'lapsed'), 'read_only'],
      [result(413, 'too large'), 'too_large'],
    ] as const) {
      await using server = await playServer(listener);
      assert.equal((await server.remote.put(request)).kind, kind);
    }
  });

  it('report and skip impossible paths', async () => {
    const change = (seq: number, each: string) => ({
      id: `c${seq}`,
      seq,
      path: each,
      op: 'write',
      version: 1,
      contentHash: hashOf('x'),
      actorKeyId: null,
      actorLabel: null,
    });
    const paths = ['../x', '/x', 'a/../../x', 'a//b', 'NUL\0', 'ok.md', 'a\nb', 'e\u0301'];
    await using server = await playServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify({
          changes: paths.map((each, index) => change(index + 1, each)),
          head: paths.length,
          nextSeq: paths.length,
        }),
      );
    });
    const page = await server.remote.readChanges({ cursor: 0, limit: 10, waitSeconds: null });
    assert.deepEqual(
      page.records.map((record) => record.path),
      ['ok.md'],
    );
    assert.deepEqual(
      page.rejected.map((rejected) => rejected.path),
      paths.filter((each) => each !== 'ok.md'),
    );
  });
});
