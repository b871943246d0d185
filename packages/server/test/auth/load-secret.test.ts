import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSecret } from '../../src/auth/load-secret.ts';

test('the first start makes a secret that only the server may read, and later starts find it', async (t) => {
  const file = join(await directory(t), 'session-secret');
  const secret = await loadSecret(file);
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal(await loadSecret(file), secret);
});

test('servers that start together share one secret and leave no drafts behind', async (t) => {
  const dir = await directory(t);
  const file = join(dir, 'session-secret');
  const secrets = await Promise.all(Array.from({ length: 16 }, () => loadSecret(file)));
  assert.equal(new Set(secrets).size, 1);
  assert.deepEqual(await readdir(dir), ['session-secret']);
});

test('a damaged secret stops the start instead of being replaced', async (t) => {
  const file = join(await directory(t), 'session-secret');
  await writeFile(file, 'short\n');
  await assert.rejects(loadSecret(file), /does not hold a session secret; remove it/);
});

async function directory(t: { after(run: () => Promise<void>): void }): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'stoa-secret-'));
  t.after(() => rm(dir, { recursive: true }));
  return dir;
}
