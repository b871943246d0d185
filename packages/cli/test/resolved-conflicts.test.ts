import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sendOverHttp } from '../src/send-over-http.ts';
import { openLinkedWorkspace } from './support/linked-workspace.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

const read = 'first\n\nmiddle\n\nlast\n';
const mine = 'first\n\nmiddle\n\nmine\n';
const theirs = 'theirs\n\nmiddle\n\nlast\n';

/** A linked folder with the conflicted copy of a text that lost. */
async function conflicted(home: string) {
  const { link, files } = await openLinkedWorkspace();
  const folder = join(home, 'a');
  const stoa = await link(folder);
  await writeFile(join(folder, 'a.md'), read);
  await stoa('sync');
  await files.put('a.md', theirs, { ifMatch: 1 });
  await writeFile(join(folder, 'a.md'), mine);
  assert.equal((await stoa('sync')).code, 6);
  const copy = (await stoa('conflicts', '-q')).stdout.split('\n')[0] ?? '';
  return { files, folder, stoa, copy };
}

for (const [words, kept] of [
  [['keep', '--mine'], mine],
  [['keep', '--theirs'], theirs],
  [['merge'], 'theirs\n\nmiddle\n\nmine\n'],
] as const) {
  test(`conflicts ${words.join(' ')} resolves a copy by one request`, async () => {
    await using home = await makeFolder();
    const { files, folder, stoa, copy } = await conflicted(home.path);
    const changes: string[] = [];
    const cutAfterTheFirstChange: typeof sendOverHttp = async (address, sent) => {
      if (changes.length > 0) throw new Error('the connection is cut');
      const response = await sendOverHttp(address, sent);
      if (sent.method === 'GET' || sent.method === 'HEAD') return response;
      changes.push(sent.method);
      await response.body?.cancel();
      throw new Error('the connection is cut');
    };
    const cut = await runStoa(['conflicts', ...words, copy], { cwd: folder, send: cutAfterTheFirstChange });
    assert.equal(cut.code, 5, cut.stderr);
    assert.equal((await files.get('a.md')).bytes.toString(), kept);
    assert.equal((await files.get(copy)).status, 404);
    assert.deepEqual(changes, ['POST']);

    assert.equal((await stoa('sync')).code, 0);
    assert.equal((await stoa('conflicts')).stdout, '');
  });
}

test('conflicts keep --mine replaces the file of a renamed copy, which the server does not connect', async () => {
  await using home = await makeFolder();
  const { files, folder, stoa, copy } = await conflicted(home.path);
  await rename(join(folder, copy), join(folder, 'mine.md'));
  assert.equal((await stoa('sync')).code, 0);

  const merged = await stoa('conflicts', 'merge', 'mine.md');
  assert.deepEqual([merged.code, (await files.get('mine.md')).status], [1, 200], merged.stdout);
  assert.match(merged.stderr, /It is not known what both texts began from\./);
  assert.equal((await stoa('conflicts', 'keep', 'mine.md', '--mine')).stdout, 'a.md 3; the copy is gone.\n');
  assert.equal((await files.get('a.md')).bytes.toString(), mine);
  assert.equal((await files.get('mine.md')).status, 404);
});

test('conflicts keep --theirs leaves a copy whose file is gone, and names the next step', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
  const stoa = await link(join(home.path, 'a'));
  const copy = 'n (conflicted copy 2026-11-30 162311 Bob).md';
  await files.put(copy, mine);
  const kept = await stoa('conflicts', 'keep', copy, '--theirs');
  assert.equal(kept.code, 1, kept.stdout);
  assert.match(kept.stderr, /n\.md is gone, so the copy is the only text left\..*--mine/s);
  assert.equal((await files.get(copy)).bytes.toString(), mine);
});
