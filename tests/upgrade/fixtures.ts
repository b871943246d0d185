import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackEnd } from '../support/back-end.ts';
import { makeServiceHome, type ServiceHome } from '../support/service-home.ts';
import type { Filled } from './fill-service.ts';

/** The fixtures of all versions: one folder per version, with one folder per back end. */
export const fixturesFolder = join(import.meta.dirname, 'fixtures');
/** Back ends with contents on the disk. An object store has the same rows, and its bytes cannot be in a fixture. */
export const fixtureBackEnds: readonly BackEnd[] = ['sqlite-disk', 'postgres-disk'];
/** In a back end's folder: the data directory, the database as SQL, and the recorded observations. */
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

/** Creates a home from a fixture, in the state that the recorded version left. */
export async function homeOf(folder: string, backEnd: BackEnd): Promise<ServiceHome> {
  const home = await makeServiceHome(backEnd);
  try {
    await cp(join(folder, dataFolder), String(home.variables.STOA_DATA_DIR), { recursive: true });
    if (home.variables.STOA_DATABASE_URL !== undefined) {
      await home.changeRows(await readFile(join(folder, dumpFile), 'utf8'));
    }
    return home;
  } catch (error) {
    await home[Symbol.asyncDispose]();
    throw error;
  }
}
