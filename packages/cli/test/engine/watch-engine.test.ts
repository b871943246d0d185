import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changesMax, parseWorkspacePath } from '@stoa/core';
import { openEngine, type SyncEvent } from '../../src/engine/engine.ts';
import { watchEngine } from '../../src/engine/watch/watch-engine.ts';
import { createMemoryStateStore } from '../simulated/memory-state-store.ts';
import { plainDisk, SimulatedDisk } from '../simulated/simulated-disk.ts';
import { createSimulatedFolder } from '../simulated/simulated-folder.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { createSimulatedRemote } from '../simulated/simulated-remote.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const key = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };

/** Runs the watch of an engine over a simulated disk and server. */
function startWatch(
  given: {
    readonly ignored?: string;
    readonly onEvent?: (event: SyncEvent) => void;
    readonly flushMs?: number;
  } = {},
) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const disk = new SimulatedDisk({ ...plainDisk, now: () => time.now() });
  disk.makeFolders('.stoa');
  disk.writeFile('.stoa/config.json', bytesOf('{}'));
  if (given.ignored !== undefined) disk.writeFile('.stoa/ignore', bytesOf(given.ignored));
  const pace = time.createPace();
  const round = () => pace.turn();
  const ending = new AbortController();
  const store = createMemoryStateStore(round);
  const opening = openEngine({
    folder: createSimulatedFolder({
      disk,
      wallNow: () => pace.wallNow(),
      step: round,
      newId: () => pace.newId(),
      bootId: () => 'boot',
      onStep: () => {},
    }),
    remote: createSimulatedRemote({ server, key, pace, step: round, fault: () => 'none' }),
    store: {
      ...store,
      async flush() {
        await pace.sleep(given.flushMs ?? 0);
        await store.flush();
      },
    },
    pace,
    settings: { maxChanges: changesMax, merge: 'off', label: key.keyName, retryBudgetMs: 5000 },
    onStep: () => {},
    onEvent: given.onEvent ?? (() => {}),
    signal: ending.signal,
  });
  const watching = opening.then((engine) =>
    watchEngine(engine, {
      pid: 1,
      requests: { watch: async () => ({ close: () => {} }), answer: async () => {} },
      onEvent: () => {},
      describe: () => null,
    }),
  );
  return {
    time,
    server,
    disk,
    async [Symbol.asyncDispose]() {
      ending.abort(new Error('ended'));
      await time.run(20_000);
      await watching;
    },
  };
}

describe('a watch of an engine', () => {
  it('fetches a file when the ignored folder at its path goes right after it was reported', async () => {
    const reported: string[] = [];
    await using watch = startWatch({
      ignored: 'out/\n',
      onEvent(event) {
        if (event.event !== 'left_out') return;
        reported.push(event.path);
        disk.remove('out');
      },
    });
    const { time, server, disk } = watch;
    disk.makeFolders('out');
    await time.run(10_000);
    server.write(agent, parseWorkspacePath('out'), bytesOf('theirs'), { kind: 'absent' }, null);
    // Far less than the time until the next full scan.
    await time.run(30_000);
    assert.deepEqual(reported, ['out']);
    assert.equal(new TextDecoder().decode(disk.readFile('out')), 'theirs');
  });

  it('deletes no file that is renamed to a name that only rules of another member ignore', async () => {
    const reported: string[] = [];
    await using watch = startWatch({
      onEvent(event) {
        if (event.event === 'left_out') reported.push(`${event.reason} ${event.path}`);
      },
    });
    const { time, server, disk } = watch;
    for (const folder of ['a', 'b']) {
      disk.makeFolders(folder);
      disk.writeFile(`${folder}/doc.md`, bytesOf(folder));
    }
    await time.run(10_000);
    server.write(agent, parseWorkspacePath('.stoaignore'), bytesOf('*.old'), { kind: 'absent' }, null);
    await time.run(10_000);
    // No event of its new folder is dropped.
    disk.rename('a/doc.md', 'b/doc.old');
    await time.run(30_000);
    assert.deepEqual(reported, ['newly_ignored b/doc.old']);
    assert.notEqual(server.find(parseWorkspacePath('a/doc.md'), key.userId), null);
  });

  it('sends a changed file that may be sent only since the end of a pass', async () => {
    await using watch = startWatch({ flushMs: 3000 });
    const { time, server, disk } = watch;
    const path = parseWorkspacePath('a.md');
    const hasSize = (size: number) =>
      server.listVersions(path, key.userId).some(({ bytes }) => bytes.length === size);
    await time.run(10_000);
    for (let size = 1; size <= 10; size += 1) {
      disk.writeFile('a.md', bytesOf('x'.repeat(size)));
      // Far less than the time until the next full scan.
      await time.run(60_000, () => hasSize(size));
      assert.ok(hasSize(size), `version ${size} is not sent`);
    }
  });
});
