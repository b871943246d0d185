import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt } from '../crash/attempt.ts';
import { sha256 } from '../support/expect.ts';
import type { Random } from '../support/random.ts';
import { headerOf } from '../support/response.ts';
import { encodePath, type WorkspaceClient } from '../support/workspace-client.ts';
import type { Reported, Surface } from './surface.ts';

/** All ways of one caller to one workspace: every node, session, key and protocol. */
export interface Reach {
  readonly workspaceId: string;
  readonly surfaces: readonly Surface[];
  readonly at: readonly WorkspaceClient[];
}

/** The requests of a client with their results, and the wrong results. */
export interface Ledger {
  readonly workspaceId: string;
  readonly attempts: Attempt[];
  readonly problems: string[];
}

/** The results of all clients so far: changes made, changes rejected, and changes with an unknown result. */
export interface Progress {
  acknowledged: number;
  rejected: number;
  unclear: number;
}

export const noProgress = (): Progress => ({ acknowledged: 0, rejected: 0, unclear: 0 });

export interface Writing {
  /** The client writes only below it, and no other client does. */
  readonly folder: string;
  readonly sizes: readonly number[];
  readonly random: Random;
  readonly progress: Progress;
  /** Whether the client has made enough changes. The client calls it before each change; it may let the client wait. */
  readonly isEnough: (changes: number) => boolean | Promise<boolean>;
}

interface OwnFile {
  readonly path: string;
  readonly version: number;
}

type Existing = { readonly version: number; readonly hash: string | null };

const changesMax = 1_000_000;
/** With the pauses, several times as long as a restart of the database takes. */
const triesMax = 400;
const pauseMs = { shortest: 20, longest: 120 } as const;

/**
 * Creates, updates, deletes and moves its own files, one change at a time, each at a random node and by a random way.
 * After a lost response it repeats the same request or checks the file, so that it always knows the result. The service
 * must never treat one of its own changes as another client's.
 */
export async function writeAsOnlyWriter(reach: Reach, writing: Writing): Promise<Ledger> {
  const { folder, sizes, random, progress, isEnough } = writing;
  const { workspaceId } = reach;
  const ledger: Ledger = { workspaceId, attempts: [], problems: [] };
  const files: OwnFile[] = [];
  let names = 0;
  const newPath = () => {
    names += 1;
    return `${folder}/${names}.bin`;
  };
  const look = async (path: string): Promise<Existing> => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const response = await random
        .pick(reach.at)
        .send('HEAD', `/files/${encodePath(path)}`)
        .catch(() => null);
      if (response?.status === 404) return { version: 0, hash: null };
      if (response?.status === 200) {
        return {
          version: Number(headerOf(response, 'x-service-version')),
          hash: headerOf(response, 'x-service-content-hash'),
        };
      }
      await restABit();
    }
    throw new Error(`${path} could not be read in ${triesMax} tries`);
  };
  const restABit = () => pause(pauseMs.shortest + random.below(pauseMs.longest - pauseMs.shortest));

  /**
   * @param wasMade checks whether the change was made; throws when the file is in a forbidden state.
   * @returns null when the change was not made and is not retried.
   */
  const settle = async (
    ask: () => Promise<Reported>,
    wasMade: () => Promise<Reported | null>,
    mayRepeat: boolean,
  ): Promise<Reported | null> => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const reported = await ask();
      if (reported.kind === 'nothing changed') {
        progress.rejected += 1;
        if ((await wasMade()) !== null)
          throw new Error(`was made, although the response is "${reported.says}"`);
        if (random.below(2) === 0) return null;
      } else if (reported.kind === 'not known') {
        progress.unclear += 1;
        if (!mayRepeat || random.below(2) === 0) {
          const made = await wasMade();
          if (made !== null) return made;
          if (random.below(2) === 0) return null;
        }
      } else {
        return reported;
      }
      await restABit();
    }
    throw new Error(`was not settled in ${triesMax} tries`);
  };
  const write = async (path: string, base: number | null) => {
    const body = uniqueBytes(random.pick(sizes));
    const hash = sha256(body);
    const version = (base ?? 0) + 1;
    const wasMade = async (): Promise<Reported | null> => {
      const existing = await look(path);
      if (existing.version === version && existing.hash === hash) return { kind: 'version', version };
      if (existing.version === version - 1) return null;
      throw new Error(`became ${existing.version} instead of ${version}`);
    };
    const reported = await settle(() => random.pick(reach.surfaces).write(path, body, base), wasMade, true);
    if (reported === null) {
      if (base !== null) files.push({ path, version: base });
      return;
    }
    if (reported.kind !== 'version' || reported.version !== version)
      throw new Error(`the result is ${JSON.stringify(reported)}`);
    progress.acknowledged += 1;
    ledger.attempts.push({ kind: 'write', path, hash, size: body.length, reported });
    files.push({ path, version });
  };
  const remove = async ({ path, version }: OwnFile) => {
    const wasMade = async (): Promise<Reported | null> => {
      const existing = await look(path);
      if (existing.version === 0) return { kind: 'done' };
      if (existing.version === version) return null;
      throw new Error(`became ${existing.version}`);
    };
    const reported = await settle(() => random.pick(reach.surfaces).remove(path, version), wasMade, false);
    if (reported?.kind !== 'done') return keepUnlessWrong({ path, version }, reported);
    progress.acknowledged += 1;
    ledger.attempts.push({ kind: 'delete', path, version, reported: 'done' });
  };
  const move = async (file: OwnFile) => {
    const to = newPath();
    const wasMade = async (): Promise<Reported | null> => {
      if ((await look(to)).version === 1) return { kind: 'done' };
      if ((await look(file.path)).version === file.version) return null;
      throw new Error('is at neither path');
    };
    const reported = await settle(() => random.pick(reach.surfaces).move(file.path, to), wasMade, false);
    if (reported?.kind !== 'done' && reported?.kind !== 'version') return keepUnlessWrong(file, reported);
    progress.acknowledged += 1;
    ledger.attempts.push({ kind: 'move', from: file.path, to, reported: 'done' });
    files.push({ path: to, version: 1 });
  };
  const keepUnlessWrong = (file: OwnFile, reported: Reported | null) => {
    if (reported !== null) throw new Error(`the result is ${JSON.stringify(reported)}`);
    files.push(file);
  };

  for (let changes = 0; changes < changesMax && !(await isEnough(changes)); changes += 1) {
    const choice = random.below(10);
    const file = choice < 3 ? undefined : files.splice(random.below(files.length), 1)[0];
    const what = file === undefined ? 'new file' : choice < 7 ? 'update' : choice === 7 ? 'delete' : 'move';
    try {
      if (file === undefined) await write(newPath(), null);
      else if (what === 'update') await write(file.path, file.version);
      else if (what === 'delete') await remove(file);
      else await move(file);
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error);
      ledger.problems.push(`${what} ${file?.path ?? `${folder}/${names}.bin`} ${says}`);
    }
  }
  return ledger;
}

function uniqueBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size, 0x61);
  randomBytes(Math.min(32, size)).copy(bytes);
  return bytes;
}
