import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const restMs = 60_000;

/** Lets two synced machines edit the same files. The second syncs after the first has uploaded. */
async function bothWrite(merge: 'off' | 'clean', files: Record<string, readonly [string, string, string]>) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  const bytes = (text: string) => new TextEncoder().encode(text);
  const [a, b] = ['a', 'b'].map((name) =>
    createSimulatedClient({
      time,
      server,
      key: { userId: `user-${name}`, keyId: `key-${name}`, keyName: name },
      merge,
      fault: () => 'none',
      trace: () => {},
    }),
  );
  assert.ok(a !== undefined && b !== undefined);
  const settle = () => time.run(restMs, () => [a, b].every((each) => each.quietPasses() >= 3));
  for (const [path, [began]] of Object.entries(files)) a.disk.writeFile(path, bytes(began));
  for (const each of [a, b]) each.start();
  assert.ok(await settle());
  b.crash('process');
  for (const [path, [, here, there]] of Object.entries(files)) {
    a.disk.writeFile(path, bytes(here));
    b.disk.writeFile(path, bytes(there));
  }
  await time.run(restMs);
  b.start();
  assert.ok(await settle());
  const contents = [a, b].map(({ disk }) =>
    Object.fromEntries(
      [...disk.walk()]
        .flatMap(({ path, node }) =>
          node.kind === 'file' && !path.startsWith('.stoa/')
            ? [[path, new TextDecoder().decode(node.inode.bytes)] as const]
            : [],
        )
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  );
  for (const each of [a, b]) each.crash('process');
  assert.deepEqual(contents[0], contents[1]);
  return contents[0] ?? {};
}

const apart = ['one\ntwo\nthree\n', 'ONE\ntwo\nthree\n', 'one\ntwo\nTHREE\n'] as const;

test('edits of different lines are merged when merging is on', async () => {
  assert.deepEqual(await bothWrite('clean', { 'a.md': apart }), { 'a.md': 'ONE\ntwo\nTHREE\n' });
});

test('both texts are kept when merging is off', async () => {
  assert.equal(Object.keys(await bothWrite('off', { 'a.md': apart })).length, 2);
});

test('overlapping edits, front matter that both sides changed and code are never merged', async () => {
  const contents = await bothWrite('clean', {
    'same.md': ['one\n', 'mine\n', 'theirs\n'],
    'head.md': [
      '---\ntitle: A\nplace: B\nowner: C\n---\ntext\n',
      '---\ntitle: X\nplace: B\nowner: C\n---\ntext\n',
      '---\ntitle: A\nplace: B\nowner: Y\n---\ntext\n',
    ],
    'code.ts': apart,
  });
  assert.equal(Object.keys(contents).length, 6);
});
