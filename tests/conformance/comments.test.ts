import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  listComments,
  listedBodies,
  postReply,
  postThread,
  putResolved,
  readThread,
  startThread,
} from '../support/comments.ts';
import { assertFlat, assertRejection } from '../support/error.ts';
import { assertJson, assertStatus, iso8601, listedPaths, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada, { name: 'Reviewer' });

const plan = [
  '# Plan',
  '',
  'We ship on Monday, after the review.',
  '',
  'Nobody ships on Friday.',
  '',
  'The end of the plan.',
  '',
].join('\n');

async function prepared(text = plan): Promise<WorkspaceClient> {
  const workspace = await createWorkspace(ada, robot.client);
  await workspace.put('plan.md', text);
  return workspace;
}

test(...claims(['comments.create-range', 'comments.thread'], 'a thread starts on a quote'), async () => {
  const workspace = await prepared();
  const response = await postThread(workspace, { path: 'plan.md', body: 'Why so soon?', quote: 'on Monday' });
  assertStatus(response, 201);
  assert.deepEqual(Object.keys(jsonOf(response)), ['thread']);
  const { id, createdAt, contextBefore, contextAfter, ...rest } = recordOf(jsonOf(response).thread);
  assert.match(String(id), /^\S+$/);
  assert.match(String(createdAt), iso8601);
  assert.ok(String(contextBefore).endsWith('We ship '));
  assert.ok(String(contextAfter).startsWith(', after the review.'));
  assert.deepEqual(rest, {
    path: 'plan.md',
    status: 'open',
    body: 'Why so soon?',
    createdBy: ada.id,
    principal: 'agent',
    actorKeyId: robot.id,
    actorLabel: 'Reviewer',
    anchorKind: 'range',
    quote: 'on Monday',
    anchorStatus: 'anchored',
    currentText: 'on Monday',
    currentRange: { start: 16, end: 25 },
    pinnedVersion: 1,
    pinnedContentHash: sha256(plan),
    entries: [],
    entryCount: 0,
    resolvedAt: null,
    resolvedAtVersion: null,
    resolvedBy: null,
  });
  assert.deepEqual(await listComments(workspace), {
    threads: [jsonOf(response).thread],
    total: 1,
    nextOffset: null,
    truncated: false,
  });
});

test(...claims('comments.create-point', 'a thread starts between two contexts'), async () => {
  const workspace = await prepared();
  const contexts = { contextBefore: 'after the review.\n', contextAfter: '\nNobody' };
  const thread = await startThread(workspace, { path: 'plan.md', kind: 'point', ...contexts });
  assert.equal(thread.anchorKind, 'point');
  assert.equal(thread.quote, null);
  assert.equal(thread.currentText, '');
  const at = plan.indexOf('\nNobody');
  assert.deepEqual(thread.currentRange, { start: at, end: at });
  for (const wrong of [
    { contextBefore: 'review.' },
    { contextAfter: 'Nobody' },
    { contextBefore: '', contextAfter: '' },
    { ...contexts, quote: 'Nobody' },
  ]) {
    assertRejection(await postThread(workspace, { path: 'plan.md', kind: 'point', ...wrong }), 400);
  }
});

test(
  ...claims(['comments.kind-required', 'comments.malformed'], 'a thread needs path, kind, quote and body'),
  async () => {
    const workspace = await prepared();
    const whole = { path: 'plan.md', body: 'Why?', kind: 'range', quote: 'Monday' };
    assertStatus(await workspace.post('comments', whole), 201);
    for (const wrong of [
      { kind: undefined },
      { kind: 'line' },
      { quote: undefined },
      { quote: '' },
      { quote: 7 },
      { body: undefined },
      { body: ' \n' },
      { path: undefined },
      { path: '../plan.md' },
      { occurrence: 0 },
      { occurrence: 1.5 },
      { baseVersion: '1' },
    ]) {
      assertRejection(await workspace.post('comments', { ...whole, ...wrong }), 400);
    }
    assert.equal((await listComments(workspace)).total, 1);
  },
);

test(
  ...claims(
    ['comments.ambiguous', 'comments.occurrence'],
    'a quote with several matches needs an occurrence or context',
  ),
  async () => {
    const workspace = await prepared();
    assertFlat(await postThread(workspace, { path: 'plan.md', quote: 'ship' }), 409, {
      error: 'anchor_ambiguous',
      occurrences: 2,
      matches: [
        { line: 3, excerpt: 'We ship on Monday, after the review.' },
        { line: 5, excerpt: 'Nobody ships on Friday.' },
      ],
    });
    assert.equal((await listComments(workspace)).total, 0);
    const second = await startThread(workspace, { path: 'plan.md', quote: 'ship', occurrence: 2 });
    assert.deepEqual(second.currentRange, startingAt(plan.indexOf('ships'), 4));
    const narrowed = { path: 'plan.md', quote: 'ship', contextBefore: 'We ' };
    const first = await startThread(workspace, narrowed);
    assert.deepEqual(first.currentRange, startingAt(plan.indexOf('ship'), 4));
    const third = await postThread(workspace, { path: 'plan.md', quote: 'ship', occurrence: 3 });
    assertFlat(third, 409, { error: 'anchor_not_found' });
  },
);

test(...claims('comments.not-found', 'a quote that is not in the file starts no thread'), async () => {
  const workspace = await prepared();
  const notFound = { error: 'anchor_not_found' };
  assertFlat(await postThread(workspace, { path: 'plan.md', quote: 'Tuesday' }), 409, notFound);
  const wrongContext = { path: 'plan.md', quote: 'Monday', contextBefore: 'Tuesday ' };
  assertFlat(await postThread(workspace, wrongContext), 409, notFound);
  assert.equal((await listComments(workspace)).total, 0);
});

test(
  ...claims('comments.base-version', 'a quote of an older version is followed to the current one'),
  async () => {
    const workspace = await prepared();
    await workspace.put('plan.md', `A first line.\n\n${plan}`, { ifMatch: 1 });
    const thread = await startThread(workspace, { path: 'plan.md', quote: 'on Monday', baseVersion: 1 });
    assert.equal(thread.pinnedVersion, 2);
    assert.deepEqual(thread.currentRange, startingAt(16 + 'A first line.\n\n'.length, 9));
  },
);

test(
  ...claims('comments.base-conflict', 'a quote that has changed, or of a missing version, is a conflict'),
  async () => {
    const workspace = await prepared();
    await workspace.put('plan.md', plan.replace('on Monday, after the review', 'when it is done'), {
      ifMatch: 1,
    });
    const quoting = (baseVersion: number) =>
      postThread(workspace, { path: 'plan.md', quote: 'on Monday', baseVersion });
    const conflict = { error: 'base_version_conflict', currentVersion: 2 };
    assertFlat(await quoting(1), 409, { ...conflict, baseVersion: 1, reason: 'quote_changed' });
    assertFlat(await quoting(9), 409, { ...conflict, baseVersion: 9, reason: 'base_unavailable' });
    assertFlat(await quoting(2), 409, { error: 'anchor_not_found' });
    await workspace.remove('plan.md', 2);
    await workspace.put('plan.md', plan);
    const ofEarlierFile = { error: 'base_version_conflict', baseVersion: 2, currentVersion: 1 };
    assertFlat(await quoting(2), 409, { ...ofEarlierFile, reason: 'base_unavailable' });
    assert.equal((await listComments(workspace)).total, 0);
  },
);

test(...claims('comments.not-markdown', 'only markdown files can be commented on'), async () => {
  const workspace = await prepared();
  await workspace.put('plan.txt', plan);
  await workspace.put('typed', plan, { contentType: 'text/markdown' });
  const thread = { path: 'plan.txt', quote: 'Monday' };
  assertFlat(await postThread(workspace, thread), 400, { error: 'not_markdown' });
  assertStatus(await postThread(workspace, { ...thread, path: 'typed' }), 201);
  assertRejection(await postThread(workspace, { ...thread, path: 'none.md' }), 404);
});

test(...claims('comments.limits', 'body, quote and contexts are bounded in bytes'), async () => {
  const long = 'é'.repeat(2048);
  const workspace = await prepared(`${'b'.repeat(512)}${long}${'a'.repeat(512)}\n`);
  const fits = {
    path: 'plan.md',
    body: 'é'.repeat(32 * 1024),
    quote: long,
    contextBefore: 'b'.repeat(512),
    contextAfter: 'a'.repeat(512),
  };
  const thread = await startThread(workspace, fits);
  const tooLong = { says: /65536 bytes/ };
  assertRejection(await postThread(workspace, { ...fits, body: `${fits.body}x` }), 400, tooLong);
  assertRejection(await postThread(workspace, { ...fits, quote: `${long}a` }), 400, { says: /4096 bytes/ });
  for (const side of ['contextBefore', 'contextAfter']) {
    const wrong = { ...fits, [side]: 'b'.repeat(513) };
    assertRejection(await postThread(workspace, wrong), 400, { says: /512 bytes/ });
  }
  assertStatus(await postReply(workspace, thread, { body: fits.body }), 201);
  assertRejection(await postReply(workspace, thread, { body: `${fits.body}x` }), 400, tooLong);
});

test(...claims(['comments.reply', 'comments.entry'], 'people and agents reply'), async () => {
  const workspace = await prepared();
  const thread = await startThread(workspace, { path: 'plan.md', quote: 'Monday' });
  const response = await postReply(workspace.as(ada.session), thread, { body: 'Because.' });
  assertStatus(response, 201);
  const { entry, deduped } = jsonOf(response);
  assert.equal(deduped, false);
  const { id, createdAt, ...rest } = recordOf(entry);
  assert.match(String(id), /^\S+$/);
  assert.match(String(createdAt), iso8601);
  assert.deepEqual(rest, {
    threadId: thread.id,
    body: 'Because.',
    createdBy: ada.id,
    principal: 'human',
    actorKeyId: null,
    actorLabel: null,
  });
  assertStatus(await postReply(workspace, thread, { body: 'I see.' }), 201);
  const { entries, entryCount } = await readThread(workspace, thread);
  assert.deepEqual(Object(entries)[0], entry);
  assert.equal(Object(entries)[1].body, 'I see.');
  assert.equal(entryCount, 2);
  for (const wrong of [{}, { body: '' }, { body: 7 }, { body: 'x', dedupeKey: '' }]) {
    assertRejection(await postReply(workspace, thread, wrong), 400);
  }
  assertRejection(await workspace.post('comments/thread_none/replies', { body: 'x' }), 404);
});

test(...claims('comments.dedupe', 'a reply sent again with its key is recorded once'), async () => {
  const workspace = await prepared();
  const thread = await startThread(workspace, { path: 'plan.md', quote: 'Monday' });
  const other = await startThread(workspace, { path: 'plan.md', quote: 'Friday' });
  const reply = { body: 'Done.', dedupeKey: 'turn-7' };
  const [first, again] = await Promise.all([
    postReply(workspace, thread, reply),
    postReply(workspace, thread, reply),
  ]);
  assertStatus(first, 201);
  assertStatus(again, 201);
  assert.deepEqual(jsonOf(first).entry, jsonOf(again).entry);
  assert.deepEqual([jsonOf(first).deduped, jsonOf(again).deduped].toSorted(), [false, true]);
  assert.equal(jsonOf(await postReply(workspace, other, reply)).deduped, false);
  assert.equal((await readThread(workspace, thread)).entryCount, 1);
});

test(...claims('comments.resolve', 'a thread is resolved and opened again'), async () => {
  const workspace = await prepared();
  const thread = await startThread(workspace, { path: 'plan.md', quote: 'Monday' });
  await workspace.put('plan.md', `${plan}More.\n`, { ifMatch: 1 });
  const open = { resolvedAt: null, resolvedAtVersion: null, resolvedBy: null };
  assertJson(await putResolved(workspace, thread, false), 200, {
    ok: true,
    resolved: false,
    changed: false,
    ...open,
  });
  const response = await putResolved(workspace, thread, true);
  assertStatus(response, 200);
  const { resolvedAt, ...rest } = jsonOf(response);
  assert.match(String(resolvedAt), iso8601);
  assert.deepEqual(rest, {
    ok: true,
    resolved: true,
    changed: true,
    resolvedAtVersion: 2,
    resolvedBy: ada.id,
  });
  await workspace.put('plan.md', `${plan}Still more.\n`, { ifMatch: 2 });
  assertJson(await putResolved(workspace, thread, true), 200, { ...jsonOf(response), changed: false });
  const now = await readThread(workspace, thread);
  assert.deepEqual([now.status, now.resolvedAtVersion, now.resolvedBy], ['resolved', 2, ada.id]);
  assertJson(await putResolved(workspace, thread, false), 200, {
    ok: true,
    resolved: false,
    changed: true,
    ...open,
  });
  assert.equal((await readThread(workspace, thread)).status, 'open');
  assertRejection(await putResolved(workspace, thread, 'yes'), 400);
  assertRejection(await putResolved(workspace, { id: 'thread_none' }, true), 404);
});

test(...claims('comments.not-files', 'threads are not files'), async () => {
  const workspace = await prepared();
  const before = jsonOf(await workspace.query('usage'));
  await startThread(workspace, { path: 'plan.md', quote: 'Monday', body: 'a sentence of its own' });
  assert.deepEqual(await listedPaths(workspace), ['plan.md']);
  assert.deepEqual(jsonOf(await workspace.query('usage')), before);
  assert.equal(jsonOf(await workspace.query('search', { q: 'thread' })).totalMatches, 0);
  const versions = jsonOf(await workspace.query('versions', { path: 'plan.md' }));
  assert.equal(recordsAt(versions, 'versions').length, 1);
  assert.deepEqual(await listedBodies(workspace), ['a sentence of its own']);
});

test(
  ...claims('comments.pinned', 'the text that a thread was written against can be downloaded'),
  async () => {
    const workspace = await prepared();
    const thread = await startThread(workspace, { path: 'plan.md', quote: 'Monday' });
    await workspace.put('plan.md', 'Something else.\n', { ifMatch: 1 });
    await workspace.post('move', { from: 'plan.md', to: 'ideas/the plan.md' });
    await workspace.remove('ideas/the plan.md', 1);
    const response = await workspace.query(`comments/${textAt(thread, 'id')}/pinned-content`);
    assertStatus(response, 200);
    assert.equal(response.bytes.toString(), plan);
    assert.deepEqual(response.headers.get('content-type'), ['text/markdown']);
    assert.deepEqual(response.headers.get('content-disposition'), ['attachment; filename="the plan.md"']);
    assert.deepEqual(response.headers.get('x-service-version'), ['1']);
    assert.deepEqual(response.headers.get('x-service-content-hash'), [sha256(plan)]);
    assertRejection(await workspace.query('comments/thread_none/pinned-content'), 404);
  },
);

function startingAt(start: number, length: number) {
  return { start, end: start + length };
}
