/**
 * Writes the data of a service of this version for the upgrade tests of later versions: `npm run upgrade-fixture`. It
 * fills a service on SQLite and one on PostgreSQL, records everything that each person sees, and keeps the data
 * directory and a dump.
 *
 * Run it once for each release that changes the schema, before the change. Never overwrite a released fixture.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeServiceHome } from '../tests/support/service-home.ts';
import { startService } from '../tests/support/service-process.ts';
import { dumpPostgres } from '../tests/upgrade/dump-postgres.ts';
import { fillService } from '../tests/upgrade/fill-service.ts';
import {
  dataFolder,
  dumpFile,
  fixtureBackEnds,
  fixturesFolder,
  observedFile,
} from '../tests/upgrade/fixtures.ts';
import { observeService } from '../tests/upgrade/observe-service.ts';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));

for (const backEnd of fixtureBackEnds) {
  const folder = join(fixturesFolder, version, backEnd);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await using home = await makeServiceHome(backEnd);
  const { STOA_DATA_DIR: directory = '', STOA_DATABASE_URL: database } = home.variables;
  await using service = await startService({ STOA_SEED_WORKSPACES: 'true' }, { home });
  const filled = await fillService(service.url);
  const observed = await observeService(service.url, filled);
  await service.end('SIGTERM');
  if (database === undefined) {
    using db = new DatabaseSync(join(directory, 'stoa.db'));
    db.exec('pragma wal_checkpoint(truncate); vacuum');
  } else {
    await writeFile(join(folder, dumpFile), await dumpPostgres(database));
  }
  const isKept = (path: string) => !/-(wal|shm|reserve)$/.test(path);
  await cp(directory, join(folder, dataFolder), { recursive: true, filter: isKept });
  await writeFile(join(folder, observedFile), `${JSON.stringify({ filled, observed }, null, 1)}\n`);
  console.log(`written: ${folder}`);
}
