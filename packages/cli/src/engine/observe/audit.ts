// docs/decisions/0057-differences-of-a-list-drop-the-base.md
import {
  folderOf,
  foldersAbove,
  type Hold,
  isPlaceholderPath,
  listDifferencesMax,
  listDifferencesShareFrom,
  listDifferencesShareMax,
  type RemoteState,
  type WorkspacePath,
} from '@stoa/core';
import type { Engine } from '../engine.ts';
import { confirmedMembers } from '../holds.ts';
import type { ListedFile } from '../ports/remote-workspace.ts';
import type { StateChange } from '../ports/state-store.ts';
import { withPatience } from '../with-patience.ts';
import { remoteFileOf } from './read-feed.ts';

const dayMs = 24 * 3600_000;
/** What is held is not looked at again by itself before this time. */
const heldMs = 600_000;

/** Once a day, for another key, and whenever somebody asked for it by leaving no time of the last one. */
export function isAuditDue({ memory, pace, settings }: Engine): boolean {
  const { lastAuditAt, keyId } = memory.state.meta;
  const isOtherKey = settings.keyId !== undefined && keyId !== null && settings.keyId !== keyId;
  // Either way: a clock that jumps only costs a list.
  return lastAuditAt === null || isOtherKey || Math.abs(pace.wallNow() - lastAuditAt) >= dayMs;
}

/** The feed goes on from where the server is now; what it no longer has is found by its list. */
export async function followBackInTime(engine: Engine): Promise<void> {
  const { memory, remote, signal, untold } = engine;
  const { head } = await withPatience(engine, () =>
    remote.readChanges({ cursor: 0, limit: 0, waitSeconds: null }, signal),
  );
  const values = { cursor: head, lastRecord: null, lastAuditAt: null };
  await memory.commit([{ table: 'meta', values }], 'durable');
  // Whether they are there still is for the list to say.
  untold.clear();
}

/** The server's list, what its records had said until then, and what they speak of afterwards. */
export interface Audit {
  readonly listed: ReadonlyMap<WorkspacePath, ListedFile>;
  readonly before: ReadonlyMap<WorkspacePath, Expected>;
  /**
   * What a record spoke of since the list was asked for is not what the list was compared with, also where it is as it was:
   * a file that came and went is in a list that was made between.
   */
  readonly spokenOf: Set<WorkspacePath>;
}

/** Asks for the list, before the feed is read to its head. Null: what differed is held, and it is too soon to look again. */
export async function beginAudit(engine: Engine, isAsked: boolean): Promise<Audit | null> {
  const { memory, remote, pace, signal } = engine;
  const held = memory.state.holds.get('list_disagrees');
  if (held !== undefined && !isAsked && pace.now() - engine.auditedAt < heldMs) return null;
  const before = expectedFiles(engine);
  const { files } = await withPatience(engine, () => remote.list('', signal));
  return { listed: new Map(files.map((file) => [file.path, file])), before, spokenOf: new Set() };
}

/**
 * Compares the server's list with what its records said, after the feed was read to its head. A difference is never
 * followed: the base of the path is dropped, so that it is met as for the first time and nothing of it is deleted.
 *
 * @returns what waits for a person, if it is too much: then nothing is to be done.
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
  const isTooMuch = isTooMany(unconfirmed.length, memory.state.base.size);
  engine.auditedAt = pace.now();
  const met = isTooMuch ? different.filter((path) => confirmed.has(path)) : different;
  const changes = met.flatMap((path) => meetAnew(path, listed.get(path)));
  const isOtherKey = settings.keyId !== undefined && settings.keyId !== memory.state.meta.keyId;
  const values = {
    lastAuditAt: isTooMuch ? null : pace.wallNow(),
    // What another key is called is learnt anew.
    ...(isOtherKey ? { keyId: null, keyName: null } : {}),
  };
  await memory.commit([...changes, { table: 'meta', values }], 'durable');
  if (!isTooMuch) return null;
  return { kind: 'list_disagrees', members: unconfirmed.map((path) => ({ path, hash: null })) };
}

type Expected = Pick<ListedFile, 'version' | 'hash'>;

/** What the server has by its records: of all that is known, the base where nothing differs. */
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

/** Who may see a folder is told of it alone, and not of what is in it. */
function isSpokenOf(path: WorkspacePath, spokenOf: ReadonlySet<WorkspacePath>): boolean {
  return spokenOf.has(path) || foldersAbove(path).some((folder) => spokenOf.has(folder));
}

function isSame(before: Expected | undefined, after: Expected | undefined): boolean {
  return before?.version === after?.version && before?.hash === after?.hash;
}

function isTooMany(count: number, baseFiles: number): boolean {
  const isLargeShare = baseFiles >= listDifferencesShareFrom && count > listDifferencesShareMax * baseFiles;
  return count > listDifferencesMax || isLargeShare;
}

function meetAnew(path: WorkspacePath, listed: ListedFile | undefined): StateChange[] {
  const row: RemoteState | null = listed === undefined ? null : remoteFileOf(listed);
  const changes: StateChange[] = [
    { table: 'base', path, row: null },
    { table: 'remote', path, row },
  ];
  const folder = isPlaceholderPath(path) ? folderOf(path) : null;
  // An empty folder is not gone there because its placeholder is.
  return folder === null ? changes : [...changes, { table: 'folder', path: folder, row: null }];
}
