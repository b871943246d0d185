import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changesMax } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

it('undoing pending changes deletes nothing on the server when the process ends', async () => {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  let killAt: string | null = null;
  const client = createSimulatedClient({
    time,
    server,
    key: { userId: 'ada', keyId: 'k1', keyName: 'service-cli' },
    fault: () => 'none',
    trace: () => {},
    onStep: (name) => {
      if (name !== killAt) return;
      killAt = null;
      client.crash('process');
      client.start();
      return new Promise(() => {});
    },
  });
  const { disk } = client;
  const names = Array.from({ length: changesMax + 2 }, (_, n) => `${n}.md`);
  const pending = async () =>
    (await client.store().listHolds()).map(({ kind, members }) => [kind, members.length]);
  const here = () => names.filter((name) => disk.find(name) !== null && textOf(name) === name).length;
  const textOf = (name: string) => new TextDecoder().decode(disk.readFile(name));
  const there = () =>
    [...server.filesFor('ada')].filter(([path, { bytes }]) => new TextDecoder().decode(bytes) === path)
      .length;
  for (const name of names) disk.writeFile(name, bytesOf(name));
  client.start();
  await client.untilQuiet();
  for (const name of names) disk.writeFile(name, bytesOf('encrypted'));
  await client.untilQuiet();
  assert.deepEqual(await pending(), [['changes', names.length]]);

  killAt = 'remove: is in the trash';
  client.undo();
  await client.untilQuiet();
  assert.equal(killAt, null);
  assert.deepEqual([there(), here()], [names.length, 1]);
  client.undo();
  await client.untilQuiet();
  assert.deepEqual([there(), here(), await pending()], [names.length, names.length, []]);
});
