import {
  bytesInFlightMax,
  type ContentHash,
  commitOperationsMax,
  requestsAtOnce,
  type SyncOperation,
  smallBodyBytes,
  smallRequestsAtOnce,
  type Upload,
  type WorkspacePath,
} from '@stoa/core';
import { diskPathOf, type Engine, type SyncEvent } from '../engine.ts';
import { RemoteFailure } from '../ports/remote-workspace.ts';
import {
  adopt,
  adoptFolder,
  forget,
  quarantine,
  rebase,
  removeFolderHere,
  removeHere,
  renameHere,
  rescue,
  unlinkHere,
} from './change-here.ts';
import { conflict, lostBefore } from './conflict.ts';
import { download, endCreating, intendCreating, makeFolder } from './fetch.ts';
import { flushBatch, flushEveryMs, flushPlaced } from './flush-placed.ts';
import { giveUpTwin } from './kept-copies.ts';
import { merge } from './merge.ts';
import type { Done, PassTally } from './pass-tally.ts';
import { deleteThere, moveFolderThere, moveThere, putPlaceholder, upload } from './send.ts';

/** Time for running transfers to finish when the user ends the program. */
const transferGraceMs = 10_000;

/**
 * Executes a plan. Operations run concurrently, each after those that it depends on. If one fails, its dependants wait
 * for the next plan. The first error that ends the pass is thrown once all running operations have ended.
 * @returns whether anything was done
 */
export async function executePlan(
  engine: Engine,
  operations: readonly SyncOperation[],
  tally: PassTally,
): Promise<boolean> {
  const waiting = new Set(operations);
  const done = new Set<number>();
  const failed = new Set<number>();
  const running = new Map<number, Promise<void>>();
  const failures: unknown[] = [];
  engine.onEvent(plannedEvent(operations));
  if (operations.some(changesServer) && !engine.memory.state.meta.hasUntold) {
    await engine.memory.commit([{ table: 'meta', values: { hasUntold: true } }], 'grouped');
  }
  const atOnce = requestsFor(operations);
  engine.contentsHere = findContentsHere(engine, operations);
  await intendCreating(engine, operations);
  const endLimit = limitTransfers(engine);
  let bytes = 0;
  let isAnythingDone = false;

  const run = async (operation: SyncOperation, size: number): Promise<void> => {
    try {
      if (changesDisk(operation)) touchLocations(engine, operation);
      const outcome = await executeOne(engine, operation, tally);
      if (outcome === 'again') touchLocations(engine, operation);
      if (outcome === 'done') {
        isAnythingDone = true;
        engine.failedTries.delete(operation.path);
      }
      (outcome === 'done' ? done : failed).add(operation.id);
    } catch (error) {
      failed.add(operation.id);
      // The request should not have been made. Nothing was done, and the next plan reads the current state.
      if (!(error instanceof RemoteFailure && error.kind === 'refused')) failures.push(error);
    } finally {
      bytes -= size;
      running.delete(operation.id);
      if (isFlushDue()) flushing ??= flush();
    }
  };
  let flushing: Promise<void> | null = null;
  let flushedAt = engine.pace.now();
  const isFlushDue = (): boolean => {
    const { size } = engine.unflushed;
    return size >= flushBatch || (size > 0 && engine.pace.now() - flushedAt >= flushEveryMs);
  };
  const flush = async (): Promise<void> => {
    try {
      await flushPlaced(engine);
    } catch (error) {
      failures.push(error);
    } finally {
      flushedAt = engine.pace.now();
      flushing = null;
    }
  };

  // These operations only commit state. If they took request slots, only eight would share one transaction.
  const notes = operations.filter((each) => sideOf(each) === 'state' && each.after.length === 0);
  for (let at = 0; at < notes.length; at += commitOperationsMax) {
    if (failures.length > 0 || engine.signal.aborted) break;
    const together = notes.slice(at, at + commitOperationsMax);
    for (const each of together) waiting.delete(each);
    await Promise.all(together.map((each) => run(each, 0)));
  }
  while (waiting.size > 0 || running.size > 0) {
    for (const operation of waiting) {
      if (failures.length > 0 || engine.signal.aborted || running.size >= atOnce) break;
      if (operation.after.some((id) => failed.has(id))) {
        failed.add(operation.id);
        waiting.delete(operation);
        continue;
      }
      if (!operation.after.every((id) => done.has(id))) continue;
      const size = sizeOf(operation);
      if (running.size > 0 && bytes + size > bytesInFlightMax) continue;
      waiting.delete(operation);
      bytes += size;
      running.set(operation.id, run(operation, size));
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  await flushing;
  endLimit();
  // Files that were not created are planned again. If the state cannot be written, the next start finds out.
  const notMade = endCreating(engine, [...engine.creating.keys()]);
  if (notMade.length > 0 && failures.length === 0) await engine.memory.commit(notMade, 'grouped');
  if (failures.length > 0) throw failures[0];
  return isAnythingDone;
}

/**
 * Gives running operations some time to finish when the user ends the program.
 * @returns a function to call once nothing runs
 */
function limitTransfers(engine: Engine): () => void {
  const limit = new AbortController();
  const over = new AbortController();
  const begin = async () => {
    await engine.pace.sleep(transferGraceMs, over.signal);
    limit.abort(engine.signal.reason);
  };
  engine.transfers = limit.signal;
  engine.signal.addEventListener('abort', begin, { once: true });
  return () => {
    engine.signal.removeEventListener('abort', begin);
    over.abort();
  };
}

function findContentsHere(
  { memory }: Engine,
  operations: readonly SyncOperation[],
): ReadonlyMap<ContentHash, WorkspacePath> {
  const wanted = new Set(
    operations.flatMap((each) => {
      const hash = each.kind === 'download' ? each.wanted.hash : null;
      return hash === null ? [] : [hash];
    }),
  );
  const found = new Map<ContentHash, WorkspacePath>();
  if (wanted.size === 0) return found;
  for (const [path, { hash, stamp }] of memory.state.base) {
    if (stamp !== null && wanted.has(hash)) found.set(hash, path);
  }
  return found;
}

/** Allows more concurrent requests if bodies are small on average, because each then mostly waits for its response. */
function requestsFor(operations: readonly SyncOperation[]): number {
  const { up, down, bytes } = plannedEvent(operations);
  const bodies = up + down;
  return bodies > 0 && bytes < bodies * smallBodyBytes ? smallRequestsAtOnce : requestsAtOnce;
}

/** The side on which an operation makes changes: only in the state, here, on the server, or on both sides. */
function sideOf({ kind }: SyncOperation): 'state' | 'here' | 'there' | 'both' {
  switch (kind) {
    case 'conflict':
      return 'both';
    case 'download':
    case 'make_folder':
    case 'merge':
    case 'rename_here':
    case 'set_aside':
    case 'remove_here':
    case 'unlink_here':
    case 'rescue':
    case 'remove_folder_here':
      return 'here';
    case 'upload':
    case 'put_placeholder':
    case 'delete_there':
    case 'move_there':
    case 'move_folder_there':
      return 'there';
    case 'adopt':
    case 'forget':
    case 'carry_base':
    case 'adopt_folder':
    case 'forget_folder':
      return 'state';
  }
}

const changesDisk = (operation: SyncOperation): boolean => ['here', 'both'].includes(sideOf(operation));
const changesServer = (operation: SyncOperation): boolean => ['there', 'both'].includes(sideOf(operation));

/** Marks the paths of an operation to be read again before the next plan. */
function touchLocations(engine: Engine, operation: SyncOperation): void {
  engine.view.touchWay(diskPathOf(engine, operation.path));
  if ('from' in operation) engine.view.touchWay(diskPathOf(engine, operation.from));
}

function plannedEvent(operations: readonly SyncOperation[]): Extract<SyncEvent, { event: 'planned' }> {
  const planned = { event: 'planned' as const, up: 0, down: 0, bytes: 0 };
  for (const operation of operations) {
    const { kind } = operation;
    if (kind === 'upload' || kind === 'conflict') planned.up += 1;
    if (kind === 'download' || kind === 'conflict') planned.down += 1;
    planned.bytes += sizeOf(operation);
    if (kind === 'conflict') planned.bytes += operation.remote.sizeBytes ?? 0;
  }
  return planned;
}

function sizeOf(operation: SyncOperation): number {
  switch (operation.kind) {
    case 'upload':
    case 'conflict':
      return operation.local.sizeBytes;
    case 'download':
      return operation.wanted.sizeBytes ?? 0;
    default:
      return 0;
  }
}

/** @returns null if the file must be sent */
async function endConflict(engine: Engine, operation: Upload, tally: PassTally): Promise<Done | null> {
  const lost = await lostBefore(engine, operation);
  if (lost === null || lost === 'again') return lost;
  touchLocations(engine, lost);
  return conflict(engine, lost, tally);
}

async function executeOne(engine: Engine, operation: SyncOperation, tally: PassTally): Promise<Done> {
  switch (operation.kind) {
    case 'upload':
      return (
        (await giveUpTwin(engine, operation, tally)) ??
        (await endConflict(engine, operation, tally)) ??
        upload(engine, operation, tally)
      );
    case 'put_placeholder':
      return putPlaceholder(engine, operation);
    case 'download':
      return download(engine, operation, tally);
    case 'make_folder':
      return makeFolder(engine, operation);
    case 'adopt':
      return adopt(engine, operation);
    case 'forget':
      return forget(engine, operation);
    case 'carry_base':
      return rebase(engine, operation);
    case 'conflict':
      return conflict(engine, operation, tally);
    case 'merge':
      return merge(engine, operation, tally);
    case 'delete_there':
      return deleteThere(engine, operation, tally);
    case 'move_there':
      return moveThere(engine, operation, tally);
    case 'move_folder_there':
      return moveFolderThere(engine, operation);
    case 'rename_here':
      return renameHere(engine, operation, tally);
    case 'set_aside':
      return quarantine(engine, operation, tally);
    case 'remove_here':
      return removeHere(engine, operation, tally);
    case 'unlink_here':
      return unlinkHere(engine, operation, tally);
    case 'rescue':
      return rescue(engine, operation, tally);
    case 'remove_folder_here':
      return removeFolderHere(engine, operation);
    case 'adopt_folder':
      return adoptFolder(engine, operation);
    case 'forget_folder':
      await engine.memory.commit([{ table: 'folder', path: operation.path, row: null }], 'grouped');
      return 'done';
  }
}
