import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parsePathPrefix, parseWorkspacePath } from '@stoa/core';
import { type Caller, openWorkspace } from '../../src/service/access.ts';
import { jumpFeedScript } from '../../src/service/checking/repair.ts';
import { type CaughtUp, catchUp } from '../../src/service/feed/catch-up.ts';
import { createFeedWaiters } from '../../src/service/feed/feed-waiters.ts';
import { noteBookmarkScript } from '../../src/service/feed/note-bookmark.ts';
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

/** A workspace in which Ada writes in the app, and a key of hers asks. */
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
    /** What is told, one path behind the other. */
    ask: async (since: Parameters<typeof catchUp>[2]['since'] = null) => {
      const access = await openWorkspace(deps, agent, workspace.id);
      const query = { since, prefix: parsePathPrefix(''), waitSeconds: 0 };
      const signal = new AbortController().signal;
      return pathsOf(await catchUp({ ...deps, feedWaiters }, access, { ...query, signal }));
    },
  };
}

function pathsOf({ files }: CaughtUp): string {
  return files.map(({ path }) => path).join();
}

test('an answer is the start of the next one only when that comes more than ten minutes later', async () => {
  const { write, ask } = await openScene();
  await write('a.md');
  assert.equal(await ask(), 'a.md');
  advance(10 * minuteMs);
  await write('b.md');
  assert.equal(await ask(), 'a.md,b.md');
  advance(10 * minuteMs + 1);
  await write('c.md');
  assert.equal(await ask(), 'c.md');
  advance(minuteMs);
  assert.equal(await ask(), 'c.md');
  advance(10 * minuteMs + 1);
  assert.equal(await ask(), '');
});

test('the first answer to a key has the last day, and since leaves its place alone', async () => {
  const { write, ask } = await openScene();
  await write('old.md');
  advance(24 * 60 * minuteMs + 1);
  await write('a.md');
  assert.equal(await ask({ seq: 0 }), 'old.md,a.md');
  assert.equal(await ask(), 'a.md');
  advance(11 * minuteMs);
  await write('b.md');
  assert.equal(await ask({ seq: 0 }), 'old.md,a.md,b.md');
  assert.equal(await ask({ time: deps.clock() - minuteMs }), 'b.md');
  assert.equal(await ask(), 'b.md');
});

test('each key and each workspace has a place of its own, and a revoked key none', async () => {
  const { write, ask, keyId, workspaceId } = await openScene();
  const other = await openScene();
  await write('a.md');
  assert.equal(await ask(), 'a.md');
  advance(11 * minuteMs);
  assert.equal(await ask(), '');
  await other.write('b.md');
  assert.equal(await other.ask(), 'b.md');
  const { bookmarks } = deps.store.reader;
  const bookmark = await bookmarks.find(keyId, workspaceId);
  assert.ok(bookmark !== null);
  assert.equal(await bookmarks.find(keyId, other.workspaceId), null);
  await revokeAnyKey(deps, keyId);
  assert.equal(await bookmarks.find(keyId, workspaceId), null);
  const credential = { via: 'key', credentialId: keyId, userId: 'ada' } as const;
  const late = deps.store.transact(noteBookmarkScript, {
    credential,
    now: deps.clock(),
    workspaceId,
    bookmark,
  });
  await assert.rejects(late, { code: 'invalid_api_key' });
  assert.equal(await bookmarks.find(keyId, workspaceId), null);
});

test('others are served between the pages of a long stretch', async () => {
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
  assert.ok(others >= 2, `${others} turns of others`);
});

test('a jump of the feed, as a restore makes it, shortens nothing', async () => {
  const { write, ask, workspaceId } = await openScene();
  await write('a.md');
  await deps.store.transact(jumpFeedScript, { workspaceId, now: deps.clock() });
  await write('b.md');
  assert.equal(await ask({ seq: 0 }), 'a.md,b.md');
});
