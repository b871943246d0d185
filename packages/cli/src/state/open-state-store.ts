// docs/speed.md
import { commitOperationsMax, commitWaitMs } from '@stoa/core';
import { type StateChange, type StateStore, StateWriteError } from '../engine/ports/state-store.ts';
import { namedDiskTrouble, onDisk } from './disk-troubles.ts';
import { openStateDatabase } from './open-database.ts';
import { prepareTables } from './prepare-tables.ts';
import { createStateReader } from './state-reader.ts';

interface WaitingCommit {
  readonly changes: readonly StateChange[];
  readonly done: () => void;
  readonly failed: (error: Error) => void;
}

export interface OpenedStateStore extends StateStore {
  /** New path of a damaged state; null without one. If set, a first contact follows. */
  readonly quarantinedPath: string | null;
}

/**
 * Opens the state in `state.db` of the hidden folder. The caller holds the folder's lock. Commits are batched into
 * transactions in their order. A durable commit writes all waiting ones and flushes the disk.
 * @throws StateTooNewError, StateDiskError
 */
export function openStateStore(hiddenFolder: string): OpenedStateStore {
  const { db, quarantinedPath: quarantine, isShared } = openStateDatabase(hiddenFolder);
  const tables = onDisk(hiddenFolder, () => prepareTables(db));
  let waiting: WaitingCommit[] = [];
  let isDurableWaiting = false;
  let timer: NodeJS.Timeout | null = null;
  let immediate: NodeJS.Immediate | null = null;
  let broken: StateWriteError | null = null;

  const unschedule = () => {
    if (timer !== null) clearTimeout(timer);
    if (immediate !== null) clearImmediate(immediate);
    timer = null;
    immediate = null;
  };
  const write = (): void => {
    unschedule();
    const group = waiting;
    const isDurable = isDurableWaiting;
    waiting = [];
    isDurableWaiting = false;
    if (group.length === 0) return;
    try {
      if (broken !== null) throw broken;
      db.exec(`PRAGMA synchronous = ${isDurable || isShared ? 'FULL' : 'NORMAL'}`);
      db.exec('BEGIN IMMEDIATE');
      for (const { changes } of group) for (const change of changes) tables.apply(change);
      db.exec('COMMIT');
    } catch (error) {
      // The engine's memory already has these changes. Later writes would not match the disk.
      const known = namedDiskTrouble(error, hiddenFolder);
      broken ??=
        known instanceof StateWriteError
          ? known
          : new StateWriteError('The state of this folder cannot be written', { cause: error });
      if (db.isOpen && db.isTransaction) db.exec('ROLLBACK');
      for (const { failed } of group) failed(broken);
      return;
    }
    for (const { done } of group) done();
  };

  return {
    quarantinedPath: quarantine,
    ...createStateReader(db, hiddenFolder),
    load: async () => onDisk(hiddenFolder, () => tables.load()),
    commit: (changes, durability) =>
      new Promise((done, failed) => {
        if (broken !== null) return failed(broken);
        waiting.push({ changes, done, failed });
        if (waiting.length >= commitOperationsMax) {
          isDurableWaiting ||= durability === 'durable';
          return write();
        }
        if (durability === 'durable') {
          isDurableWaiting = true;
          // Other commits of this tick of the event loop share the flush.
          immediate ??= setImmediate(write);
        } else timer ??= setTimeout(write, commitWaitMs);
      }),
    flush: async () => {
      write();
      if (broken !== null) throw broken;
    },
    async [Symbol.asyncDispose]() {
      write();
      db.close();
    },
  };
}
