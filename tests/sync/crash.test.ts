import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonOf, recordsAt, textAt } from '../support/answer.ts';
import { type Random, seededRandom, seedFrom } from '../support/random.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { type SharedWorkspace, useServer } from './support/shared-workspace.ts';
import { hashOf, type SyncedFolder } from './support/synced-folder.ts';

const server = await useServer();
const seed = seedFrom('STOA_SYNC_SEED');
const scale = Number(process.env.STOA_SYNC_SCALE ?? '') || 1;
const edits = Math.round(40 * scale);
const kills = Math.round(3 * scale);
const cuts = Math.round(12 * scale);
const names = ['a.md', 'b.md', 'docs/c.md', 'docs/d.txt', 'docs/deep/e.md', 'f'];

/** Texts that stand somewhere until their own writer overwrites or deletes them. */
class Oracle {
  readonly #standing = new Map<string, string>();
  #written = 0;

  newText(): string {
    this.#written += 1;
    const text = `text ${this.#written} of ${seed}\n`;
    this.#standing.set(hashOf(text), text);
    return text;
  }

  gone(text: string | null): void {
    if (text !== null) this.#standing.delete(hashOf(text));
  }

  async lost(shared: SharedWorkspace, folders: readonly SyncedFolder[]): Promise<string[]> {
    const found = new Set<string>((await shared.hashes()).values());
    for (const folder of folders) {
      for (const hidden of [false, true]) {
        for (const hash of (await folder.hashes(hidden)).values()) found.add(hash);
      }
    }
    const answer = await shared.workspace.query('changes', { sinceSeq: 0, limit: 1000 });
    const paths = new Set(recordsAt(jsonOf(answer), 'changes').map((change) => textAt(change, 'path')));
    for (const path of paths) for (const hash of await shared.versions(path)) found.add(hash);
    return [...this.#standing].flatMap(([hash, text]) => (found.has(hash) ? [] : [text]));
  }
}

async function act(random: Random, folder: SyncedFolder, oracle: Oracle): Promise<void> {
  const path = random.pick(names);
  const before = await folder.read(path);
  const kind = before === null ? 0 : random.below(6);
  if (kind <= 3) {
    const text = oracle.newText();
    oracle.gone(before);
    // A folder of that name may be there: the other writer's.
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

describe(`folders under fire, seed ${seed}`, () => {
  it('killed again and again, nothing is lost and both end with the same', async () => {
    const random = seededRandom(seed);
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await using grace = await shared.folder();
    const oracle = new Oracle();
    await grace.watch();
    let isWriting = true;
    const writing = (async () => {
      for (let n = 0; n < edits; n += 1) {
        await act(random, random.pick([ada, grace]), oracle);
        await wait(random.below(400));
      }
      isWriting = false;
    })();
    for (let n = 0; n < kills || isWriting; n += 1) {
      const watch = await ada.watch();
      await wait(random.below(1500));
      await watch.end('SIGKILL');
    }
    await writing;
    await ada.watch();
    await shared.untilSame([ada, grace], 60_000);
    assert.deepEqual(await oracle.lost(shared, [ada, grace]), [], `STOA_SYNC_SEED=${seed}`);
    const sync = await ada.run('status', '--json');
    assert.equal(sync.code, 0, sync.stderr);
  });

  it('cut off again and again, nothing is lost and both end with the same', async () => {
    const random = seededRandom(seed + 1);
    const shared = await server.workspace();
    await using proxy = await startTcpProxy(Number(new URL(server.target.url).port));
    await using ada = await shared.folder(`http://127.0.0.1:${proxy.port}`);
    await using grace = await shared.folder();
    const oracle = new Oracle();
    const watches = [await ada.watch(), await grace.watch()];
    await ada.write('large.bin', 'x'.repeat(3_000_000));
    for (let n = 0; n < cuts; n += 1) {
      for (let each = 0; each < Math.ceil(edits / cuts); each += 1) {
        await act(random, random.pick([ada, grace]), oracle);
        await wait(random.below(200));
      }
      proxy.cutAll();
    }
    await shared.untilSame([ada, grace], 90_000);
    assert.deepEqual(await oracle.lost(shared, [ada, grace]), [], `STOA_SYNC_SEED=${seed}`);
    assert(watches.every((watch) => watch.isRunning()));
  });
});
