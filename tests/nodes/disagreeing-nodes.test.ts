import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chosenBackEnd } from '../support/back-end.ts';
import { operator } from '../support/operator.ts';
import { makeServiceHome, type ServiceHome } from '../support/service-home.ts';
import { type ServiceVariables, serviceEnvironment, startService } from '../support/service-process.ts';

/**
 * Nodes of one database with another secret, or another store for large contents, would give each other's
 * clients wrong responses. The second one fails to start and says what to do.
 */
const oneSecret = 'one-secret-of-all-nodes-of-this-test';
const otherSecret = 'other-secret-of-one-node-of-this-test';
const backEnd = chosenBackEnd();

/** Runs a test only where the back end has its subject, so no test is skipped that could run. */
function testWhere(applies: boolean, title: string, body: () => Promise<void>): void {
  if (applies) test(title, body);
}

/** One SQLite database has one node, and another data directory is another database. */
const hasSeveralNodes = backEnd !== 'sqlite-disk';
const keepsContentsInDirectory = backEnd !== 'postgres-s3';

async function startupError(home: ServiceHome, variables: ServiceVariables): Promise<string> {
  try {
    await using started = await startService(variables, { home });
    return assert.fail(`it started at ${started.url}`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
}

async function starts(home: ServiceHome, variables: ServiceVariables): Promise<void> {
  await using started = await startService(variables, { home });
  await started.end('SIGTERM');
}

/** Settings under which a node of this home keeps large contents in its own empty folder. */
function elsewhere(folder: string): ServiceVariables {
  return { STOA_BLOB_URL: '', STOA_DATA_DIR: folder };
}

testWhere(hasSeveralNodes, 'a node with another secret does not start, until all get a new one', async () => {
  await using home = await makeServiceHome();
  await starts(home, { STOA_SECRET: oneSecret });
  assert.match(
    await startupError(home, { STOA_SECRET: otherSecret }),
    /STOA_SECRET is not the secret of .*`npm run admin -- secret forget/,
  );
  assert.match(await startupError(home, {}), /STOA_SECRET is not set, and .* have one: set theirs/);
  await operator({ env: serviceEnvironment(home.variables) }, 'secret', 'forget');
  await starts(home, { STOA_SECRET: otherSecret });
});

testWhere(
  hasSeveralNodes,
  'a node with another store for large contents does not start, until all were moved there',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-elsewhere-'));
    try {
      await using home = await makeServiceHome();
      await Promise.all([starts(home, {}), starts(home, {})]);
      assert.match(
        await startupError(home, elsewhere(folder)),
        /The large contents of this database are not in .*`npm run admin -- contents forget/,
      );
      await operator({ env: serviceEnvironment(home.variables) }, 'contents', 'forget');
      await starts(home, elsewhere(folder));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

testWhere(
  keepsContentsInDirectory,
  'a node without its directory of large contents, or with that of another installation, does not start',
  async () => {
    await using home = await makeServiceHome();
    await starts(home, {});
    const blobs = join(home.variables.STOA_DATA_DIR ?? '', 'blobs');
    const isElsewhere = /The large contents of this database are not in/;
    await writeFile(join(blobs, '.place-id'), 'place_of_another_installation');
    assert.match(await startupError(home, {}), isElsewhere);
    await rm(blobs, { recursive: true });
    assert.match(await startupError(home, {}), isElsewhere);
  },
);
