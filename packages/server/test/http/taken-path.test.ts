import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type StartedServer, startedServer } from './support/started-server.ts';

let stoa: StartedServer;
before(async () => {
  stoa = await startedServer();
});
after(() => stoa[Symbol.asyncDispose]());

async function put(path: string): Promise<number> {
  const { status } = await stoa.call(stoa.at(`files/${path}`), { method: 'PUT', body: 'x' });
  return status;
}

describe('a file and a folder never share a path', () => {
  it('no file is created below a file, at any depth', async () => {
    assert.equal(await put('notes/plan.md'), 201);
    for (const path of ['notes/plan.md/a', 'notes/plan.md/a/b/c.md']) assert.equal(await put(path), 409);
    assert.equal(await put('notes/plan.md.txt'), 201);
  });

  it('no file is created at the path of a folder', async () => {
    assert.equal(await put('a/b/c.md'), 201);
    for (const path of ['a', 'a/b']) assert.equal(await put(path), 409);
    for (const path of ['a/b/d.md', 'a/e.md', 'a/b/f/g.md']) assert.equal(await put(path), 201);
  });
});
