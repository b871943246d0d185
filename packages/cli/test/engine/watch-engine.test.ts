import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { openEngine } from '../../src/engine/engine.ts';
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

describe('a watch of an engine', () => {
  it('fetches a file when the ignored folder at its path goes right after it was reported', async () => {
    const time = createSimulatedTime(1);
    const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
    server.addMember(agent.userId);
    const disk = new SimulatedDisk({ ...plainDisk, now: () => time.now() });
    disk.makeFolders('.stoa');
    disk.writeFile('.stoa/config.json', bytesOf('{}'));
    disk.writeFile('.stoa/ignore', bytesOf('out/\n'));
    disk.makeFolders('out');
    const pace = time.createPace();
    const round = () => pace.turn();
    const ending = new AbortController();
    const reported: string[] = [];
    const opening = openEngine({
      folder: createSimulatedFolder({
        disk,
        wallNow: () => pace.wallNow(),
        turn: round,
        newId: () => pace.newId(),
        bootId: () => 'boot',
        onStep: () => {},
      }),
      remote: createSimulatedRemote({ server, key, pace, turn: round, fault: () => 'none' }),
      store: createMemoryStateStore(round),
      pace,
      settings: { maxDeletes: null, merge: 'off', label: key.keyName, patienceMs: 5000 },
      onStep: () => {},
      onEvent(event) {
        if (event.event !== 'left_out') return;
        reported.push(event.path);
        disk.remove('out');
      },
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
    await time.run(10_000);
    server.write(agent, parseWorkspacePath('out'), bytesOf('theirs'), { kind: 'absent' }, null);
    // Far less than the time until the next full scan.
    await time.run(30_000);
    assert.deepEqual(reported, ['out']);
    assert.equal(new TextDecoder().decode(disk.readFile('out')), 'theirs');
    ending.abort(new Error('ended'));
    await time.run(1000);
    await watching;
  });
});
