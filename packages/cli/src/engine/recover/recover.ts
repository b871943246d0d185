// docs/decisions/0053-what-a-crash-leaves-is-decided-by-the-table.md

import type { ContentHash, Stamp, WorkspacePath } from '@stoa/core';
import { baseRow, diskPathOf, type Engine } from '../engine.ts';
import { baseChanges, inSyncChanges } from '../execute/base-changes.ts';
import type { Intent } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';
import { withPatience } from '../with-patience.ts';

/**
 * After a crash, once the feed is caught up. Deletes, moves, downloads and renames that were done leave both sides alike,
 * and the table takes that as it is. An upload that was stored without its answer is told from somebody else's write by
 * its content: it becomes the base, or an edit made since would look like a conflict with oneself.
 */
export async function recover(engine: Engine): Promise<void> {
  const { folder, memory } = engine;
  for (const id of await folder.listStaged()) await folder.discardStaged(id);
  for (const intent of [...memory.state.intents.values()]) {
    const changes = intent.kind === 'put' ? await recoverPut(engine, intent) : [];
    await memory.commit([...changes, { table: 'intent', id: intent.id, row: null }], 'grouped');
  }
}

async function recoverPut(engine: Engine, { path, hash, stamp }: Intent): Promise<StateChange[]> {
  const { memory, remote, signal } = engine;
  const { state } = memory;
  if (hash === null || stamp === null) return [];
  const there = state.remote.get(path);
  // As in the base, or nothing there: the request was not carried out, or a later change undid it.
  if (there?.kind !== 'file') return recoverMoved(engine, { path, hash, stamp });
  const versions = await withPatience(engine, () => remote.listVersions(path, signal));
  const base = state.base.get(path) ?? null;
  const baseAt =
    base === null
      ? versions.length
      : versions.findIndex((each) => each.version === base.version && each.hash === base.hash);
  const stored = versions.find((each, at) => each.hash === hash && at < baseAt);
  if (stored === undefined) return [];
  const head = await withPatience(engine, () => remote.head(path, signal));
  const isCurrent = head.kind === 'file' && head.hash === hash;
  const sizeBytes = isCurrent ? head.sizeBytes : (base?.sizeBytes ?? 1);
  const contentType = head.kind === 'file' ? head.contentType : (base?.contentType ?? '');
  const here = { stamp, object: base?.object ?? null, mode: base?.mode ?? 0o644 };
  const row = baseRow(engine, path, { version: stored.version, hash, sizeBytes, contentType }, here, true);
  // What was sent is known; what stands here after a loss of power is not.
  if (engine.lostPower) engine.suspects.add(path);
  return baseChanges(engine, path, row);
}

/**
 * What was sent was moved on the server afterwards, and a loss of power took both results. Where the file was moved here
 * as well, its row belongs to the new path: it may have been edited there since.
 */
async function recoverMoved(
  engine: Engine,
  sent: { readonly path: WorkspacePath; readonly hash: ContentHash; readonly stamp: Stamp },
): Promise<StateChange[]> {
  const { memory, folder } = engine;
  const { base, remote } = memory.state;
  const found = [...remote].find(
    ([to, there]) =>
      there.kind === 'file' && there.movedFrom === sent.path && there.hash === sent.hash && !base.has(to),
  );
  if (found === undefined) return [];
  const [to, there] = found;
  if (there.kind !== 'file') return [];
  const time = await folder.readDiskTime();
  const old = await folder.readEntry(diskPathOf(engine, sent.path), time);
  const now = await folder.readEntry(diskPathOf(engine, to), time);
  const head = await withPatience(engine, () => engine.remote.head(to, engine.signal));
  if (head.kind !== 'file' || head.hash !== sent.hash) return [];
  const { version, hash, sizeBytes, contentType } = head;
  const isMovedHere = old.kind === 'absent' && now.kind === 'file';
  const known = base.get(sent.path);
  const here = { stamp: sent.stamp, object: known?.object ?? null, mode: known?.mode ?? 0o644 };
  const row = baseRow(engine, sent.path, { version, hash, sizeBytes, contentType }, here, true);
  const path = isMovedHere ? to : sent.path;
  if (engine.lostPower) engine.suspects.add(path);
  if (isMovedHere)
    return [...inSyncChanges(sent.path, null), ...inSyncChanges(to, { ...row, localName: null })];
  return [
    { table: 'base', path, row },
    { table: 'remote', path, row: { kind: 'absent' } },
  ];
}
