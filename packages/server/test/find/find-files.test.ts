import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  factsOf,
  findQueryMaxCharacters,
  foldersAbove,
  guessContentType,
  isMarkdown,
  isOfType,
  isWithin,
  matchesTerms,
  parseConflictedCopyPath,
  parseFindQuery,
  parseWorkspacePath,
  WorkspaceError,
} from '@stoa/core';
import { outlineOf } from '@stoa/core/text-outline';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { type Random, scaled, seededRandom, seedFrom } from '../../../../tests/support/random.ts';
import { openSearched, type Searcher } from '../content-search/support/searched-contents.ts';

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
  'budget',
  'Launch',
  'launches',
  'straße',
  'STRASSE',
  'café',
  'cafe\u0301',
  'readFile',
  'read_file',
  '東京都',
  '京',
  'ราคา',
  'İz',
  'x²',
  'a1b2',
  `${'long'.repeat(20)}er`,
];
const signs = [' ', '\n', ', ', ' - ', '.', '😀', '"'];
const folders = ['', 'notes/', 'notes/2026/', 'Budget plan/'];
const names = ['a.md', 'launch.md', 'read_file.ts', '京都.txt', 'photo.png'];
const notText = new Uint8Array([0xff, 0xfe, 0x46, 0x61]);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function someText(random: Random): string {
  const tags = random.below(4) === 0 ? `---\ntitle: ${random.pick(words)}\ntags: [x y, plan]\n---\n` : '';
  let text = `${tags}${random.below(3) === 0 ? `# ${random.pick(words)}\n` : ''}`;
  for (let left = random.below(10); left > 0; left -= 1) text += random.pick(words) + random.pick(signs);
  return text;
}

function someQuery(random: Random): string {
  const part = () => {
    const word = random.pick(words);
    switch (random.below(8)) {
      case 0:
        return `"${word}${random.pick([' ', ', ', ''])}${[...random.pick(words)].slice(0, 3).join('')}"`;
      case 1:
        return `-${word}`;
      case 2:
        return `${word} OR ${random.pick(words)}`;
      case 3:
        return random.pick([
          'in:notes',
          'type:md',
          'type:image',
          'tag:plan',
          'tag:"x y"',
          'is:conflict',
          'by:ann',
        ]);
      case 4:
        return [...word].slice(0, 1 + random.below(3)).join('');
      default:
        return word;
    }
  };
  const query = Array.from({ length: 1 + random.below(3) }, part).join(' ');
  return [...query].slice(0, findQueryMaxCharacters).join('');
}

/** Finds the expected paths by evaluating the query for every file and folder. */
function naively(files: ReadonlyMap<string, Uint8Array>, asked: string, within: string): readonly string[] {
  const query = parseFindQuery(asked);
  const found: string[] = [];
  const folderPaths = new Set<string>();
  for (const [text, bytes] of files) {
    const path = parseWorkspacePath(text);
    for (const folder of foldersAbove(path)) folderPaths.add(folder);
    const content = textOf(bytes);
    const tags = content !== null && isMarkdown(path, guessContentType(path)) ? outlineOf(content).tags : [];
    const passes = query.filters.every((filter) => {
      switch (filter.kind) {
        case 'in':
          return isWithin(path, parseWorkspacePath(filter.folder));
        case 'type':
          return isOfType(path, guessContentType(path), filter.type);
        case 'tag':
          return tags.includes(filter.tag);
        case 'is':
          return parseConflictedCopyPath(path) !== null;
        case 'by':
          return filter.name === 'ann';
        default:
          throw new Error(filter.kind);
      }
    });
    if (passes && matchesTerms(query, factsOf(path, content))) found.push(path);
  }
  for (const folder of folderPaths) {
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    const passes = query.filters.every(
      (filter) => filter.kind === 'in' && folder.startsWith(`${filter.folder}/`),
    );
    const isThere = isWithin(parseWorkspacePath(folder), within === '' ? '' : parseWorkspacePath(within));
    if (passes && isThere && matchesTerms(query, factsOf(name, null))) found.push(folder);
  }
  return found.toSorted();
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

async function assertAsNaive(searcher: Searcher, query: string): Promise<void> {
  const expected = naively(await searcher.readAll(), query, searcher.access.viewer.within);
  const found = await searcher.find(query);
  assert.deepEqual(found.results.map(({ path }) => path).toSorted(), expected, JSON.stringify(query));
  assert.deepEqual([found.total, found.isTotalExact, found.nextOffset], [expected.length, true, null]);
}

for (const [name, urlOf] of backEnds) {
  test(`${name}: after any change, with any part of the index, a query finds what a full scan finds`, async (t) => {
    const seed = seedFrom('STOA_FIND_SEED');
    t.diagnostic(`STOA_FIND_SEED=${seed}`);
    const random = seededRandom(seed);
    await using searched = await openSearched(await urlOf());
    const people = [await searched.member('ann'), await searched.member('ben')];
    for (let round = scaled(8); round > 0; round -= 1) {
      for (let changes = 1 + random.below(8); changes > 0; changes -= 1)
        await change(random, random.pick(people));
      if (random.below(2) === 0) await searched.index(1 + random.below(3));
      for (const person of people) {
        const narrow = searched.within(person, random.pick(['notes', 'notes/2026', 'notes/a.md']));
        for (const searcher of [person, narrow]) {
          for (let left = 4; left > 0; left -= 1) {
            const query = someQuery(random);
            // Names of changers are part of the naive scan for one member only.
            if (!query.includes('by:')) await assertAsNaive(searcher, query);
          }
        }
      }
    }
    await searched.index();
    for (const word of words) for (const person of people) await assertAsNaive(person, word);
    assert.deepEqual(searched.problems, []);
  });

  test(`${name}: a query finds the same without an index`, async () => {
    await using searched = await openSearched(await urlOf(), { index: false });
    const ann = await searched.member('ann');
    await ann.write('a.md', '# The Launch\nA new budget.\n');
    await ann.write('b.bin', notText);
    for (const query of ['budget launch', '"new bud"', '-budget', 'launch -"new budget"', 'b'])
      await assertAsNaive(ann, query);
    assert.match(String(searched.problems), /could not use the content index.*the index is lost/);
  });
}

async function change(random: Random, person: Searcher): Promise<void> {
  const path = `${random.pick(folders)}${random.pick(names)}`;
  const other = `${random.pick(folders)}${random.pick(names)}`;
  try {
    switch (random.below(8)) {
      case 0:
        await person.remove(path);
        return;
      case 1:
        await person.move(path, other);
        return;
      case 2:
        await person.setPrivate(random.pick(['notes', 'notes/2026']), 'folder', random.below(2) === 0);
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
    // A rejected change changes nothing.
    if (!(error instanceof WorkspaceError)) throw error;
  }
}
