import assert from 'node:assert/strict';
import { readFileSync, watch as watchDisk } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Random, seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { textAt } from '../support/response.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { type SharedWorkspace, useServer } from './support/shared-workspace.ts';
import { hashOf, type SyncedFolder } from './support/synced-folder.ts';

const server = await useServer();
const seed = seedFrom('STOA_SYNC_SEED');
/** The number of runs of each test, from one seed on, and the number of edits of each run. */
const runs = sizeFrom('STOA_FIRE_RUNS', 1);
const edits = sizeFrom('STOA_FIRE_EDITS', 40);
const cuts = sizeFrom('STOA_FIRE_CUTS', 12);
const silenceMs = sizeFrom('STOA_FIRE_SILENCE_MS', 1000);
const delayMs = sizeFrom('STOA_FIRE_DELAY_MS', 100);
const killsMin = 3;
/** The most edits until enough bytes have gone one way. */
const editsPerCutMax = 10;
const names = ['a.md', 'b.md', 'docs/c.md', 'docs/d.txt', 'docs/deep/e.md', 'f'];

/** Texts that must exist somewhere until their own writer overwrites or deletes them. */
class Oracle {
  readonly #present = new Map<string, string>();
  readonly #all = new Set<string>();
  #written = 0;

  newText(bytesMin = 0): string {
    this.#written += 1;
    const text = `text ${this.#written} of ${seed}\n`.padEnd(bytesMin, 'x');
    this.#present.set(hashOf(text), text);
    this.#all.add(hashOf(text));
    return text;
  }

  gone(text: string | null): void {
    if (text !== null) this.#present.delete(hashOf(text));
  }

  /** Returns the texts that no longer exist anywhere. */
  async lost(shared: SharedWorkspace, folders: readonly SyncedFolder[]): Promise<string[]> {
    const found = await allHashes(shared);
    for (const folder of folders) {
      for (const hidden of [false, true]) {
        for (const hash of (await folder.hashes(hidden)).values()) found.add(hash);
      }
    }
    return [...this.#present].flatMap(([hash, text]) => (found.has(hash) ? [] : [text.slice(0, 100)]));
  }

  /** Returns the observed contents that no writer wrote and that the server never had. */
  async torn(shared: SharedWorkspace, seen: ReadonlySet<string>): Promise<string[]> {
    return [...seen.difference(this.#all).difference(await allHashes(shared))];
  }
}

/** Returns the hashes of all current and former versions of the workspace. */
async function allHashes({ workspace, versions }: SharedWorkspace): Promise<Set<string>> {
  const paths = new Set((await workspace.changes()).map((change) => textAt(change, 'path')));
  const found = new Set<string>();
  for (const path of paths) for (const hash of await versions(path)) found.add(hash);
  return found;
}

/** Reads each file that the disk reports, like another program that uses the folder. */
function observe(folder: SyncedFolder) {
  const seen = new Set<string>();
  const watcher = watchDisk(folder.path, { recursive: true }, (_event, name) => {
    if (name === null || name.startsWith('.stoa')) return;
    try {
      seen.add(hashOf(readFileSync(join(folder.path, name))));
    } catch {
      // A folder, or already deleted again.
    }
  });
  return { seen, [Symbol.dispose]: () => watcher.close() };
}

async function stagedIn(folder: SyncedFolder): Promise<string[]> {
  const names = await readdir(join(folder.path, '.stoa', 'staging'));
  return names.filter((name) => name.endsWith('.part'));
}

async function act(random: Random, folder: SyncedFolder, oracle: Oracle): Promise<void> {
  const path = random.pick(names);
  const before = await folder.read(path);
  const kind = before === null ? 0 : random.below(6);
  if (kind <= 3) {
    const text = oracle.newText();
    oracle.gone(before);
    // The other writer may have made a folder of that name.
    await folder.write(path, text).catch(() => oracle.gone(text));
  } else if (kind === 4) {
    oracle.gone(before);
    await folder.remove(path);
  } else {
    const to = random.pick(names);
    if (to === path) return;
    oracle.gone(await folder.read(to));
    await folder.rename(path, to).catch(() => {});
  }
}

describe(`folders under fire, from seed ${seed}`, () => {
  for (let run = 0; run < runs; run += 1) {
    it(`three folders converge without loss when processes are killed repeatedly (${run})`, async () => {
      const random = seededRandom(seed + run);
      const shared = await server.workspace();
      await using ada = await shared.folder();
      await using grace = await shared.folder();
      await using reader = await shared.folder();
      const oracle = new Oracle();
      await Promise.all([grace.watch(), reader.watch()]);
      using observer = observe(reader);
      let isWriting = true;
      const writing = (async () => {
        for (let n = 0; n < edits; n += 1) {
          await act(random, random.pick([ada, grace]), oracle);
          await wait(random.below(400));
        }
        isWriting = false;
      })();
      for (let n = 0; n < killsMin || isWriting; n += 1) {
        const watch = await ada.watch();
        await wait(200 + random.below(1300));
        await watch.end('SIGKILL');
      }
      await writing;
      await ada.watch();
      const all = [ada, grace, reader];
      await shared.untilSame(all, 120_000);
      const reported = `STOA_SYNC_SEED=${seed + run}`;
      assert.deepEqual(await oracle.lost(shared, all), [], reported);
      assert.ok(observer.seen.size > 0, 'the observer read no file');
      assert.deepEqual(await oracle.torn(shared, observer.seen), [], reported);
      for (const folder of all) assert.deepEqual(await stagedIn(folder), [], reported);
      const status = await ada.run('status', '--json');
      assert.equal(status.code, 0, status.stderr);
    });
  }

  it('two folders converge without loss on a network that is cut at any byte, silent and slow', async () => {
    const random = seededRandom(seed + runs);
    const shared = await server.workspace();
    await using proxy = await startTcpProxy(Number(new URL(server.target.url).port));
    await using ada = await shared.folder(`http://127.0.0.1:${proxy.port}`);
    await using grace = await shared.folder();
    const oracle = new Oracle();
    const watches = [await ada.watch(), await grace.watch()];
    const edit = async () => {
      await act(random, random.pick([ada, grace]), oracle);
      await wait(random.below(200));
    };
    for (let n = 0; n < cuts; n += 1) {
      const isLarge = n % 4 === 0;
      const way = random.pick(['to the server', 'to the client'] as const);
      const isCut = proxy.cutAfter(random.below(isLarge ? 300_000 : 3000), way);
      if (isLarge) {
        const folder = way === 'to the server' ? ada : grace;
        const path = way === 'to the server' ? 'up.bin' : 'down.bin';
        oracle.gone(await folder.read(path));
        await folder.write(path, oracle.newText(300_000));
      }
      for (let tries = 0; tries < editsPerCutMax && !isCut(); tries += 1) await edit();
      // A cut that still waits for its bytes would hit the final sync.
      if (!isCut()) proxy.cutAll();
    }
    const goOn = proxy.hold();
    for (let n = 0; n < 5; n += 1) await edit();
    await wait(silenceMs);
    goOn();
    proxy.delay(delayMs);
    for (let n = 0; n < 5; n += 1) await edit();
    await shared.untilSame([ada, grace], 120_000 + silenceMs + 20 * delayMs);
    assert.deepEqual(await oracle.lost(shared, [ada, grace]), [], `STOA_SYNC_SEED=${seed}`);
    for (const folder of [ada, grace]) assert.deepEqual(await stagedIn(folder), []);
    assert(watches.every((watch) => watch.isRunning()));
  });
});
