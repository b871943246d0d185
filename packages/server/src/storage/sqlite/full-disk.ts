// docs/decisions/0089-a-reserve-for-a-full-disk.md
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

/** Changes that take something away from somebody or end what somebody may do, and write little: a full disk takes them. */
const takenWithoutRoom: ReadonlySet<string> = new Set([
  'files.delete',
  'keys.revoke',
  'shares.revoke',
  'invites.revoke',
  'members.remove',
  'people.disable',
]);

const reserveBytes = 4 * 1024 * 1024;
/** What of it goes to the index of the log, which grows beside it: two of its pages are enough for all that the log is given. */
const indexBytes = 64 * 1024;
/** What is nobody's for a moment when it is given away. */
const pieceBytes = 4096;
/** Pieces in a row that somebody else took: then what is left of the reserve is given away at once. */
const takenInARowMax = 64;
/** What a process may take of it to open the database: the index of the log, and that of the index of contents. */
const openingBytes = 256 * 1024;
/** With less left of it, it is none. */
const leastReserveBytes = reserveBytes / 2;
/** A disk with less room than this many times the reserve is left all of it. */
const roomForReserve = 8;
/** With so many times the reserve free again, it is made anew, and everything is taken. */
const roomAgain = 2;

/** SQLite knows of a disk without room, and not of a reached quota: that is a write that failed, as any other does. */
const ioErrorWrite = 778;
/** More than what is left of a quota that a page did not fit in. */
const triedBytes = 1024 * 1024;

/** So long after a reached quota a write that failed is taken for one more: the room may have come before the disk was asked. */
const roomComesMs = 10_000;
let withoutRoomAt = Number.NEGATIVE_INFINITY;

type BatchRunner = (batch: readonly QueuedScript[]) => Promise<BatchResult>;

/**
 * Keeps some room beside the database. When a batch finds none, the room goes to the log, where no upload can take it, and until
 * there is enough again only those changes are tried that go on without.
 * @param file the database's
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
  const refused: ScriptResult = { kind: 'refused', code, details, message };
  const results = result.results.values();
  return {
    ...result,
    results: batch.map(({ script }) =>
      takenWithoutRoom.has(script) ? (results.next().value ?? refused) : refused,
    ),
  };
}

/**
 * Opens a database also on a disk without room: the index of its log is made anew by whoever comes first, and gets a little of the
 * reserve.
 * @param file the database's
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

/** @returns whether there is a whole one now; one that an earlier process made is taken over. */
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
 * The database writes there anyhow, behind its last commit, and reads no further than that. It begins a page of the index itself.
 * Piece by piece, so that an upload which is under way finds no more than one; where others take each, the rest goes at once.
 */
export function giveToLog(reserve: string, file: string): void {
  const all = statSync(reserve, { throwIfNoEntry: false })?.size ?? 0;
  let left = all;
  const cutOff = () => {
    if (left === 0) return;
    left = Math.max(0, left - pieceBytes);
    try {
      truncateSync(reserve, left);
    } catch (error) {
      // A file system may need room for that, too.
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
        const grown = growWhileRoom(descriptor, Math.min(pieceBytes, bytes - given));
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
    // Somebody else was quicker: what could be written is there.
    if (!isNoSpace(error)) throw error;
  }
}

/** @returns how many bytes there was room for. */
function growWhileRoom(descriptor: number, bytes: number): number {
  const { size } = fstatSync(descriptor);
  try {
    return writeSync(descriptor, new Uint8Array(bytes), 0, bytes, size);
  } catch (error) {
    if (isNoSpace(error)) return 0;
    throw error;
  }
}

/** By bytes that are written: a length alone takes no room. */
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
 * As `sqliteFailureOf`, and a write that failed because a quota of the file system is reached is a disk without room: SQLite takes
 * the batch back alike.
 * @param file the database's
 */
export function failureAt(file: string, error: unknown): SqliteFailure | null {
  const failure = sqliteFailureOf(error);
  const isFailedWrite = error instanceof Error && 'errcode' in error && error.errcode === ioErrorWrite;
  if (!isFailedWrite) return failure;
  if (isWithoutRoom(`${file}-room`)) withoutRoomAt = performance.now();
  return performance.now() - withoutRoomAt < roomComesMs ? { kind: 'storage_full' } : failure;
}

/** @param probe is written, and taken away again. */
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
