import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editLoopPauseMs, editLoopUploadsMax, parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'formatter' };
const path = parseWorkspacePath('a.md');

/** Starts a synced file. If `answers`, a local program changes it after each download. */
async function start(responses: boolean) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: () => 'none',
    trace: () => {},
    watches: true,
  });
  client.disk.writeFile(path, bytesOf('mine'));
  client.start();
  await client.untilQuiet();
  const textOn = () => new TextDecoder().decode(server.find(path, own.userId)?.bytes);
  const textHere = () => new TextDecoder().decode(client.disk.readFile(path));
  const state = { war: true };
  client.disk.listen((touched) => {
    if (responses && state.war && touched === path && textHere().startsWith('theirs')) {
      client.disk.writeFile(path, bytesOf(`mine after ${textHere()}`));
    }
  });
  let rounds = 0;
  /** The other program overwrites each text that is not its own. */
  const unlisten = server.listen(() => {
    if (!state.war || rounds >= 40 || !textOn().startsWith('mine')) return;
    rounds += 1;
    const seen = server.find(path, agent.userId);
    assert.ok(seen);
    server.write(agent, path, bytesOf(`theirs ${rounds}`), { kind: 'version', ...seen }, null);
  });
  return { time, server, client, textOn, textHere, state, unlisten, rounds: () => rounds };
}

describe('two programs that overwrite each other', () => {
  it('are paused with the name of the other program', async () => {
    const { time, client, textOn, textHere, state, rounds } = await start(true);
    client.disk.writeFile(path, bytesOf('mine again'));
    await time.run(120_000);
    assert.ok(rounds() > editLoopUploadsMax && rounds() < 2 * editLoopUploadsMax, `${rounds()} rounds`);
    const [row] = await client.store().listLeftOut(10);
    assert.deepEqual([row?.path, row?.reason, row?.detail], [path, 'storm', 'formatter']);
    state.war = false;
    await time.run(editLoopPauseMs);
    await client.untilQuiet();
    assert.deepEqual(await client.store().listLeftOut(10), []);
    assert.equal(textHere(), textOn());
  });

  it('are not confused with a user who saves often', async () => {
    const { time, client, state } = await start(false);
    state.war = false;
    for (let n = 0; n < 30; n += 1) {
      client.disk.writeFile(path, bytesOf(`mine ${n}`));
      await time.run(4000);
    }
    await client.untilQuiet();
    assert.deepEqual(await client.store().listLeftOut(10), []);
  });
});
