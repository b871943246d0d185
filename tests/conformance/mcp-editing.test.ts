import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const claude = await createKey(ada, { name: 'Claude', actorType: 'agent' });
const codex = await createKey(ada, { name: 'Codex', actorType: 'agent' });

async function openWorkspace() {
  const { id } = await createWorkspace(ada);
  const as = (key: typeof claude) => openMcp(server, key, { workspaceId: id, toolSet: 'extended' });
  const [mcp, other] = [as(claude), as(codex)];
  const write = async (path: string, content: string) => {
    const { version } = await dataOf(mcp, 'write_file', { path, content });
    return Number(version);
  };
  const contentOf = async (path: string) => (await dataOf(mcp, 'read_file', { path })).content;
  const edit = (given: Readonly<Record<string, unknown>>, by = mcp) =>
    by.call('edit_file', { path: 'a.md', ...given });
  return { mcp, other, write, contentOf, edit };
}

const one = (oldText: string, newText: string, all?: boolean) => ({
  edits: [{ oldText, newText, ...(all === undefined ? {} : { all }) }],
});
const plan = Array.from({ length: 12 }, (_, i) => `Point ${i + 1} of the plan.\n`).join('');

test(...claims(['mcp.edit-file', 'mcp.edit-file.all'], 'parts of a file are replaced'), async () => {
  const { mcp, write, contentOf, edit } = await openWorkspace();
  await write('a.md', plan);
  const both = [
    { oldText: 'Point 12 ', newText: 'Last point ' },
    { oldText: 'Point 2 of the plan.\n', newText: '' },
  ];
  assert.deepEqual(await dataOf(mcp, 'edit_file', { path: 'a.md', edits: both }), {
    ok: true,
    version: 2,
    lines: '11-11,2-2',
  });
  const text = plan.replace('Point 12 ', 'Last point ').replace('Point 2 of the plan.\n', '');
  assert.equal(await contentOf('a.md'), text);
  const all = await edit(one('plan', 'project', true));
  assert.deepEqual(all.data, { ok: true, version: 3, lines: '1-11' });
  assert.equal(all.text, 'Updated a.md, version 3: lines 1-11.');
  assert.equal(await contentOf('a.md'), text.replaceAll('plan', 'project'));
});

test(
  ...claims(
    ['mcp.edit-file.base', 'mcp.edit-file.repeat'],
    'an edit is merged with changes of others, and only once',
  ),
  async () => {
    const { other, write, contentOf, edit } = await openWorkspace();
    await write('a.md', plan);
    await edit(one('Point 3 ', 'Third point '), other);
    const mine = { ...one('Point 4 ', 'Fourth point '), baseVersion: 1 };
    const landed = await edit(mine);
    assert.deepEqual(landed.data, {
      ok: true,
      version: 3,
      lines: '4-4',
      others: [{ lines: '3-3', by: 'Codex', version: 2 }],
    });
    assert.equal(
      landed.text,
      'Updated a.md, version 3: line 4. Others changed line 3 since version 1 (Codex, version 2).',
    );
    const text = plan.replace('Point 3 ', 'Third point ').replace('Point 4 ', 'Fourth point ');
    assert.equal(await contentOf('a.md'), text);
    assert.deepEqual((await edit(mine)).data.version, 3);
    assert.equal((await edit(mine)).data.unchanged, true);
    assert.equal(await contentOf('a.md'), text);
  },
);

test(...claims('mcp.edit-file.changed', 'a rejected edit shows the text that others changed'), async () => {
  const { other, write, contentOf, edit } = await openWorkspace();
  await write('a.md', plan);
  await edit(one('Point 7 of the plan', 'Point 7 is done'), other);
  await edit(one('Point 1 ', 'First point '));
  const both = [
    { oldText: 'Point 9 ', newText: 'Ninth point ' },
    { oldText: 'Point 7 of the plan', newText: 'Seventh' },
  ];
  const rejected = await edit({ edits: both, baseVersion: 1 });
  const current = {
    line: 6,
    text: 'Point 6 of the plan.\nPoint 7 is done.\nPoint 8 of the plan.',
  };
  assert.equal(rejected.isError, false);
  assert.deepEqual(rejected.data, {
    ok: false,
    error: 'text_changed',
    edit: 2,
    baseVersion: 1,
    currentVersion: 3,
    changedBy: { label: 'Codex', principal: 'agent', version: 2 },
    current,
    next: 'Write your edit against this, with baseVersion 3.',
  });
  assert.equal(
    rejected.text,
    `Nothing was changed: Codex (version 2) changed the text of edit 2 since version 1. From line 6 on it reads now:\n${current.text}\nWrite your edit against this, with baseVersion 3.`,
  );
  assert.match(String(await contentOf('a.md')), /Point 9 /);
});

test(...claims('mcp.edit-file.changed', 'a rejected edit names the author of the changed text'), async () => {
  const { other, write, edit } = await openWorkspace();
  await write('a.md', plan);
  const taken = { ...one('Point 7 of the plan', 'Seventh'), baseVersion: 1 };
  const named = async () => (await edit(taken)).data.changedBy;
  const codexInSecond = { label: 'Codex', principal: 'agent', version: 2 };
  await edit(one('Point 7 of the plan', 'Point 7 is done'), other);
  await edit(one('Point 8 ', 'Eighth point '));
  assert.deepEqual(await named(), codexInSecond);
  // The result does not depend on the number of changes elsewhere in the file.
  for (let n = 0; n < 9; n += 1) await edit(one(n === 0 ? 'Point 12 ' : `Last ${n} `, `Last ${n + 1} `));
  assert.deepEqual(await named(), codexInSecond);
  await edit(one('7 is done', '7 is to be done again'));
  assert.deepEqual(await named(), { label: 'Claude', principal: 'agent', version: 13 });
});

test(
  ...claims(
    ['mcp.edit-file.not-found', 'mcp.edit-file.ambiguous', 'mcp.edit-file.overlap'],
    'an edit that cannot be applied says why, and what to do',
  ),
  async () => {
    const { write, contentOf, edit } = await openWorkspace();
    await write('a.md', plan);
    const missing = await edit(one('Point 5 of the plans', 'x'));
    assert.deepEqual(missing.data, {
      ok: false,
      error: 'text_not_found',
      edit: 1,
      currentVersion: 1,
      closest: { line: 5, text: 'Point 5 of the plan.' },
      alsoSimilar: missing.data.alsoSimilar,
      next: 'If one of them is meant, copy it exactly; else read the file again.',
    });
    assert.match(
      missing.text,
      /^Nothing was changed: oldText of edit 1 is not in a\.md \(version 1\)\. Most similar: line 5 «Point 5 of the plan\.», line \d+ «.*», line \d+ «.*»\. If one of them is meant, copy it exactly; else read the file again\.$/,
    );
    assert.equal((await edit(one('entirely other words', 'x'))).data.closest, null);
    const several = await edit(one('Point 1', 'x'));
    assert.deepEqual(several.data.occurrences, 4);
    assert.match(several.text, /is there 4 times, in lines 1, 10, 11, 12\. Add text around it, or set all\./);
    const overlap = await edit({
      edits: [
        { oldText: 'Point 3 of', newText: 'x' },
        { oldText: '3 of the', newText: 'y' },
      ],
    });
    assert.deepEqual(overlap.data, {
      ok: false,
      error: 'edits_overlap',
      edits: [1, 2],
      next: 'Edits 1 and 2 overlap: make them one.',
    });
    assert.equal(overlap.text, 'Edits 1 and 2 overlap: make them one.');
    assert.equal(await contentOf('a.md'), plan);
  },
);

test(
  ...claims(
    ['mcp.edit-file.white-space', 'mcp.edit-file.bytes'],
    'line ends and all other bytes of the file stay',
  ),
  async () => {
    const { write, contentOf, edit } = await openWorkspace();
    await write('a.md', '\ufeffone  \r\ntwo\u00a0three\r\n\0\r\nend');
    const { data, text } = await edit(one('one\ntwo three', 'ONE\nTWO'));
    assert.deepEqual(data, { ok: true, version: 2, lines: '1-2', matched: [1] });
    assert.match(text, /Edit 1 matched but for white space\./);
    assert.equal(await contentOf('a.md'), '\ufeffONE\r\nTWO\r\n\0\r\nend');
  },
);

test(...claims('mcp.edit-file.base-unavailable', 'an unknown base version counts as omitted'), async () => {
  const { write, edit } = await openWorkspace();
  await write('a.md', 'one');
  const { data, text } = await edit({ ...one('one', 'two'), baseVersion: 7 });
  assert.equal(data.version, 2);
  assert.equal(data.note, 'Version 7 is not there, so the current one was taken.');
  assert.ok(text.endsWith(String(data.note)));
});

test(
  ...claims('mcp.edit-file.forms', 'edits are accepted in the forms that agents know from elsewhere'),
  async () => {
    const { mcp, write, contentOf } = await openWorkspace();
    await write('a.md', 'a b c d e f f');
    const given: readonly Readonly<Record<string, unknown>>[] = [
      { path: 'a.md', old_string: 'a', new_string: 'A' },
      { path: 'a.md', edits: { old_str: 'b', new_str: 'B' } },
      { path: 'a.md', edits: JSON.stringify([{ oldText: 'c', newText: 'C' }]) },
      { file_path: 'a.md', edits: JSON.stringify({ oldText: 'd', newText: 'D' }), baseVersion: '4' },
      { path: 'a.md', edits: [{ old_string: 'f', new_string: 'F', replace_all: true }], baseVersion: null },
      { path: 'a.md', edits: [{ old_string: 'F', new_string: 'f', replace_all: 'true' }] },
      { path: 'a.md', edits: JSON.stringify([{ oldText: 'e', newText: 'E', all: null }]) },
    ];
    for (const each of given) assert.equal((await dataOf(mcp, 'edit_file', each)).ok, true);
    assert.equal(await contentOf('a.md'), 'A B C D E f f');
  },
);

test(
  ...claims('mcp.write-file.merge', 'a stale write of the whole file merges where the changes do not touch'),
  async () => {
    const { mcp, other, write, contentOf, edit } = await openWorkspace();
    await write('a.md', plan);
    await edit(one('Point 3 ', 'Third point '), other);
    const mine = plan.replace('Point 9 ', 'Ninth point ');
    const given = { path: 'a.md', content: mine, baseVersion: 1, merge: true };
    assert.deepEqual(await dataOf(mcp, 'write_file', given), { ok: true, version: 3, merged: true });
    const merged = mine.replace('Point 3 ', 'Third point ');
    assert.equal(await contentOf('a.md'), merged);
    const touching = { ...given, content: plan.replace('Point 3 ', 'Point three ') };
    const kept = await dataOf(mcp, 'write_file', touching);
    assert.equal(kept.ok, false);
    assert.equal(await contentOf(String(kept.conflictCopyPath)), touching.content);
    assert.equal(await contentOf('a.md'), merged);
    const current = { path: 'a.md', content: 'whole', baseVersion: 3, merge: true };
    assert.deepEqual(await dataOf(mcp, 'write_file', current), { ok: true, version: 4 });
    const large = 'x'.repeat(600_000);
    assert.equal(
      (await dataOf(mcp, 'write_file', { ...current, content: large, baseVersion: 4 })).version,
      5,
    );
    await dataOf(mcp, 'append_file', { path: 'a.md', content: 'theirs' });
    const longer = { path: 'a.md', content: `mine\n${large}`, baseVersion: 5, merge: true };
    assert.equal((await dataOf(mcp, 'write_file', longer)).ok, false);
  },
);

test(...claims('mcp.edit-file.refused', 'edit_file rejects files it cannot edit'), async () => {
  const { mcp, write } = await openWorkspace();
  await write('a.md', 'a');
  const bytes = { path: 'a.bin', content: '/w==', encoding: 'base64' };
  await dataOf(mcp, 'write_file', bytes);
  const change = one('a', 'b');
  for (const [given, says] of [
    [{ path: 'none.md', ...change }, /^File not found/],
    [{ path: '../a.md', ...change }, /^Invalid path/],
    [
      { path: 'a.bin', ...change },
      /^a\.bin is not text, so edit_file cannot change it\. Next: write_file with encoding base64/,
    ],
    [{ path: 'a.md' }, /^edits is missing: it must be a list/],
    [{ path: 'a.md', edits: [] }, /^edits: .*empty/],
    [{ path: 'a.md', ...one('', 'x') }, /^edits\.0\.oldText: .*empty/],
    [{ path: 'a.md', edits: [{ oldText: 'a' }] }, /^edits\.0\.newText is missing: /],
    [{ path: 'a.md', ...one('a', '\ud800') }, /^edits\.0\.newText: .*surrogate/],
    [{ path: 'a.md', ...change, baseVersion: 0 }, /^baseVersion: /],
  ] as const) {
    await assertHardError(mcp, 'edit_file', given, says);
  }
});
