import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder that is removed after the test. */
export async function makeFolder() {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'stoa-cli-')));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
