import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackEnd } from '../support/back-end.ts';
import { makeServiceHome, type ServiceHome } from '../support/service-home.ts';
import type { Filled } from './fill-service.ts';

/** Where the fixtures of all versions are: a folder for each, in it one for each back end. */
export const fixturesFolder = join(import.meta.dirname, 'fixtures');
/** Those whose contents are on the disk: an object store's are the same rows, and its bytes cannot be carried along. */
export const fixtureBackEnds: readonly BackEnd[] = ['sqlite-disk', 'postgres-disk'];
/** In a back end's folder: what was in the data directory, the database as SQL, and what was seen. */
export const dataFolder = 'data';
export const dumpFile = 'dump.sql';
export const observedFile = 'observed.json';

export interface Recorded {
  readonly filled: Filled;
  readonly observed: unknown;
}

export async function readRecorded(folder: string): Promise<Recorded> {
  return JSON.parse(await readFile(join(folder, observedFile), 'utf8'));
}

/** A home with what is in a fixture's folder, as the version that wrote it left it. */
export async function homeOf(folder: string, backEnd: BackEnd): Promise<ServiceHome> {
  const home = await makeServiceHome(backEnd);
  await cp(join(folder, dataFolder), String(home.variables.STOA_DATA_DIR), { recursive: true });
  if (home.variables.STOA_DATABASE_URL !== undefined) {
    await home.changeRows(await readFile(join(folder, dumpFile), 'utf8'));
  }
  return home;
}
