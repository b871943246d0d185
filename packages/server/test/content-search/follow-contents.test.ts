import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ContentFollower, followContents } from '../../src/service/content-search/follow-contents.ts';
import { openSearched } from './support/searched-contents.ts';

const minute = 60_000;
const pace = {
  restWhileWriting: 0,
  restWhileQuiet: 0,
  quietAfterMs: 0,
  lookAgainMs: 60_000,
  beginWithinMs: 0,
};

/** A followed workspace whose clock the test sets. `beforeStep` runs before contents are added. */
async function withFollower(beforeStep: (age: () => number) => Promise<void>, onListing = () => {}) {
  const time = { now: Date.UTC(2031, 0, 1) };
  const searched = await openSearched(null, { clock: () => time.now });
  const ann = await searched.member('ann');
  await searched.index();
  const problems: string[] = [];
  const { wordIndex } = searched.deps;
  const age = () => follower?.behindMs() ?? 0;
  let follower: ContentFollower | null = null;
  const follow = () => {
    follower = followContents(
      {
        ...searched.deps,
        currentFiles: {
          ...searched.deps.currentFiles,
          read(workspaceId) {
            onListing();
            return searched.deps.currentFiles.read(workspaceId);
          },
        },
        wordIndex: {
          ...wordIndex,
          async add(...given) {
            await beforeStep(age);
            await wordIndex.add(...given);
          },
        },
      },
      (message) => void problems.push(message),
      pace,
    );
  };
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await pause(5);
  };
  return {
    ...{ time, ann, problems, age, follow, until, wordIndex, workspaceId: searched.workspaceId },
    async [Symbol.asyncDispose]() {
      await follower?.[Symbol.asyncDispose]();
      await searched[Symbol.asyncDispose]();
    },
  };
}

test('an index that keeps up with constant writes never falls far behind', async () => {
  const ages: number[] = [];
  await using followed = await withFollower(async (age) => {
    ages.push(age());
    if (ages.length > 30) return;
    followed.time.now += 5 * minute;
    await followed.ann.write(`${ages.length}.md`, `text ${ages.length}`);
  });
  followed.follow();
  await followed.ann.write('first.md', 'text');
  await followed.until(() => ages.length > 30 && followed.age() === 0);
  assert.ok(Math.max(...ages) <= 10 * minute, String(ages));
  assert.deepEqual(followed.problems, []);
});

test('the backlog is as old as the oldest change that the index lacks', async () => {
  const ages: number[] = [];
  const large = (name: string) => `${name}\n`.repeat(100_000).slice(0, 200_000);
  await using followed = await withFollower(async (age) => {
    if (ages.push(age()) > 1) return;
    for (const name of ['second.md', 'third.md', 'fourth.md']) {
      followed.time.now += minute;
      await followed.ann.write(name, large(name));
    }
    followed.time.now += minute;
  });
  followed.follow();
  await followed.until(() => followed.age() === 0);
  await followed.ann.write('first.md', 'text');
  await followed.until(() => ages.length === 4 && followed.age() === 0);
  // The files that came during the first step are one backlog, as old as the first of them.
  assert.deepEqual(ages, [0, 3 * minute, 3 * minute, 3 * minute]);
});

test('a change that could not be added keeps its age when more is written', async () => {
  await using followed = await withFollower(async () => {
    throw new Error('no room');
  });
  await followed.ann.write('before.md', 'text');
  followed.time.now += 10 * minute;
  followed.follow();
  followed.time.now += minute;
  await followed.until(() => followed.problems.length === 1);
  await followed.ann.write('after.md', 'text');
  followed.time.now += minute;
  assert.equal(followed.age(), 2 * minute);
});

test('an indexed workspace is followed by its changes; with private items all its files are compared', async () => {
  let listings = 0;
  const onListing = () => {
    listings += 1;
  };
  await using followed = await withFollower(async () => {}, onListing);
  const { ann, age, until } = followed;
  const { wordIndex } = followed;
  const entries = async () => (await wordIndex.entries(followed.workspaceId, 0)).entries.length;
  const untilEntries = async (count: number) => {
    while ((await entries()) < count) await pause(5);
    await until(() => age() === 0);
  };
  await ann.write('first.md', 'text 1');
  followed.follow();
  await untilEntries(1);
  // The first content creates the index.
  await ann.write('first.md', 'text 2');
  await untilEntries(2);
  assert.ok(listings > 0);
  listings = 0;
  for (let n = 3; n < 20; n += 1) {
    await ann.write(`${n % 5}.md`, `text ${n}`);
    await untilEntries(n);
  }
  assert.equal(listings, 0);
  await ann.setPrivate('first.md', 'file', true);
  await until(() => listings > 0);
  assert.deepEqual(followed.problems, []);
});
