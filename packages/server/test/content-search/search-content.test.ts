import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isWithin, parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { type Random, scaled, seededRandom, seedFrom } from '../../../../tests/support/random.ts';
import {
  type ContentFound,
  type ContentQuery,
  searchContent,
} from '../../src/service/content-search/search-content.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { type CurrentFiles, createCurrentFiles } from '../../src/service/search/current-files.ts';
import { openSearched, type Searcher } from './support/searched-contents.ts';

let postgres: PostgresServer;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres[Symbol.asyncDispose]());

const backEnds = [
  ['SQLite', async () => null],
  ['PostgreSQL', () => postgres.createDatabase()],
] as const;

const words = [
  'Falcon',
  'straße',
  'ΟΔΟΣ',
  'handover',
  'a_b',
  '100%',
  'x\\y',
  '"quote"',
  '日本語',
  '😀😀😀',
  'İz',
  'in',
  'o\0o',
];
const ends = ['\n', '\r\n', ' ', '', ', ', '\n\n'];
const folders = ['', 'notes/', 'notes/2026/', 'work/'];
const unbounded = { milliseconds: 60_000, bytes: 1_000_000, countedBytes: 1_000_000 };
const changedBy = { changedAt: 0, principal: 'human', actorId: 'u', actorLabel: null } as const;
const notText = new Uint8Array([0xff, 0xfe, 0x46, 0x61]);

function someText(random: Random): string {
  let text = '';
  for (let left = random.below(12); left > 0; left -= 1) text += random.pick(words) + random.pick(ends);
  return text;
}

function someQuery(random: Random): string {
  const text = random.pick(words) + (random.below(3) === 0 ? random.pick(ends) + random.pick(words) : '');
  const characters = [...text];
  const start = random.below(characters.length);
  const part = characters.slice(start, start + 1 + random.below(characters.length)).join('');
  return random.below(2) === 0 ? part.toUpperCase() : part;
}

/** Finds the expected matches by reading every line of every file. */
function naively(files: ReadonlyMap<string, Uint8Array>, query: string, matchCase: boolean) {
  const letters = (text: string) =>
    matchCase
      ? text
      : [...text]
          .map((letter) => (letter === 'İ' ? 'i' : letter === 'ς' ? 'σ' : letter.toLowerCase()))
          .join('');
  const found: [string, number, string][] = [];
  let searched = 0;
  for (const [path, bytes] of files) {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      continue;
    }
    searched += 1;
    for (const [at, line] of text.split('\n').entries()) {
      const shown = at < text.split('\n').length - 1 ? line.replace(/\r$/, '') : line;
      if (letters(shown).includes(letters(query))) found.push([path, at + 1, shown]);
    }
  }
  return { found, searched, notText: files.size - searched };
}

const linesOf = ({ files }: ContentFound) =>
  files.flatMap(({ path, lines }) => lines.map(({ line, text }) => [path, line, text]));

async function assertAsNaive(searcher: Searcher, query: string, matchCase: boolean): Promise<void> {
  const expected = naively(await searcher.readAll(), query, matchCase);
  const found = await searcher.search(query, { matchCase });
  const what = JSON.stringify({ query, matchCase });
  assert.deepEqual(linesOf(found), expected.found.slice(0, 200), what);
  assert.equal(found.totalLines, expected.found.length, what);
  assert.deepEqual(
    [found.searchedFiles, found.skipped.notText, found.stoppedAt],
    [expected.searched, expected.notText, null],
    what,
  );
}

/** Asserts that a search below a path finds the same as a search of the whole workspace there. */
async function assertPartOfAll(searcher: Searcher, query: string, path: string): Promise<void> {
  const [all, part] = [await searcher.search(query), await searcher.search(query, { path })];
  const within = all.files.filter((file) => isWithin(file.path, path));
  assert.deepEqual(part.files, within, JSON.stringify({ query, path }));
}

for (const [name, urlOf] of backEnds) {
  test(`${name}: after any write, move, delete or privacy change a search equals a full scan`, async (t) => {
    const seed = seedFrom('STOA_CONTENT_SEED');
    t.diagnostic(`STOA_CONTENT_SEED=${seed}`);
    const random = seededRandom(seed);
    await using searched = await openSearched(await urlOf());
    const people = [await searched.member('ann'), await searched.member('ben')];
    for (let round = scaled(8); round > 0; round -= 1) {
      for (let changes = 1 + random.below(8); changes > 0; changes -= 1)
        await change(random, random.pick(people));
      if (random.below(2) === 0) await searched.index(1 + random.below(3));
      const query = someQuery(random);
      for (const searcher of people) {
        await assertAsNaive(searcher, query, random.below(3) === 0);
        await assertPartOfAll(searcher, query, random.pick(['notes', 'notes/2026', 'notes/a.md', 'work']));
      }
    }
    await searched.index();
    for (const word of words) for (const searcher of people) await assertAsNaive(searcher, word, false);
    assert.deepEqual(searched.problems, []);
  });

  test(`${name}: without an index every file is read`, async () => {
    await using searched = await openSearched(await urlOf(), { index: false });
    const ann = await searched.member('ann');
    await ann.write('a.md', 'The Falcon lands.\n');
    await ann.write('b.bin', notText);
    await assertAsNaive(ann, 'falcon', false);
  });
}

async function change(random: Random, person: Searcher): Promise<void> {
  const path = `${random.pick(folders)}${random.pick(['a', 'b', 'c'])}.md`;
  const other = `${random.pick(folders)}${random.pick(['a', 'd'])}.md`;
  const folder = random.pick(['notes', 'notes/2026', 'work']);
  try {
    switch (random.below(8)) {
      case 0:
        await person.remove(path);
        return;
      case 1:
        await person.move(path, other);
        return;
      case 2:
        await person.setPrivate(folder, 'folder', random.below(2) === 0);
        return;
      case 3:
        await person.setPrivate(path, 'file', random.below(2) === 0);
        return;
      case 4:
        await person.write(path, notText);
        return;
      default:
        await person.write(path, someText(random));
    }
  } catch (error) {
    // A user may lack the permission, or the file may be missing. Such a rejected change is also tested: it
    // changes no content.
    if (!(error instanceof WorkspaceError)) throw error;
  }
}

test('a search that uses up its byte budget reports where it ended and what it found', async () => {
  await using searched = await openSearched(null, { index: false });
  const ann = await searched.member('ann');
  for (const path of ['a.md', 'b.md', 'c.md']) await ann.write(path, 'The Falcon lands.\n');
  const little = await ann.search('falcon', {}, { ...unbounded, bytes: 40 });
  assert.deepEqual([little.totalLines, little.searchedFiles, little.stoppedAt], [2, 2, 'c.md']);
});

test('searches that end early find every line once, one after the other', async (t) => {
  const seed = seedFrom('STOA_CONTENT_SEED');
  t.diagnostic(`STOA_CONTENT_SEED=${seed}`);
  const random = seededRandom(seed);
  await using searched = await openSearched(null);
  const ann = await searched.member('ann');
  for (let n = 0; n < 30; n += 1) {
    const lines = Array.from({ length: random.below(5) }, (_, i) => random.pick([`falcon ${i}`, 'heron']));
    await ann.write(`${random.pick(['a', 'b/c'])}/n${n}.md`, lines.map((line) => `${line}\n`).join(''));
    if (random.below(3) === 0) await searched.index(1);
  }
  for (let round = scaled(10); round > 0; round -= 1) {
    const path = random.pick(['', 'b', '*.md']);
    const all = linesOf(await ann.search('falcon', { path }));
    const limit = 1 + random.below(4);
    const budget = { ...unbounded, bytes: 60 + random.below(100), countedBytes: random.below(60) };
    const found: unknown[] = [];
    let next: ContentFound['next'] = { after: null, offset: random.below(2) * random.below(9) };
    const skipped = next.offset;
    for (let pages = 0; next !== null; pages += 1) {
      assert.ok(pages < 500, 'it does not get on');
      const page: ContentFound = await ann.search('falcon', { path, limit, ...next }, budget);
      found.push(...linesOf(page));
      next = page.next;
    }
    assert.deepEqual(found, all.slice(skipped), JSON.stringify({ path, limit, budget, skipped }));
  }
});

test('a full page does not wait for all counts, and a search that took too long can continue', async () => {
  await using searched = await openSearched(null, { index: false });
  const ann = await searched.member('ann');
  const large = `falcon\nfalcon\n${'x'.repeat(600_000)}`;
  for (let n = 0; n < 8; n += 1) await ann.write(`n${n}.md`, large);
  const budget = { ...unbounded, bytes: 100_000_000 };
  const found = await ann.search('falcon', { limit: 1 }, budget);
  assert.deepEqual([found.nextOffset, found.next], [1, { after: null, offset: 1 }]);
  assert.ok(found.stoppedAt !== null && found.totalLines < 16, `${found.totalLines} lines were counted`);
  assert.equal((await ann.search('falcon', { limit: 17 }, budget)).totalLines, 16);
  const short = await ann.search('falcon', {}, { ...budget, milliseconds: 0 });
  assert.deepEqual([short.totalLines, short.stoppedAt, short.nextOffset], [2, 'n1.md', null]);
  assert.deepEqual(short.next, { after: 'n0.md', offset: 0 });
});

test('a full page keeps counting if that can finish, and otherwise reads no more', async () => {
  await using searched = await openSearched(null, { index: false });
  const ann = await searched.member('ann');
  const paths = Array.from({ length: 40 }, (_, n) => `n${String(n).padStart(2, '0')}.md`);
  for (const path of paths) await ann.write(path, `falcon\nfalcon\n${path}${'x'.repeat(20_000)}`);
  let read = 0;
  const { reader } = searched.deps.store;
  const locateMany: typeof reader.blobs.locateMany = (workspaceId, hashes) => {
    read += hashes.length;
    return reader.blobs.locateMany(workspaceId, hashes);
  };
  const blobs = { ...reader.blobs, locateMany };
  const store: MetadataStore = { ...searched.deps.store, reader: { ...reader, blobs } };
  const search = (more: Partial<ContentQuery>, countedBytes: number) => {
    read = 0;
    const asked = {
      text: 'falcon',
      path: '',
      after: null,
      matchCase: false,
      context: 0,
      limit: 1,
      offset: 0,
    };
    const budget = { ...unbounded, countedBytes };
    return searchContent({ ...searched.deps, store }, ann.access, { ...asked, ...more }, budget);
  };
  const bytes = 20_020;
  const whole = await search({}, 40 * bytes);
  assert.deepEqual(
    [whole.totalLines, whole.searchedFiles, whole.stoppedAt, whole.next],
    [80, 40, null, { after: null, offset: 1 }],
  );
  // The first file fills the page, but the files that were read in the same batch count as searched.
  const cut = await search({}, 20 * bytes);
  assert.ok(cut.searchedFiles < 20 && read === cut.searchedFiles, `${read} files were read`);
  assert.deepEqual([cut.totalLines, cut.stoppedAt], [2 * cut.searchedFiles, paths[cut.searchedFiles]]);
  const last = await search({ after: parseWorkspacePath('n30.md') }, 20 * bytes);
  assert.deepEqual([last.totalLines, last.stoppedAt], [18, null]);
  // A search for counts alone gets as far as that.
  const counted = await search({ limit: 0 }, 20 * bytes);
  assert.deepEqual([counted.totalLines, counted.stoppedAt], [42, 'n21.md']);
});

test('a search that runs out of time among the files ends there, and the next one continues', async () => {
  await using searched = await openSearched(null);
  const ann = await searched.member('ann');
  await ann.write('z.md', 'a heron\n');
  await searched.index();
  const { parts } = await searched.deps.indexedTexts.known(searched.workspaceId);
  const [contentHash] = parts.get('')?.keys() ?? [];
  assert.ok(contentHash);
  const many = Array.from({ length: 4500 }, (_, n) => {
    const path = parseWorkspacePath(`n${String(n).padStart(4, '0')}.md`);
    return { path, version: 1, contentHash, sizeBytes: 10, contentType: 'text/markdown', ...changedBy };
  });
  const store: MetadataStore = {
    ...searched.deps.store,
    snapshot: (look) =>
      searched.deps.store.snapshot((reader) => {
        const contentsPage: typeof reader.files.contentsPage = async ({ afterPath, limit }) =>
          many.filter(({ path }) => path > (afterPath ?? '')).slice(0, limit);
        return look({ ...reader, files: { ...reader.files, contentsPage } });
      }),
  };
  const asked = { text: 'falcon', path: '*.md', matchCase: false, context: 0, limit: 20 };
  const pages: unknown[] = [];
  let next: ContentFound['next'] = { after: null, offset: 0 };
  while (next !== null && pages.length < 10) {
    const query = { ...asked, ...next };
    const late = { ...unbounded, milliseconds: 0 };
    const currentFiles = createCurrentFiles(store);
    const found = await searchContent({ ...searched.deps, store, currentFiles }, ann.access, query, late);
    pages.push([found.searchedFiles, found.stoppedAt, found.next?.after]);
    next = found.next;
  }
  assert.deepEqual(pages, [
    [2000, 'n2000.md', 'n1999.md'],
    [2000, 'n4000.md', 'n3999.md'],
    [500, null, undefined],
  ]);
});

test('a search reads only files that the index names, and those that came since', async () => {
  await using searched = await openSearched(null);
  const ann = await searched.member('ann');
  for (let n = 0; n < 20; n += 1) await ann.write(`n${n}.md`, `note ${n} of many\n`);
  await searched.index();
  const nothingRead = { ...unbounded, bytes: 0 };
  const none = await ann.search('falcon', {}, nothingRead);
  assert.deepEqual([none.searchedFiles, none.stoppedAt], [20, null]);
  await ann.write('n3.md', 'a falcon\n');
  await ann.move('n4.md', 'moved.md');
  assert.equal((await ann.search('falcon', {}, nothingRead)).stoppedAt, 'n3.md', 'a move changes no content');
  assert.deepEqual(linesOf(await ann.search('falcon')), [['n3.md', 1, 'a falcon']]);
  await searched.index();
  assert.deepEqual(linesOf(await ann.search('note 4 of')), [['moved.md', 1, 'note 4 of many']]);
});

for (const [name, address] of backEnds)
  test(`${name}: the index finds a part of any word, however long, and skips other texts`, async () => {
    await using searched = await openSearched(await address());
    const ann = await searched.member('ann');
    const long = 'abcdefghij'.repeat(15);
    await ann.write('long.md', `x${long}falconry${long}\n`);
    await ann.write('apart.md', 'fal alc con\n');
    await ann.write('joined.md', 'a_falcon_b and MyFalcon\n');
    await ann.write(
      'many.md',
      Array.from({ length: 60_000 }, (_, n) => `word${n}${n % 9 === 7 ? '\n' : ' '}`).join(''),
    );
    await searched.index();
    for (const text of [
      'alcon',
      `x${long}falc`,
      'nry',
      'a_falcon',
      'word59999',
      'word59999 word',
      'd12 word13',
    ])
      await assertAsNaive(ann, text, false);
    const nothingRead = { ...unbounded, bytes: 0 };
    for (const [text, stoppedAt] of [
      ['falcons', null],
      ['alcon', 'joined.md'],
      ['heron falcon', null],
      ['fal alc', 'apart.md'],
      ['alc fal', 'apart.md'],
      [`k${long}`, null],
      [`x${long}f`, 'long.md'],
      ['word59999 ', 'many.md'],
      ['word60000', null],
    ] as const)
      assert.equal((await ann.search(text, {}, nothingRead)).stoppedAt, stoppedAt, text);
  });

test('a search in a folder reads no privacy records', async () => {
  await using searched = await openSearched(null);
  const [ann, ben] = [await searched.member('ann'), await searched.member('ben')];
  for (const folder of ['a', 'a/in', 'a-b', 'b', 'c/a']) {
    for (const name of ['own.md', 'shared.md']) await ann.write(`${folder}/${name}`, 'a falcon\n');
    await ann.setPrivate(`${folder}/own.md`, 'file', true);
  }
  await ann.setPrivate('c', 'folder', true);
  const read: string[] = [];
  const store: MetadataStore = {
    ...searched.deps.store,
    snapshot: (look) =>
      searched.deps.store.snapshot((reader) => {
        const privacyPage: typeof reader.nodes.privacyPage = async (query) => {
          const page = await reader.nodes.privacyPage(query);
          read.push(...page.map(({ path }) => path));
          return page;
        };
        return look({ ...reader, nodes: { ...reader.nodes, privacyPage } });
      }),
  };
  const found = async (path: string) => {
    read.length = 0;
    const asked = { text: 'falcon', path, after: null, matchCase: false, context: 0, limit: 20, offset: 0 };
    const { files } = await searchContent({ ...searched.deps, store }, ben.access, asked);
    return files.map((file) => file.path);
  };
  assert.deepEqual(await found('a'), ['a/in/shared.md', 'a/shared.md']);
  assert.deepEqual(read, []);
  assert.deepEqual(await found('a/own.md'), []);
  assert.deepEqual(await found('a/shared.md'), ['a/shared.md']);
  assert.deepEqual(await found('c/a'), []);
  assert.deepEqual(await found('c/a/shared.md'), []);
});

test('the list of all files is read once, and then follows changes', async () => {
  await using searched = await openSearched(null);
  const [ann, ben] = [await searched.member('ann'), await searched.member('ben')];
  for (const name of ['a', 'b', 'c', 'd', 'own']) await ann.write(`${name}.md`, 'a falcon\n');
  await ann.setPrivate('own.md', 'file', true);
  let pages = 0;
  const store: MetadataStore = {
    ...searched.deps.store,
    snapshot: (look) =>
      searched.deps.store.snapshot((reader) => {
        const contentsPage: typeof reader.files.contentsPage = (query) => {
          pages += 1;
          return reader.files.contentsPage(query);
        };
        return look({ ...reader, files: { ...reader.files, contentsPage } });
      }),
  };
  const found = async ({ access }: Searcher, currentFiles: CurrentFiles) => {
    const asked = {
      text: 'falcon',
      path: '',
      after: null,
      matchCase: false,
      context: 0,
      limit: 20,
      offset: 0,
    };
    const { files } = await searchContent({ ...searched.deps, store, currentFiles }, access, asked);
    return files.map(({ path, version }) => `${path} ${version}`);
  };
  const kept = createCurrentFiles(store);
  assert.deepEqual(await found(ann, kept), ['a.md 1', 'b.md 1', 'c.md 1', 'd.md 1', 'own.md 1']);
  await ann.write('a.md', 'another falcon\n');
  await ann.remove('b.md');
  await ann.move('d.md', 'B.md');
  await ann.write('aa.md', 'a falcon\n');
  assert.deepEqual(await found(ben, kept), ['B.md 1', 'a.md 2', 'aa.md 1', 'c.md 1']);
  assert.deepEqual(await found(ann, kept), ['B.md 1', 'a.md 2', 'aa.md 1', 'c.md 1', 'own.md 1']);
  assert.equal(pages, 1);
});

for (const [name, urlOf] of backEnds) {
  test(`${name}: contents that no file has any more leave the index, and those that came back stay`, async () => {
    await using searched = await openSearched(await urlOf());
    const { deps, workspaceId } = searched;
    const ann = await searched.member('ann');
    for (let n = 0; n < 8; n += 1) await ann.write('a.md', `falcon ${n}\n`).then(() => searched.index());
    await ann.write('a.md', 'falcon 2\n');
    await searched.index();
    assert.equal(await searched.prune(), 7);
    assert.equal((await deps.indexedTexts.known(workspaceId)).count, 1);
    assert.equal((await ann.search('falcon 2')).totalLines, 1);
    await deps.wordIndex.clear(null);
    assert.equal((await ann.search('falcon 2')).totalLines, 1);
    assert.equal(await searched.index(), 1);
    await deps.wordIndex.clear(workspaceId);
    assert.equal((await deps.indexedTexts.known(workspaceId)).count, 0);
    assert.ok((await deps.wordIndex.sizeBytes()) > 0);
  });

  test(`${name}: several concurrent indexers do the work once`, async () => {
    await using searched = await openSearched(await urlOf());
    const ann = await searched.member('ann');
    for (let n = 0; n < 30; n += 1) await ann.write(`n${n}.md`, `note ${n}\n`);
    await Promise.all([searched.index(), searched.index(), searched.index()]);
    assert.equal((await searched.deps.indexedTexts.known(searched.workspaceId)).count, 30);
    assert.equal((await ann.search('note 7')).totalLines, 1);
  });

  test(`${name}: a text that becomes private or shared changes its part, and is found all the time`, async () => {
    await using searched = await openSearched(await urlOf());
    const { deps, workspaceId } = searched;
    const [ann, ben] = [await searched.member('ann'), await searched.member('ben')];
    for (const path of ['notes/a.md', 'notes/b.md', 'c.md']) await ann.write(path, `a falcon at ${path}\n`);
    await searched.index();
    const partsOf = async () => {
      const { parts } = await deps.indexedTexts.known(workspaceId);
      return [...parts]
        .map(([part, entries]) => [part === '' ? 'shared' : 'private', entries.size])
        .toSorted();
    };
    const found = async (searcher: Searcher) => (await searcher.search('falcon')).totalFiles;
    assert.deepEqual(await partsOf(), [['shared', 3]]);
    await ann.setPrivate('notes', 'folder', true);
    assert.deepEqual([await found(ann), await found(ben)], [3, 1]);
    await searched.index();
    assert.deepEqual(await partsOf(), [
      ['private', 2],
      ['shared', 1],
    ]);
    assert.deepEqual([await found(ann), await found(ben)], [3, 1]);
    await ann.setPrivate('notes', 'folder', false);
    assert.deepEqual([await found(ann), await found(ben)], [3, 3]);
    await searched.index();
    assert.deepEqual(await partsOf(), [['shared', 3]]);
  });
}
