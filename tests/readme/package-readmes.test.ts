import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';

const packages = join(import.meta.dirname, '../../packages');
const folder = await mkdtemp(join(import.meta.dirname, 'example-'));
after(() => rm(folder, { recursive: true, force: true }));
const client = await useTarget();
/** The limit for an example that hangs. */
const secondsMax = 300;

for (const name of ['core', 'contract', 'client', 'server']) {
  test(`the example of packages/${name} prints what its README says`, async () => {
    const readme = await readFile(join(packages, name, 'README.md'), 'utf8');
    const [, example = '', rest = ''] = /```ts\n([\s\S]*?)```\n([\s\S]*)/.exec(readme) ?? [];
    const said = [...rest.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text);
    const printed = (await runExample(name, example)).trimEnd().split('\n');
    assert.deepEqual(printed, said.slice(0, printed.length));
  });
}

/** Runs an example as a file in this folder, where Node finds the packages. */
async function runExample(name: string, example: string): Promise<string> {
  const person = await signUp(client);
  await person.session.send('POST', '/api/workspaces', { json: { name: 'Notes' } });
  const { secret } = await createKey(person);
  const file = join(folder, `${name}.ts`);
  await writeFile(file, example);
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    timeout: secondsMax * 1000,
    env: { PATH: process.env.PATH, STOA_URL: client.url, STOA_KEY: secret, FOLDER: join(folder, 'data') },
  });
  return stdout;
}
