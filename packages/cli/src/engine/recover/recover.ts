// docs/decisions/0024-sync-crash-recovery.md
import { guessContentType, isWithin, type Stamp, type WorkspacePath } from '@stoa/core';
import { baseRow, diskPathOf, type Engine } from '../engine.ts';
import { baseChanges, inSyncChanges, keepDoubt } from '../execute/base-changes.ts';
import { giveCopyName, takeBackSecondName } from '../execute/conflict.ts';
import { followInTrash } from '../execute/earlier-contents.ts';
import { findKeptCopy } from '../execute/kept-copies.ts';
import type { Audit } from '../observe/audit.ts';
import type { PresumedFile } from '../ports/local-folder.ts';
import type { Intent } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';
import { unread } from '../stamps.ts';
import { withRetryBudget } from '../with-retry-budget.ts';

/**
 * Recovers after a crash, once the feed is caught up. Completed deletes, downloads and renames left both sides equal,
 * and the comparison accepts that. Three cases need more:
 * - An upload was stored but its response is lost. Its content tells it apart from another user's write. It becomes the
 * base; otherwise a later local edit would look like a conflict with itself.
 * - A move was completed. The base also moves; otherwise a new file at the old path would look like a conflict.
 * - A local rename had created the second name of the file.
 */
export async function recover(
  engine: Engine,
  { audit, mayChangeDisk }: { readonly audit: Audit | null; readonly mayChangeDisk: boolean },
): Promise<void> {
  const { folder, memory } = engine;
  for (const id of await folder.listStaged()) await folder.discardStaged(id);
  // A path missing from a list removes no local file. A created file is compared like a new one, unless a feed record
  // mentions it.
  const { intents, remote } = memory.state;
  const dropped = [...intents.values()].filter(
    ({ kind, path }) =>
      kind === 'create' && audit?.spokenOf.has(path) === false && remote.get(path)?.kind !== 'file',
  );
  const changes = dropped.map(({ id }): StateChange => ({ table: 'intent', id, row: null }));
  if (changes.length > 0) await memory.commit(changes, 'grouped');
  await recoverIntents(engine, mayChangeDisk);
}

/**
 * Recovers intents whose response does not show whether an earlier try was applied. The feed shows it once it was read.
 */
export async function recoverIntents(engine: Engine, mayChangeDisk = true): Promise<void> {
  const { memory } = engine;
  for (const intent of [...memory.state.intents.values()]) {
    const changes = await recoverIntent(engine, intent, mayChangeDisk);
    if (changes === 'unclear') continue;
    await memory.commit([...changes, { table: 'intent', id: intent.id, row: null }], 'grouped');
  }
}

/** `unclear`: the feed will show it at the next read, or a pass that may change the disk must decide. */
type Recovered = StateChange[] | 'unclear';

async function recoverIntent(engine: Engine, intent: Intent, mayChangeDisk: boolean): Promise<Recovered> {
  switch (intent.kind) {
    case 'put':
      return recoverPut(engine, intent, mayChangeDisk);
    case 'move':
      return recoverMove(engine, intent);
    case 'create':
      return recoverCreate(engine, intent);
    case 'rename':
      if (!mayChangeDisk) return 'unclear';
      await recoverRename(engine, intent);
      return [];
    default:
      return [];
  }
}

async function recoverPut(engine: Engine, intent: Intent, mayChangeDisk: boolean): Promise<Recovered> {
  const { memory, remote, signal } = engine;
  const { state } = memory;
  const { path, hash, copyPath } = intent;
  const there = state.remote.get(path);
  if (hash === null || intent.stamp === null) return [];
  const stamp = await endSecondName(engine, { ...intent, hash, stamp: intent.stamp }, mayChangeDisk);
  if (stamp === null) return 'unclear';
  const base = state.base.get(path) ?? null;
  if (there?.kind !== 'file') {
    const isGone = there?.kind === 'absent' || base === null;
    if (isGone && !mayChangeDisk) return 'unclear';
    if (isGone) return recoverConflict(engine, path, { hash, stamp }, copyPath);
    // The server has the same file as the base. The upload was not applied, or a later change reverted it. The losing
    // text must also give way to that.
    if (copyPath === null || there !== undefined || base.hash === hash) return [];
  }
  if (copyPath !== null) {
    // The text was stored as a copy. The server's file must still be downloaded to the path.
    const found = await engine.folder.readEntry(diskPathOf(engine, path), { ns: 0n });
    return found.kind === 'file' && found.stamp === stamp ? 'unclear' : [];
  }
  const versions = await withRetryBudget(engine, () => remote.listVersions(path, signal));
  const baseAt =
    base === null
      ? versions.length
      : versions.findIndex((each) => each.version === base.version && each.hash === base.hash);
  const stored = versions.find((each, at) => each.hash === hash && at < baseAt);
  if (stored === undefined) return [];
  const head = await withRetryBudget(engine, () => remote.head(path, signal));
  const isCurrent = head.kind === 'file' && head.hash === hash;
  const sizeBytes = isCurrent ? head.sizeBytes : (base?.sizeBytes ?? 1);
  const contentType = head.kind === 'file' ? head.contentType : (base?.contentType ?? '');
  const here = { stamp, object: base?.object ?? null, mode: base?.mode ?? 0o644 };
  const row = baseRow(engine, path, { version: stored.version, hash, sizeBytes, contentType }, here, true);
  // The sent content is known, but the local file may have been damaged by the power failure.
  if (engine.lostPower) engine.untrusted.add(path);
  return baseChanges(engine, path, row);
}

/**
 * Removes the second name of a losing text if its stamp has changed. Either the file was written since, or the process
 * ended while giving it the name of the copy. A write to both names would be sent as two files.
 * @returns the stamp of the losing text: a new one if it is still the local file. Null: a pass that may change the disk
 * must do it.
 */
async function endSecondName(
  engine: Engine,
  intent: Intent & PresumedFile,
  mayChangeDisk: boolean,
): Promise<Stamp | null> {
  const { path, copyPath: copy, hash, stamp } = intent;
  if (copy === null) return stamp;
  const { folder, memory, view } = engine;
  const [diskPath, alsoAt] = [diskPathOf(engine, path), diskPathOf(engine, copy)];
  const found = await folder.readEntry(diskPath, { ns: 0n });
  if (found.kind !== 'file' || found.object === null || found.stamp === stamp) return stamp;
  const second = await folder.readEntry(alsoAt, { ns: 0n });
  if (second.kind !== 'file' || second.object !== found.object) return stamp;
  if (!mayChangeDisk) return null;
  await takeBackSecondName(engine, { path, diskPath, copy, alsoAt });
  view.touch(alsoAt);
  const left = await folder.readEntry(diskPath, { ns: 0n });
  if (left.kind !== 'file') return stamp;
  const read = await folder.hashFile(diskPath, left.stamp);
  if (read.kind !== 'hashed' || read.hash !== hash) return stamp;
  const row = { ...intent, stamp: left.stamp };
  await memory.commit([{ table: 'intent', id: row.id, row }], 'grouped');
  return row.stamp;
}

/** The file was created but not recorded. It is the server's file and follows it to its current path. */
async function recoverCreate(engine: Engine, { path, version, hash, seq0 }: Intent): Promise<StateChange[]> {
  const { folder, memory } = engine;
  if (version === null || hash === null || memory.state.base.has(path)) return [];
  const diskPath = diskPathOf(engine, path);
  const found = await folder.readEntry(diskPath, { ns: 0n });
  if (found.kind !== 'file') return [];
  const read = await folder.hashFile(diskPath, found.stamp);
  if (read.kind !== 'hashed' || read.hash !== hash) return [];
  const there = { version, hash, sizeBytes: found.sizeBytes, contentType: guessContentType(path) };
  const here = { stamp: unread(found.stamp), object: found.object, mode: found.mode };
  engine.unflushed.add(path);
  const isRevoked = [...memory.state.revoked].some(([item, seq]) => seq > seq0 && isWithin(path, item));
  // The feed was read. A path that it does not have there is gone.
  const remote = memory.state.remote.get(path) ?? ({ kind: isRevoked ? 'hidden' : 'absent' } as const);
  return baseChanges(engine, path, baseRow(engine, path, there, here, false), remote);
}

/**
 * The text lost against a file that is gone by now, and the server stored it as a copy. If it were sent to the path
 * again, it would exist twice.
 * @param kept the copy, if the server named it. Without it, a copy that already exists here may be the source of the
 * text, if another user put it back.
 */
async function recoverConflict(
  engine: Engine,
  path: WorkspacePath,
  sent: PresumedFile,
  kept: WorkspacePath | null,
): Promise<Recovered> {
  const { folder, memory } = engine;
  const { base, remote } = memory.state;
  const copy = kept ?? (await findKeptCopy(engine, path, sent.hash));
  if (copy === 'not_found') return 'unclear';
  if (copy === null) return [];
  const here = base.get(copy);
  if (here === undefined) {
    const there = remote.get(copy);
    // Another user deleted the copy, so the text is again an edit of a deleted file.
    if (there?.kind !== 'file' && !engine.unconfirmed.has(copy)) return [];
    const sizeBytes = (there?.kind === 'file' ? there.sizeBytes : null) ?? 1;
    await giveCopyName(engine, path, diskPathOf(engine, path), copy, { ...sent, sizeBytes });
    return [];
  }
  if (kept === null || here.hash !== sent.hash) return [];
  const gone = await folder.moveToTrash(diskPathOf(engine, path), sent);
  if (gone.kind !== 'moved_away') return [];
  const { file, sizeBytes } = gone.trashed;
  const row = { id: engine.pace.newId(), path, hash: sent.hash, sizeBytes, why: 'replaced', file } as const;
  const trashed = { table: 'trash', id: row.id, row: { ...row, at: engine.pace.wallNow() } } as const;
  return [...inSyncChanges(path, null), trashed];
}

async function recoverMove(engine: Engine, { path: from, toPath: to, hash }: Intent): Promise<StateChange[]> {
  const { base, remote } = engine.memory.state;
  const row = base.get(from);
  if (row === undefined || to === null || base.has(to) || remote.get(from)?.kind !== 'absent') return [];
  const there = remote.get(to);
  if (there?.kind !== 'file' || there.movedFrom !== from || there.hash !== hash) return [];
  keepDoubt(engine, from, to);
  const version = row.hash === there.hash ? there.version : row.version;
  const moved = { ...row, version, localName: null };
  const earlier = await followInTrash(engine, from, to);
  return [...inSyncChanges(from, null), ...baseChanges(engine, to, moved), ...earlier];
}

async function recoverRename(engine: Engine, { path: from, toPath: to }: Intent): Promise<void> {
  if (to === null) return;
  await engine.folder.finishRename(diskPathOf(engine, from), diskPathOf(engine, to));
}
