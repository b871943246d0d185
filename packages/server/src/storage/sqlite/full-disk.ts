// A reserve of 4 MiB, freed in steps, lets deletes succeed on a full disk.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { WorkspaceError } from '@stoa/core';
import type { BatchResult, QueuedScript, ScriptResult } from '../batches.ts';
import { isNoSpace } from '../no-space.ts';
import { type SqliteFailure, sqliteFailureOf } from './sqlite-executor.ts';

/** Changes that remove data or access and write little: they are accepted on a full disk. */
const takenWithoutRoom: ReadonlySet<string> = new Set([
  'files.delete',
  'keys.revoke',
  'shares.revoke',
  'invites.revoke',
  'members.remove',
  'people.disable',
]);

const reserveBytes = 4 * 1024 * 1024;
/** The part of the reserve for the index of the log: two of its pages cover all of the log that the reserve allows. */
const indexBytes = 64 * 1024;
/** The size of one step; another process could take this much in between. */
const chunkBytes = 4096;
/** After this many consecutive steps that another process took, the rest of the reserve is freed at once. */
const takenInARowMax = 64;
/**
 * The part that a process may use to open the database: for the index of the log, and for that of the content index.
 */
const openingBytes = 256 * 1024;
/** Below this size, the reserve counts as missing. */
const leastReserveBytes = reserveBytes / 2;
/** A reserve is created only on a disk with at least this multiple of its size free. */
const roomForReserve = 8;
/** With this multiple of the reserve free again, the reserve is recreated and all changes are accepted. */
const roomAgain = 2;

/** SQLite recognises a full disk, but not a reached quota: that is an ordinary failed write. */
const ioErrorWrite = 778;
/** More than the rest of a quota that a page did not fit in. */
const triedBytes = 1024 * 1024;

/**
 * For this long after a reached quota, a failed write counts as another one: space may have been freed before the
 * check.
 */
const roomComesMs = 10_000;
let withoutRoomAt = Number.NEGATIVE_INFINITY;

type BatchRunner = (batch: readonly QueuedScript[]) => Promise<BatchResult>;

/**
 * Reserves some space next to the database. When a batch finds the disk full, the reserve goes to the log, where no
 * upload can use it. Until there is enough space again, only the changes in `takenWithoutRoom` are tried.
 * @param file path of the database
 */
export function withReserve(file: string, run: BatchRunner): BatchRunner {
  const reserve = `${file}-reserve`;
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  };
  let isKept = keepReserve(reserve, freeBytes() >= roomForReserve * reserveBytes);
  let isWithoutRoom = false;

  return async (batch) => {
    if (isWithoutRoom) {
      if (freeBytes() < roomAgain * reserveBytes) return runWithoutRoom(batch, run);
      isKept = keepReserve(reserve, true);
      isWithoutRoom = false;
    }
    const result = await run(batch);
    if (!isFull(result)) return result;
    if (isKept) {
      giveToLog(reserve, file);
      isKept = false;
      isWithoutRoom = true;
    }
    return runWithoutRoom(batch, run);
  };
}

const isFull = (result: BatchResult) => result.kind === 'rolled_back' && result.reason === 'storage_full';

async function runWithoutRoom(batch: readonly QueuedScript[], run: BatchRunner): Promise<BatchResult> {
  const taken = batch.filter(({ script }) => takenWithoutRoom.has(script));
  if (taken.length === 0) return { kind: 'rolled_back', reason: 'storage_full' };
  const result = await run(taken);
  if (result.kind !== 'committed') return result;
  const { code, details, message } = new WorkspaceError('storage_full');
  const rejected: ScriptResult = { kind: 'refused', code, details, message };
  const results = result.results.values();
  return {
    ...result,
    results: batch.map(({ script }) =>
      takenWithoutRoom.has(script) ? (results.next().value ?? rejected) : rejected,
    ),
  };
}

/**
 * Opens a database even on a full disk: the first process recreates the index of the log, for which it gets a little of
 * the reserve.
 * @param file path of the database
 */
export function openWithReserve(file: string, open: () => DatabaseSync): DatabaseSync {
  try {
    return open();
  } catch (error) {
    const reserve = `${file}-reserve`;
    const size = statSync(reserve, { throwIfNoEntry: false })?.size ?? 0;
    if (failureAt(file, error)?.kind !== 'storage_full' || size <= openingBytes) throw error;
    truncateSync(reserve, size - openingBytes);
    return open();
  }
}

/** @returns whether there is a complete reserve now; one from an earlier process is reused. */
function keepReserve(reserve: string, mayBeMade: boolean): boolean {
  const size = statSync(reserve, { throwIfNoEntry: false })?.size ?? 0;
  if (size === reserveBytes) return true;
  if (!mayBeMade) return size >= leastReserveBytes;
  rmSync(reserve, { force: true });
  try {
    growFile(reserve, reserveBytes);
    return true;
  } catch (error) {
    if (!isNoSpace(error)) throw error;
    rmSync(reserve, { force: true });
    return false;
  }
}

/**
 * Grows the log by the freed space: the database writes there anyway, after its last commit, and reads no further than
 * that. It starts a page of the index itself. Frees the reserve step by step, so that a running upload can take at most
 * one step; if others take every step, it frees the rest at once.
 */
export function giveToLog(reserve: string, file: string): void {
  const all = statSync(reserve, { throwIfNoEntry: false })?.size ?? 0;
  let left = all;
  const cutOff = () => {
    if (left === 0) return;
    left = Math.max(0, left - chunkBytes);
    try {
      truncateSync(reserve, left);
    } catch (error) {
      // Even truncating may need space on some file systems.
      if (!isNoSpace(error)) throw error;
      rmSync(reserve, { force: true });
      left = 0;
    }
  };
  const give = (to: string, bytes: number) => {
    const descriptor = openSync(to, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      let given = 0;
      for (let taken = 0; given < bytes && taken < takenInARowMax; ) {
        cutOff();
        const grown = growWhileRoom(descriptor, Math.min(chunkBytes, bytes - given));
        given += grown;
        taken = grown > 0 ? 0 : taken + 1;
      }
      return bytes - given;
    } finally {
      closeSync(descriptor);
    }
  };
  give(`${file}-shm`, Math.min(all, indexBytes));
  const rest = give(`${file}-wal`, Math.max(0, all - indexBytes));
  rmSync(reserve, { force: true });
  if (rest > 0) growAtOnce(`${file}-wal`, rest);
}

function growAtOnce(file: string, bytes: number): void {
  try {
    growFile(file, bytes);
  } catch (error) {
    // Another process was faster: everything that fitted is written.
    if (!isNoSpace(error)) throw error;
  }
}

/** @returns the number of bytes that could be written. */
function growWhileRoom(descriptor: number, bytes: number): number {
  const { size } = fstatSync(descriptor);
  try {
    return writeSync(descriptor, new Uint8Array(bytes), 0, bytes, size);
  } catch (error) {
    if (isNoSpace(error)) return 0;
    throw error;
  }
}

/** Writes actual bytes: a length alone reserves no space. */
function growFile(file: string, bytes: number): void {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const { size } = fstatSync(descriptor);
    for (let left = bytes; left > 0; ) {
      left -= writeSync(descriptor, new Uint8Array(left), 0, left, size + bytes - left);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * As `sqliteFailureOf`, but a write that failed because of a file system quota also counts as a full disk: SQLite rolls
 * the batch back in both cases.
 * @param file path of the database
 */
export function failureAt(file: string, error: unknown): SqliteFailure | null {
  const failure = sqliteFailureOf(error);
  const isFailedWrite = error instanceof Error && 'errcode' in error && error.errcode === ioErrorWrite;
  if (!isFailedWrite) return failure;
  if (isWithoutRoom(`${file}-room`)) withoutRoomAt = performance.now();
  return performance.now() - withoutRoomAt < roomComesMs ? { kind: 'storage_full' } : failure;
}

/** @param probe path of a temporary file, which is written and removed. */
function isWithoutRoom(probe: string): boolean {
  try {
    growFile(probe, triedBytes);
    return false;
  } catch (error) {
    return isNoSpace(error);
  } finally {
    rmSync(probe, { force: true });
  }
}
