import assert, { AssertionError } from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { assertStatus } from '../support/expect.ts';
import { freePort } from '../support/free-port.ts';
import { openHttpClient } from '../support/http-client.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { type Random, seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { headerOf, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { filesWithPhrase, filesWithWords, untilIndexed } from '../support/searches.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';

const writersOfEach = 2;
const filesOfAWriter = 8;
const responsesMax = 120;
/** Long enough for some steps of the indexing. */
const quietMsMax = 2_000;
/** Texts of many sizes: the index gets them in steps of a certain size. */
const fillerWordsMax = 6_000;
const formerWordsMax = 12;
const readersOfEach = 4;
const seed = seedFrom('STOA_CRASH_SEED');

/** A user with the files that their writers know, by path, and whether a folder of theirs is private. */
interface Member {
  readonly name: string;
  readonly workspace: WorkspaceClient;
  readonly writers: readonly Writer[];
}

interface Writer {
  readonly folders: readonly string[];
  /** The word that only this text has. */
  readonly words: Map<string, string>;
  readonly isPrivate: Map<string, boolean>;
  /** Words of texts that were replaced or deleted. */
  readonly former: string[];
  names: number;
  /** The last request had no response. */
  isUncertain: boolean;
}

function randomWord(random: Random): string {
  const letter = () => 'abcdefghijklmnopqrstuvwxyz'.charAt(random.below(26));
  return `q${Array.from({ length: 14 }, letter).join('')}`;
}

function textWith(word: string, random: Random): string {
  const filler = Array.from({ length: random.below(fillerWordsMax) }, () =>
    String.fromCodePoint(97 + random.below(26), 97 + random.below(26), 97 + random.below(26)),
  );
  return `# A keeper's notes\n\nThe lamp ${word} shines.\n\n${filler.join(' ')}\n`;
}

/** Makes one change. It is in the writer's record once its response is there. */
async function change({ workspace }: Member, writer: Writer, random: Random): Promise<void> {
  const folder = random.pick(writer.folders);
  const paths = [...writer.words.keys()];
  const path = paths.length === 0 ? null : random.pick(paths);
  const versionOf = async (of: string) => {
    const response = await workspace.get(of);
    assertStatus(response, 200);
    return Number(headerOf(response, 'etag')?.replaceAll('"', ''));
  };
  const choice = random.below(10);
  if (choice < 2 && path !== null) {
    const isPrivate = random.below(2) === 0;
    // A folder without files does not exist.
    const shown = path.slice(0, path.lastIndexOf('/'));
    const node = { path: shown, kind: 'folder', private: isPrivate };
    writer.isUncertain = true;
    assertStatus(await workspace.send('PUT', '/node-private', { json: node }), 200);
    writer.isPrivate.set(shown, isPrivate);
  } else if (choice < 4 && path !== null) {
    writer.names += 1;
    const to = `${folder}/moved-${writer.names}.md`;
    const baseVersion = await versionOf(path);
    writer.isUncertain = true;
    assertStatus(await workspace.post('move', { from: path, to, baseVersion }), 200);
    writer.words.set(to, writer.words.get(path) ?? '');
    writer.words.delete(path);
  } else if (path !== null && paths.length >= filesOfAWriter) {
    const version = await versionOf(path);
    writer.isUncertain = true;
    assertStatus(await workspace.remove(path, version), 204);
    writer.former.push(writer.words.get(path) ?? '');
    writer.words.delete(path);
  } else {
    const word = randomWord(random);
    const isNew = path === null || choice < 8;
    if (isNew) writer.names += 1;
    const target = isNew ? `${folder}/note-${writer.names}.md` : path;
    const put = isNew ? {} : { ifMatch: await versionOf(target) };
    writer.isUncertain = true;
    assertStatus(await workspace.put(target, textWith(word, random), put), isNew ? 201 : 200);
    const before = writer.words.get(target);
    if (before !== undefined) writer.former.push(before);
    writer.words.set(target, word);
  }
  writer.isUncertain = false;
}

/** Returns everything that a user may read, by path: the word of each text. */
async function readAll(workspace: WorkspaceClient): Promise<ReadonlyMap<string, string>> {
  const entries = recordsAt(jsonOf(await workspace.query('list')), 'entries');
  const words = new Map<string, string>();
  await eachOf(entries, async (entry) => {
    const path = textAt(entry, 'path');
    const response = await workspace.get(path);
    assertStatus(response, 200);
    words.set(path, /lamp (\w+) shines/.exec(response.bytes.toString())?.[1] ?? '');
  });
  return words;
}

async function eachOf<Item>(items: Iterable<Item>, visit: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items].values();
  await Promise.all(
    Array.from({ length: readersOfEach }, async () => {
      for (const item of waiting) await visit(item);
    }),
  );
}

/** Compares the record of a member's writers with what can be read. After a lost response it takes over the latter. */
function compareRecord(
  { name, writers }: Member,
  own: ReadonlyMap<string, string>,
  others: Iterable<string>,
): void {
  const foreign = [...others];
  for (const writer of writers) {
    const mine = new Map([...own].filter(([path]) => writer.folders.some((of) => path.startsWith(`${of}/`))));
    if (writer.isUncertain) {
      const kept = new Set(mine.values());
      for (const word of writer.words.values()) if (!kept.has(word)) writer.former.push(word);
      writer.words.clear();
      for (const [path, word] of mine) writer.words.set(path, word);
      writer.isPrivate.clear();
      writer.isUncertain = false;
      continue;
    }
    assert.deepEqual(new Map([...mine].toSorted()), new Map([...writer.words].toSorted()), name);
    for (const [folder, isPrivate] of writer.isPrivate) {
      if (isPrivate)
        assert.deepEqual(
          foreign.filter((path) => path.startsWith(`${folder}/`)),
          [],
          name,
        );
    }
  }
}

/** Searches for each word as each member, and expects the files that they can read. */
async function assertSearches(
  members: readonly Member[],
  readable: ReadonlyMap<Member, ReadonlyMap<string, string>>,
): Promise<void> {
  const writers = members.flatMap(({ writers: all }) => all);
  const words = new Set(
    writers.flatMap(({ words: current, former }) => [...current.values(), ...former.slice(-formerWordsMax)]),
  );
  for (const member of members) {
    const { name, workspace } = member;
    const pathsWith = Map.groupBy(readable.get(member)?.entries() ?? [], ([, word]) => word);
    await eachOf(words, async (word) => {
      const expected = (pathsWith.get(word) ?? []).map(([path]) => path).toSorted();
      const found = async (search: typeof filesWithPhrase, query: string) =>
        assert.deepEqual((await search(workspace, query)).toSorted(), expected, `${name}: ${query}`);
      await found(filesWithWords, `${word} `);
      await found(filesWithWords, `keeper "lamp ${word}"`);
      await found(filesWithPhrase, `lamp ${word} shines`);
      // It begins within a word.
      await found(filesWithPhrase, word.slice(2));
    });
  }
}

test('a service that is killed while texts change and the index follows them finds what its users may see', {
  timeout: 7_200_000,
}, async (t) => {
  const rounds = sizeFrom('STOA_INDEX_KILLS', 3);
  t.diagnostic(`STOA_CRASH_SEED=${seed} STOA_INDEX_KILLS=${rounds}`);
  await using home = await makeServiceHome();
  const port = await freePort();
  let service = await startService({}, { home, port });
  const client = openHttpClient(service.url);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => {
    await client.close();
    await service[Symbol.asyncDispose]();
  });
  const ada = await signUp(client, 'Ada');
  const ben = await signUp(client, 'Ben');
  const owned = await createWorkspace(ada, (await createKey(ada)).client);
  await joinWorkspace(owned, ada, ben);
  const benKey = await createKey(ben);
  const members = [
    { name: 'ada', workspace: owned },
    { name: 'ben', workspace: owned.as(benKey.client) },
  ].map(({ name, workspace }): Member => ({ name, workspace, writers: writersFor(name) }));
  const readable = new Map<Member, ReadonlyMap<string, string>>();
  let interrupted = 0;

  for (let round = 0; round < rounds; round += 1) {
    const random = seededRandom(seed + round);
    const isKilledLater = round % 2 === 1;
    const responses = { count: 0, max: 10 + random.below(responsesMax) };
    let killing: Promise<void> | null = null;
    const kill = () => {
      killing ??= service.end('SIGKILL');
      return killing;
    };
    const write = async (member: Member, writer: Writer, own: Random): Promise<void> => {
      try {
        while (responses.count < responses.max || !isKilledLater) {
          await change(member, writer, own);
          responses.count += 1;
          if (responses.count >= responses.max && !isKilledLater) void kill();
        }
      } catch (error) {
        if (killing === null || error instanceof AssertionError) throw error;
      }
    };
    await Promise.all(
      members.flatMap((member) =>
        member.writers.map((writer) => write(member, writer, seededRandom(random.below(2 ** 31)))),
      ),
    );
    if (isKilledLater) await wait(random.below(quietMsMax));
    await kill();
    interrupted += members.flatMap(({ writers }) => writers.filter((writer) => writer.isUncertain)).length;
    service = await startService({}, { home, port });

    for (const member of members) readable.set(member, await readAll(member.workspace));
    for (const member of members) {
      const others = members.filter((other) => other !== member);
      const foreign = others.flatMap((other) => [...(readable.get(other)?.keys() ?? [])]);
      compareRecord(member, readable.get(member) ?? new Map(), foreign);
    }
    await assertSearches(members, readable);
    // In the other rounds the next kill finds the index behind.
    if (random.below(2) === 0 || round === rounds - 1) {
      assert.ok((await untilIndexed(service)) > 0);
      await assertSearches(members, readable);
    }
  }
  assert.doesNotMatch(service.log(), /content index was damaged/);
  // Control: the comparison detects a file that is found and cannot be read.
  const [first] = members;
  assert.ok(first);
  const less = new Map(readable).set(first, new Map([...(readable.get(first) ?? [])].slice(1)));
  await assert.rejects(assertSearches(members, less), AssertionError);
  t.diagnostic(`${interrupted} changes cut off`);
});

function writersFor(name: string): readonly Writer[] {
  return Array.from({ length: writersOfEach }, (_, at) => ({
    folders: [`${name}-${at}/one`, `${name}-${at}/two`],
    words: new Map(),
    isPrivate: new Map(),
    former: [],
    names: 0,
    isUncertain: false,
  }));
}
