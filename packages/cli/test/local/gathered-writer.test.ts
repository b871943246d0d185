import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createGatheredWriter } from '../../src/local/gathered-writer.ts';

describe('the gathered writer', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-gathered-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const chunksOf = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, number) => Buffer.alloc(bytes, number % 251));

  it('writes large and small chunks at their offsets and restarts after a drop', async () => {
    const name = join(folder, 'whole');
    const file = openSync(name, 'w');
    const writer = createGatheredWriter(file);
    await writer.write(Buffer.from('forgotten'), 0);
    await writer.drop();
    const chunks = [...chunksOf(40, 70_000), ...chunksOf(1300, 3), Buffer.from('the end')];
    const expected = Buffer.concat(chunks);
    let location = 0;
    for (const chunk of chunks) {
      const { length } = chunk;
      await writer.write(chunk, location);
      location += length;
    }
    await writer.end();
    closeSync(file);
    assert.ok((await readFile(name)).equals(expected));
    assert.equal(chunks[0]?.length, 0, 'a written chunk is still in memory');
  });

  it('reports a disk error at the latest at the end and has no pending write after a drop', async () => {
    const name = join(folder, 'refused');
    await writeFile(name, 'as it was');
    const file = openSync(name, 'r');
    const writer = createGatheredWriter(file);
    await assert.rejects(async () => {
      for (let location = 0; location < 5_000_000; location += 500_000) {
        await writer.write(Buffer.alloc(500_000), location);
      }
      await writer.end();
    }, /EBADF/);
    await writer.drop();
    closeSync(file);
    assert.equal(await readFile(name, 'utf8'), 'as it was');
  });
});
