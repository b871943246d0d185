import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentChanges, listComments, readThread } from '../support/comments.ts';
import { iso8601, sha256 } from '../support/expect.ts';
import { join } from '../support/invites.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { type JsonRecord, recordOf } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada, { name: 'Reviewer' });

const plan = [
  '# Plan',
  '',
  'We ship on Monday, after the review — “soon”.',
  '',
  'Nobody ships on Friday.',
  '',
  'The end of the plan.',
  '',
].join('\n');

async function openWorkspace(text = plan) {
  const workspace = await createWorkspace(ada, key.client);
  await workspace.put('plan.md', text);
  const mcp = openMcp(server, key, { workspaceId: workspace.id });
  const whole = (given: JsonRecord) => ({ path: 'plan.md', body: 'Why?', ...given });
  return {
    workspace,
    mcp,
    add: (given: JsonRecord) => dataOf(mcp, 'add_comment', whole(given)),
    refused: (given: JsonRecord, says: RegExp) => assertHardError(mcp, 'add_comment', whole(given), says),
    /** Starts a thread and asserts that it exists. */
    async start(given: JsonRecord): Promise<JsonRecord> {
      const { ok, thread, ...more } = await dataOf(mcp, 'add_comment', whole(given));
      assert.deepEqual([ok, more], [true, {}]);
      return recordOf(thread);
    },
  };
}

/** Asserts that there is no thread and no line in the feed. */
async function assertNothingStarted(workspace: WorkspaceClient): Promise<void> {
  assert.equal((await listComments(workspace)).total, 0);
  assert.deepEqual(await commentChanges(workspace), []);
}

test(
  ...claims(['mcp.add-comment', 'mcp.add-comment.range'], 'an agent starts a thread on a quote'),
  async () => {
    const { workspace, start, refused: rejected } = await openWorkspace();
    await rejected({}, /^quote: is needed for a range/);
    await rejected({ kind: 'range' }, /^quote: is needed for a range/);
    await rejected({ contextBefore: 'ship ', contextAfter: ',' }, /^quote: is needed for a range/);
    await rejected({ quote: '' }, /^quote: must not be empty/);
    await rejected({ quote: 'Monday', body: ' \n' }, /^body: must not be empty/);
    await assertNothingStarted(workspace);

    const thread = await start({ body: 'Why so\n"soon"?', quote: 'on Monday' });
    const { id, createdAt, contextBefore, contextAfter, ...rest } = thread;
    assert.match(String(id), /^\S+$/);
    assert.match(String(createdAt), iso8601);
    assert.ok(String(contextBefore).endsWith('We ship '));
    assert.ok(String(contextAfter).startsWith(', after the review'));
    assert.deepEqual(rest, {
      path: 'plan.md',
      status: 'open',
      body: 'Why so\n"soon"?',
      createdBy: ada.id,
      principal: 'agent',
      actorKeyId: key.id,
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
    assert.deepEqual(await readThread(workspace, thread), thread);

    const explicit = await start({ kind: 'range', quote: '“soon”' });
    assert.deepEqual([explicit.anchorKind, explicit.currentRange], ['range', rangeOf('“soon”')]);
    const lines = (await commentChanges(workspace)).map(({ op, path }) => `${op} ${path}`);
    assert.deepEqual(lines, ['comment_created plan.md', 'comment_created plan.md']);
  },
);

test(
  ...claims(
    ['mcp.add-comment.point', 'mcp.add-comment.kind'],
    'an agent starts a thread between two contexts',
  ),
  async () => {
    const { workspace, start, refused: rejected } = await openWorkspace();
    const contexts = { contextBefore: '“soon”.\n', contextAfter: '\nNobody' };
    const point = { kind: 'point', ...contexts };
    await rejected({ ...point, quote: 'Nobody' }, /^quote: is not for a point/);
    await rejected({ ...point, contextAfter: undefined }, /^contextAfter: is needed for a point/);
    await rejected({ ...point, contextBefore: undefined }, /^contextBefore: is needed for a point/);
    await rejected({ ...point, contextBefore: '', contextAfter: '' }, /^contextBefore: must not be empty/);
    for (const kind of ['line', 'Point', '', 7]) {
      await rejected({ ...contexts, kind }, /^kind: must be range or point/);
      await rejected({ quote: 'Monday', kind }, /^kind: must be range or point/);
    }
    await assertNothingStarted(workspace);

    const thread = await start(point);
    const { start: at } = rangeOf('\nNobody');
    assert.deepEqual([thread.anchorKind, thread.quote, thread.currentText], ['point', null, '']);
    assert.deepEqual([thread.anchorStatus, thread.currentRange], ['anchored', { start: at, end: at }]);
    assert.deepEqual(await readThread(workspace, thread), thread);
  },
);

test(
  ...claims(
    ['mcp.add-comment.body-limit', 'mcp.add-comment.quote-limit', 'mcp.add-comment.context-limit'],
    'body, quote and contexts are bounded in bytes, and the error names the bound',
  ),
  async () => {
    const quote = 'é'.repeat(2048);
    const text = `${'b'.repeat(512)}${quote}${'a'.repeat(512)}\n`;
    const { workspace, start, refused: rejected } = await openWorkspace(text);
    const fits = {
      body: 'é'.repeat(32 * 1024),
      quote,
      contextBefore: 'b'.repeat(512),
      contextAfter: 'a'.repeat(512),
    };
    await rejected({ ...fits, body: `${fits.body}x` }, /^body: .*65536 bytes \(64 KiB/);
    await rejected({ ...fits, quote: `${quote}a` }, /^quote: .*4096 bytes \(4 KiB/);
    await rejected({ ...fits, contextBefore: 'b'.repeat(513) }, /^contextBefore: .*512 bytes/);
    await rejected({ ...fits, contextAfter: 'é'.repeat(257) }, /^contextAfter: .*512 bytes/);
    await assertNothingStarted(workspace);
    const thread = await start(fits);
    assert.deepEqual([thread.body, thread.quote], [fits.body, quote]);
    assert.deepEqual(thread.currentRange, { start: 512, end: 512 + 4096 });
  },
);

test(
  ...claims(
    [
      'mcp.add-comment.ambiguous',
      'mcp.add-comment.context',
      'mcp.add-comment.occurrence',
      'mcp.add-comment.nothing',
    ],
    'a quote with several matches needs an occurrence or context',
  ),
  async () => {
    const { workspace, add, start, refused: rejected } = await openWorkspace();
    assert.deepEqual(await add({ quote: 'ship' }), {
      ok: false,
      error: 'anchor_ambiguous',
      occurrences: 2,
      matches: [
        { line: 3, excerpt: 'We ship on Monday, after the review — “soon”.' },
        { line: 5, excerpt: 'Nobody ships on Friday.' },
      ],
    });
    assert.equal((await add({ quote: 'the' })).occurrences, 2);
    assert.equal((await add({ quote: 'the', contextBefore: '' })).occurrences, 2);
    assert.deepEqual(await add({ quote: 'ship', occurrence: 3 }), { ok: false, error: 'anchor_not_found' });
    for (const occurrence of [0, -1, 1.5, 'one']) {
      await rejected({ quote: 'ship', occurrence }, /^occurrence: .*at least 1/);
    }
    await assertNothingStarted(workspace);

    const first = rangeOf('ship');
    const second = { start: rangeOf('ships').start, end: rangeOf('ships').end - 1 };
    for (const [given, range] of [
      [{ occurrence: 1 }, first],
      [{ occurrence: 2 }, second],
      [{ contextBefore: 'We ' }, first],
      [{ contextAfter: 's on' }, second],
      [{ contextBefore: 'Nobody ', contextAfter: 's on' }, second],
    ] as const) {
      assert.deepEqual((await start({ quote: 'ship', ...given })).currentRange, range, JSON.stringify(given));
    }
  },
);

test(
  ...claims(
    ['mcp.add-comment.not-found', 'mcp.add-comment.nothing'],
    'a quote that is not in the file starts no thread',
  ),
  async () => {
    const { workspace, mcp, add } = await openWorkspace();
    const notFound = { ok: false, error: 'anchor_not_found' };
    assert.deepEqual(await add({ quote: 'Tuesday' }), notFound);
    assert.deepEqual(await add({ quote: 'on monday' }), notFound);
    assert.deepEqual(await add({ quote: 'Monday', contextBefore: 'Tuesday ' }), notFound);
    const point = { kind: 'point', contextBefore: 'Monday', contextAfter: 'Friday' };
    assert.deepEqual(await add(point), notFound);
    await assertNothingStarted(workspace);
    const { text } = await mcp.call('add_comment', { path: 'plan.md', body: 'x', quote: 'Tuesday' });
    assert.match(text, /No thread was started.*Read the file again/);
  },
);

test(...claims('mcp.add-comment.base-version', 'a quote of an older version is followed'), async () => {
  const { workspace, start } = await openWorkspace();
  const { start: from, end } = rangeOf('on Monday');
  let version = 1;
  // The second text has the quote twice. The version that was read has it once.
  for (const added of ['A first line.\n\n', 'Not on Monday!\n\n']) {
    await workspace.put('plan.md', added + plan, { ifMatch: version });
    version += 1;
    const thread = await start({ quote: 'on Monday', baseVersion: 1 });
    assert.deepEqual([thread.pinnedVersion, thread.currentText], [version, 'on Monday']);
    assert.deepEqual(thread.currentRange, { start: from + added.length, end: end + added.length });
  }
});

test(
  ...claims(
    ['mcp.add-comment.base-conflict', 'mcp.add-comment.base-unavailable', 'mcp.add-comment.nothing'],
    'a quote that has changed, or of a missing version, starts no thread',
  ),
  async () => {
    const { workspace, add, refused: rejected } = await openWorkspace();
    const rewritten = plan.replace('on Monday, after the review', 'when it is done');
    await workspace.put('plan.md', rewritten, { ifMatch: 1 });
    const quoting = (baseVersion: number) => add({ quote: 'on Monday', baseVersion });
    const conflict = { ok: false, error: 'base_version_conflict', currentVersion: 2 };
    assert.deepEqual(await quoting(1), { ...conflict, baseVersion: 1, reason: 'quote_changed' });
    for (const baseVersion of [3, 1_000_000_000]) {
      assert.deepEqual(await quoting(baseVersion), { ...conflict, baseVersion, reason: 'base_unavailable' });
    }
    assert.deepEqual(await quoting(2), { ok: false, error: 'anchor_not_found' });
    for (const baseVersion of [0, -1, 1.5, 'one']) {
      await rejected({ quote: 'ship', baseVersion }, /^baseVersion: .*at least 1/);
    }
    await workspace.remove('plan.md', 2);
    await workspace.put('plan.md', plan);
    const earlier = { ...conflict, baseVersion: 2, currentVersion: 1 };
    assert.deepEqual(await quoting(2), { ...earlier, reason: 'base_unavailable' });
    await assertNothingStarted(workspace);
  },
);

test(...claims('mcp.add-comment.not-markdown', 'only markdown files can be commented on'), async () => {
  const { workspace, start, refused: rejected } = await openWorkspace();
  for (const path of ['plan.txt', 'plan.md.html', 'plan']) {
    await workspace.put(path, plan);
    const text = await rejected({ path, quote: 'Monday' }, /markdown/);
    assert.match(text, /\.md\b/);
  }
  await assertNothingStarted(workspace);
  await workspace.put('typed', plan, { contentType: 'text/markdown' });
  await workspace.put('PLAN.MARKDOWN', plan);
  for (const path of ['typed', 'PLAN.MARKDOWN']) {
    assert.equal((await start({ path, quote: 'Monday' })).path, path);
  }
});

test(
  ...claims(
    'mcp.add-comment.missing',
    'a missing file and a hidden one cannot be commented on, and look the same',
  ),
  async () => {
    const { workspace, mcp, refused: rejected, start } = await openWorkspace();
    await workspace.put('docs/a.md', plan);
    await workspace.put('gone.md', plan);
    await workspace.remove('gone.md', 1);
    const absent = await rejected({ path: 'none.md', quote: 'Monday' }, /^File not found/);
    for (const path of ['docs', 'Plan.md']) {
      assert.equal(await rejected({ path, quote: 'Monday' }, /^File not found/), absent);
    }

    const ben = await signUp(server, 'Ben');
    await join(ada, ben, workspace.id);
    const bens = openMcp(server, await createKey(ben), { workspaceId: workspace.id });
    await workspace.put('docs/a.txt', plan);
    await textOf(mcp, 'set_private', { path: 'docs' });
    for (const given of [
      { path: 'docs/a.md', quote: 'Monday' },
      { path: 'docs/a.md', quote: 'nowhere' },
      { path: 'docs/a.md', quote: 'ship' },
      { path: 'docs/a.md', quote: 'Monday', baseVersion: 9 },
      { path: 'docs/a.txt', quote: 'Monday' },
      { path: 'docs/none.md', quote: 'Monday' },
      { path: 'docs', quote: 'Monday' },
    ]) {
      const said = await assertHardError(bens, 'add_comment', { body: 'x', ...given }, /^File not found/);
      assert.equal(said, absent, JSON.stringify(given));
    }
    await assertNothingStarted(workspace);
    assert.equal((await start({ path: 'docs/a.md', quote: 'Monday' })).path, 'docs/a.md');
  },
);

/** The byte range of the first match in the plan. */
function rangeOf(text: string) {
  const start = Buffer.byteLength(plan.slice(0, plan.indexOf(text)));
  return { start, end: start + Buffer.byteLength(text) };
}
