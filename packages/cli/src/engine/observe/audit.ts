// docs/decisions/0023-sync-planner.md
import {
  folderOf,
  foldersAbove,
  type Hold,
  isPlaceholderPath,
  needsConfirmation,
  type RemoteState,
  type WorkspacePath,
} from '@stoa/core';
import type { Engine } from '../engine.ts';
import { confirmedMembers } from '../holds.ts';
import type { ListedFile } from '../ports/remote-workspace.ts';
import type { StateChange } from '../ports/state-store.ts';
import { withRetryBudget } from '../with-retry-budget.ts';
import { remoteFileOf } from './read-feed.ts';

const dayMs = 24 * 3600_000;
/** Minimum delay before pending differences are compared again without a request. */
const pendingMs = 600_000;

/** Due once a day, for another key, and on request, which clears the time of the last audit. */
export function isAuditDue({ memory, pace, settings }: Engine): boolean {
  const { lastAuditAt, keyId } = memory.state.meta;
  const isOtherKey = settings.keyId !== undefined && keyId !== null && settings.keyId !== keyId;
  // In either direction. If the clock jumps, it only costs one list.
  return lastAuditAt === null || isOtherKey || Math.abs(pace.wallNow() - lastAuditAt) >= dayMs;
}

/** Continues at the server's current feed position. The audit's list shows which files the server no longer has. */
export async function followBackInTime(engine: Engine): Promise<void> {
  const { memory, remote, signal, unconfirmed } = engine;
  const { head } = await withRetryBudget(engine, () =>
    remote.readChanges({ cursor: 0, limit: 0, waitSeconds: null }, signal),
  );
  const values = { cursor: head, lastRecord: null, lastAuditAt: null };
  await memory.commit([{ table: 'meta', values }], 'durable');
  // The list decides whether the server still has these changes.
  unconfirmed.clear();
}

/** The server's list, the state according to feed records before it, and the paths of later records. */
export interface Audit {
  readonly listed: ReadonlyMap<WorkspacePath, ListedFile>;
  readonly before: ReadonlyMap<WorkspacePath, Expected>;
  /**
   * Paths with records since the list was requested. They are not compared with the list, even if their state is as
   * before: a list made in between may contain a file that came and went.
   */
  readonly spokenOf: Set<WorkspacePath>;
}

/**
 * Requests the list, before the feed is read to its head. Null: the differences wait for confirmation, and it is too
 * early to compare again.
 */
export async function beginAudit(engine: Engine, isAsked: boolean): Promise<Audit | null> {
  const { memory, remote, pace, signal } = engine;
  const pending = memory.state.holds.get('list_disagrees');
  if (pending !== undefined && !isAsked && pace.now() - engine.auditedAt < pendingMs) return null;
  const before = expectedFiles(engine);
  const { files } = await withRetryBudget(engine, () => remote.list('', signal));
  return { listed: new Map(files.map((file) => [file.path, file])), before, spokenOf: new Set() };
}

/**
 * Compares the server's list with the state according to feed records, after the feed was read to its head. A
 * difference never deletes a file: the base of its path is dropped, so that the path is compared like a new one.
 * @returns the differences that wait for confirmation, if there are too many; then nothing may be done
 */
export async function endAudit(engine: Engine, { listed, before, spokenOf }: Audit): Promise<Hold | null> {
  const { memory, pace, settings } = engine;
  const after = expectedFiles(engine);
  const different = [...new Set([...before.keys(), ...listed.keys()])].filter(
    (path) =>
      !isAsListed(before.get(path), listed.get(path)) &&
      !isSpokenOf(path, spokenOf) &&
      isSame(before.get(path), after.get(path)),
  );
  const confirmed = new Set((confirmedMembers(engine).get('list_disagrees') ?? []).map(({ path }) => path));
  const unconfirmed = different.filter((path) => !confirmed.has(path));
  const { size } = memory.state.base;
  const isTooMuch =
    unconfirmed.length > 0 &&
    needsConfirmation('list_disagrees', different.length, size, settings.maxChanges);
  engine.auditedAt = pace.now();
  const met = isTooMuch ? different.filter((path) => confirmed.has(path)) : different;
  const changes = met.flatMap((path) => rediscover(path, listed.get(path)));
  const isOtherKey = settings.keyId !== undefined && settings.keyId !== memory.state.meta.keyId;
  const values = {
    lastAuditAt: isTooMuch ? null : pace.wallNow(),
    // The name of another key must be read again.
    ...(isOtherKey ? { keyId: null, keyName: null } : {}),
  };
  await memory.commit([...changes, { table: 'meta', values }], 'durable');
  if (!isTooMuch) return null;
  return { kind: 'list_disagrees', members: unconfirmed.map((path) => ({ path, hash: null })) };
}

type Expected = Pick<ListedFile, 'version' | 'hash'>;

/** The server's files according to feed records: all known rows, and the base where nothing differs. */
function expectedFiles({ memory }: Engine): Map<WorkspacePath, Expected> {
  const { base, remote } = memory.state;
  const files = new Map<WorkspacePath, Expected>(base);
  for (const [path, row] of remote) {
    if (row.kind === 'file') files.set(path, row);
    else files.delete(path);
  }
  return files;
}

function isAsListed(expected: Expected | undefined, listed: Expected | undefined): boolean {
  if (expected === undefined || listed === undefined) return expected === listed;
  const isKnown = expected.hash !== null && listed.hash !== null;
  return expected.version === listed.version && (!isKnown || expected.hash === listed.hash);
}

/** A record that grants access to a folder does not list its contents. */
function isSpokenOf(path: WorkspacePath, spokenOf: ReadonlySet<WorkspacePath>): boolean {
  return spokenOf.has(path) || foldersAbove(path).some((folder) => spokenOf.has(folder));
}

function isSame(before: Expected | undefined, after: Expected | undefined): boolean {
  return before?.version === after?.version && before?.hash === after?.hash;
}

function rediscover(path: WorkspacePath, listed: ListedFile | undefined): StateChange[] {
  const row: RemoteState | null = listed === undefined ? null : remoteFileOf(listed);
  const changes: StateChange[] = [
    { table: 'base', path, row: null },
    { table: 'remote', path, row },
  ];
  const folder = isPlaceholderPath(path) ? folderOf(path) : null;
  // A missing placeholder on the server does not mean that the empty folder is gone.
  return folder === null ? changes : [...changes, { table: 'folder', path: folder, row: null }];
}
