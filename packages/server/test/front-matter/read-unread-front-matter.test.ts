import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { parsePathPrefix, parseWorkspacePath, WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../../src/service/access.ts';
import { readUnreadFrontMatter } from '../../src/service/files/read-unread-front-matter.ts';
import { withDetailedListing } from '../../src/service/files/with-listing.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import { contentFrontMatterOf } from '../../src/service/front-matter/front-matter-reader.ts';
import { bytesOf, type OpenedService, openService, personNamed } from '../support/open-service.ts';

type Deps = OpenedService['deps'];

const nothing = { contents: 0, withFrontMatter: 0, missing: 0, more: false };
const long = '# filler\n'.repeat(200);
const withTitle = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\ntext\n`;

/** Simulates that too many callers wait for a parser. */
const busy: Deps['frontMatter'] = contentFrontMatterOf({
  ask: async () => {
    throw new WorkspaceError('overloaded');
  },
});

async function write(deps: Deps, access: WorkspaceAccess, path: string, text: string): Promise<void> {
  const outcome = await writeFile(deps, access, {
    path: parseWorkspacePath(path),
    precondition: { kind: 'absent' },
    onConflict: 'keep',
    contentType: null,
    body: bytesOf(text),
    emptyAllowed: true,
  });
  assert.equal(outcome.kind, 'created');
}

async function titles(deps: Deps, access: WorkspaceAccess): Promise<Record<string, string | null>> {
  return withDetailedListing(deps, access, { prefix: parsePathPrefix('') }, async ({ pages }) => {
    const rows = (await Array.fromAsync(pages)).flat();
    return Object.fromEntries(rows.map(({ path, frontMatter }) => [path, frontMatter?.title ?? null]));
  });
}

/**
 * Restores the state that a version without front matter left after the migration. Reads see it from the next
 * tick on.
 */
async function asBefore(service: OpenedService): Promise<void> {
  const db = new DatabaseSync(join(service.dataDir, 'stoa.db'));
  db.exec(`delete from front_matter;
    insert or ignore into front_matter_unread select workspace_id, content_hash from blob`);
  db.close();
  await nextTick();
}

test('files of an earlier version are read, wherever their bytes are', async (t) => {
  const service = await openService();
  t.after(() => service[Symbol.asyncDispose]());
  const { deps } = service;
  const access = await service.openWorkspace(personNamed('Ada'));
  const other = await service.openWorkspace(personNamed('Ben'));
  await write(deps, access, 'short.md', withTitle('Short'));
  await write(deps, access, 'long.md', withTitle('Long', long));
  await write(deps, access, 'large.md', `${withTitle('Large')}${'x'.repeat(300_000)}`);
  await write(deps, access, 'large.txt', 'x'.repeat(200_000));
  await write(deps, access, 'none.md', '---\n');
  await write(deps, access, 'empty.md', '');
  await write(deps, other, 'short.md', withTitle('Short'));
  const expected = {
    'empty.md': null,
    'large.md': 'Large',
    'large.txt': null,
    'long.md': 'Long',
    'none.md': null,
    'short.md': 'Short',
  };
  assert.deepEqual(await titles(deps, access), expected);
  assert.deepEqual(await readUnreadFrontMatter(deps), nothing);

  await asBefore(service);
  assert.deepEqual(new Set(Object.values(await titles(deps, access))), new Set([null]));
  assert.deepEqual(await readUnreadFrontMatter(deps), { ...nothing, contents: 7, withFrontMatter: 4 });
  assert.deepEqual(await titles(deps, access), expected);
  assert.deepEqual(await titles(deps, other), { 'short.md': 'Short' });
  assert.deepEqual(await readUnreadFrontMatter(deps), nothing);
});

test('several can read at once, and a stopped read is continued', async (t) => {
  const service = await openService();
  t.after(() => service[Symbol.asyncDispose]());
  const { deps } = service;
  const access = await service.openWorkspace(personNamed('Ada'));
  const count = 120;
  for (let n = 0; n < count; n += 1) await write(deps, access, `${n}.md`, withTitle(`Number ${n}`));
  await asBefore(service);
  const stopped = await readUnreadFrontMatter(deps, AbortSignal.abort());
  assert.deepEqual(stopped, { ...nothing, more: true });
  const reports = await Promise.all([readUnreadFrontMatter(deps), readUnreadFrontMatter(deps)]);
  for (const { more } of reports) assert.equal(more, false);
  const found = await titles(deps, access);
  for (let n = 0; n < count; n += 1) assert.equal(found[`${n}.md`], `Number ${n}`);
  assert.deepEqual(await readUnreadFrontMatter(deps), nothing);
});

test('a write does not wait for a busy parser: its front matter is read later', async (t) => {
  const service = await openService();
  t.after(() => service[Symbol.asyncDispose]());
  const { deps } = service;
  const access = await service.openWorkspace(personNamed('Ada'));
  const text = withTitle('Later', long);
  await write({ ...deps, frontMatter: busy }, access, 'a.md', text);
  assert.deepEqual(await titles(deps, access), { 'a.md': null });
  assert.deepEqual(await readUnreadFrontMatter({ ...deps, frontMatter: busy }), nothing);
  assert.deepEqual(await readUnreadFrontMatter(deps), { ...nothing, contents: 1, withFrontMatter: 1 });
  assert.deepEqual(await titles(deps, access), { 'a.md': 'Later' });
});

test('a content whose bytes are gone is given up, and delays no other', async (t) => {
  const service = await openService();
  t.after(() => service[Symbol.asyncDispose]());
  const { deps } = service;
  const access = await service.openWorkspace(personNamed('Ada'));
  await write(deps, access, 'gone.md', `${withTitle('Gone')}${'x'.repeat(300_000)}`);
  await write(deps, access, 'here.md', withTitle('Here'));
  await asBefore(service);
  await rm(join(service.dataDir, 'blobs', access.workspace.id), { recursive: true });
  const report = { ...nothing, contents: 2, withFrontMatter: 1, missing: 1 };
  assert.deepEqual(await readUnreadFrontMatter(deps), report);
  assert.deepEqual(await titles(deps, access), { 'gone.md': null, 'here.md': 'Here' });
});
