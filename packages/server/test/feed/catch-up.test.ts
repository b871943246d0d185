import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parsePathPrefix, parseWorkspacePath } from '@stoa/core';
import { type Caller, openWorkspace } from '../../src/service/access.ts';
import { jumpFeedScript } from '../../src/service/checking/repair.ts';
import { type CaughtUp, catchUp, recordShown } from '../../src/service/feed/catch-up.ts';
import { createFeedWaiters } from '../../src/service/feed/feed-waiters.ts';
import { recordCursorScript } from '../../src/service/feed/record-cursor.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import { revokeAnyKey } from '../../src/service/keys/revoke-key.ts';
import { bytesOf, openService, personNamed } from '../support/open-service.ts';
import { signedIn, withKey } from '../support/signed-in.ts';

const minuteMs = 60_000;
const { deps, advance, ...service } = await openService();
const feedWaiters = createFeedWaiters(deps.store);
after(async () => {
  feedWaiters[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});
let keys = 0;

/** A workspace in which Ada writes in the app and her key catches up. */
async function openScene() {
  const { workspace } = await service.openWorkspace(personNamed('ada'));
  const ada = await signedIn(deps.store, 'ada');
  keys += 1;
  const keyId = `key_${keys}`;
  const agent: Caller = await withKey(deps.store, ada, keyId);
  return {
    keyId,
    workspaceId: workspace.id,
    write: async (path: string) => {
      await writeFile(deps, await openWorkspace(deps, ada, workspace.id), {
        path: parseWorkspacePath(path),
        precondition: { kind: 'absent' },
        onConflict: 'keep',
        contentType: null,
        body: bytesOf('x'),
        emptyAllowed: false,
      });
    },
    agent,
    /** The paths that a response shows, joined by commas. */
    ask: async (
      since: Parameters<typeof catchUp>[2]['since'] = null,
      {
        path = '',
        waitSeconds = 0,
        upTo = Number.MAX_SAFE_INTEGER,
        signal = new AbortController().signal,
      } = {},
    ) => {
      const access = await openWorkspace(deps, agent, workspace.id);
      const query = { since, prefix: parsePathPrefix(path), waitSeconds, signal };
      const caught = await catchUp({ ...deps, feedWaiters }, access, query);
      await recordShown(deps, access, query, caught, Math.min(caught.endSeq, upTo));
      return pathsOf(caught);
    },
    head: () => deps.store.reader.changes.head(workspace.id),
  };
}

function pathsOf({ files }: CaughtUp): string {
  return files.map(({ path }) => path).join();
}

test('without since each change is in two responses, however often a key asks', async () => {
  const { write, ask } = await openScene();
  await write('a.md');
  assert.equal(await ask(), 'a.md');
  await write('b.md');
  // The first response may have been lost.
  assert.equal(await ask(), 'a.md,b.md');
  assert.equal(await ask(), 'b.md');
  assert.equal(await ask(), '');
  await write('c.md');
  assert.deepEqual([await ask(), await ask(), await ask()], ['c.md', 'c.md', '']);
});

test('a cursor that comes back confirms the response that had it', async () => {
  const { write, ask, head } = await openScene();
  await write('a.md');
  assert.equal(await ask(), 'a.md');
  const cursor = await head();
  assert.equal(await ask({ seq: cursor }), '');
  assert.equal(await ask(), '');
  await write('b.md');
  // The response was lost. The client repeats the request with the same cursor, or from another session
  // without one.
  assert.equal(await ask({ seq: cursor }), 'b.md');
  assert.equal(await ask({ seq: cursor }), 'b.md');
  assert.equal(await ask(), 'b.md');
  assert.equal(await ask({ seq: await head() }), '');
  assert.equal(await ask(), '');
});

test('the cursor moves only as far as a response showed', async () => {
  const { write, ask, head } = await openScene();
  await write('a.md');
  const firstSeq = await head();
  await write('b.md');
  for (let time = 0; time < 2; time += 1) assert.equal(await ask(null, { upTo: firstSeq }), 'a.md,b.md');
  assert.equal(await ask(), 'b.md');
});

test('a call with a path has its own cursor, and does not move that of the workspace', async () => {
  const { write, ask, head } = await openScene();
  await write('docs/a.md');
  await write('b.md');
  const docs = { path: 'docs' };
  assert.deepEqual(
    [await ask(null, docs), await ask(null, docs), await ask(null, docs)],
    ['docs/a.md', 'docs/a.md', ''],
  );
  assert.equal(await ask({ seq: await head() }, docs), '');
  assert.deepEqual([await ask(), await ask(), await ask()], ['docs/a.md,b.md', 'docs/a.md,b.md', '']);
  await write('docs/c.md');
  assert.equal(await ask({ seq: await head() }), '');
  assert.equal(await ask(null, docs), 'docs/c.md');
});

test('a cursor that no response had confirms nothing', async () => {
  const { write, ask, head } = await openScene();
  await write('a.md');
  assert.equal(await ask({ seq: await head() }), '');
  assert.equal(await ask({ seq: 999_999_999 }), '');
  assert.equal(await ask(), 'a.md');
  await write('b.md');
  assert.equal(await ask({ seq: await head() }), '');
  assert.equal(await ask(), 'a.md,b.md');
});

test('a response to a client that has left does not move the cursor', async () => {
  const { write, ask } = await openScene();
  await write('a.md');
  const signal = AbortSignal.abort();
  for (let time = 0; time < 3; time += 1) assert.equal(await ask(null, { signal }), 'a.md');
});

test('wait delays the call when an earlier response showed everything', async () => {
  const { write, ask } = await openScene();
  await write('a.md');
  assert.equal(await ask(null, { waitSeconds: 30 }), 'a.md');
  const held = ask(null, { waitSeconds: 30 });
  assert.equal(await Promise.race([held, ask({ time: deps.clock() })]), '');
  await write('b.md');
  assert.equal(await held, 'a.md,b.md');
});

test('the first response to a key has the last day; a time as since does not move its cursor', async () => {
  const { write, ask } = await openScene();
  await write('old.md');
  advance(24 * 60 * minuteMs + 1);
  await write('a.md');
  assert.equal(await ask({ seq: 0 }), 'old.md,a.md');
  assert.equal(await ask({ time: deps.clock() - minuteMs }), 'a.md');
  assert.equal(await ask(), 'a.md');
});

test('each key and each workspace has its own cursor, and a revoked key has none', async () => {
  const { write, ask, keyId, workspaceId } = await openScene();
  const other = await openScene();
  await write('a.md');
  assert.equal(await ask(), 'a.md');
  await other.write('b.md');
  assert.equal(await other.ask(), 'b.md');
  const { cursors } = deps.store.reader;
  assert.equal((await cursors.find(keyId, workspaceId)).length, 1);
  assert.equal((await cursors.find(keyId, other.workspaceId)).length, 0);
  await revokeAnyKey(deps, keyId);
  assert.equal((await cursors.find(keyId, workspaceId)).length, 0);
  const credential = { via: 'key', credentialId: keyId, userId: 'ada' } as const;
  const now = deps.clock();
  const shown = {
    path: parsePathPrefix(''),
    fromSeq: 0,
    fromAt: now,
    toSeq: 1,
    isConfirming: false,
    at: now,
  };
  const late = deps.store.transact(recordCursorScript, { credential, now, keyId, workspaceId, shown });
  await assert.rejects(late, { code: 'invalid_api_key' });
  assert.equal((await cursors.find(keyId, workspaceId)).length, 0);
});

test('other requests are served between the pages of a long feed', async () => {
  const { write, agent, workspaceId } = await openScene();
  const count = 1001;
  await Promise.all(Array.from({ length: count }, (_, at) => write(`${at}.md`)));
  const access = await openWorkspace(deps, agent, workspaceId);
  const signal = new AbortController().signal;
  const query = { since: { seq: 0 }, prefix: parsePathPrefix(''), waitSeconds: 0, signal };
  let others = 0;
  const serve = () => {
    others += 1;
    next = setImmediate(serve);
  };
  let next = setImmediate(serve);
  const { files } = await catchUp({ ...deps, feedWaiters }, access, query);
  clearImmediate(next);
  assert.equal(files.length, count);
  assert.ok(others >= 2, `${others} other callbacks`);
});

test('a jump of the feed by a restore skips no change', async () => {
  const { write, ask, workspaceId } = await openScene();
  await write('a.md');
  await deps.store.transact(jumpFeedScript, { workspaceId, now: deps.clock() });
  await write('b.md');
  assert.equal(await ask({ seq: 0 }), 'a.md,b.md');
});
