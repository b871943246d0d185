// docs/decisions/0053-what-a-crash-leaves-is-decided-by-the-table.md
import { guessContentType, isWithin, type Stamp, type WorkspacePath } from '@stoa/core';
import { baseRow, diskPathOf, type Engine } from '../engine.ts';
import { baseChanges, carryDoubt, inSyncChanges } from '../execute/base-changes.ts';
import { giveCopyName, takeBackSecondName } from '../execute/conflict.ts';
import { followInTrash } from '../execute/earlier-contents.ts';
import { findKeptCopy } from '../execute/kept-copies.ts';
import type { Audit } from '../observe/audit.ts';
import type { PresumedFile } from '../ports/local-folder.ts';
import type { Intent } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';
import { unread } from '../stamps.ts';
import { withPatience } from '../with-patience.ts';

/**
 * After a crash, once the feed is caught up. Deletes, downloads and renames that were done leave both sides alike, and the
 * table takes that as it is. An upload that was stored without its answer is told from somebody else's write by its
 * content: it becomes the base, or an edit made since would look like a conflict with oneself. So would a file that took
 * the new place of one that was moved: a move that was done takes the base along. And so would the second name of a file
 * that was being renamed here.
 */
export async function recover(
  engine: Engine,
  { audit, mayChangeDisk }: { readonly audit: Audit | null; readonly mayChangeDisk: boolean },
): Promise<void> {
  const { folder, memory } = engine;
  for (const id of await folder.listStaged()) await folder.discardStaged(id);
  // What a list lacks takes nothing away here: what was put in place is met as for the first time, but where a record spoke of it.
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
 * Of requests whose answer does not tell whether an earlier try of them was carried out: the feed does, once it was read.
 */
export async function recoverIntents(engine: Engine, mayChangeDisk = true): Promise<void> {
  const { memory } = engine;
  for (const intent of [...memory.state.intents.values()]) {
    const changes = await recoverIntent(engine, intent, mayChangeDisk);
    if (changes === 'unclear') continue;
    await memory.commit([...changes, { table: 'intent', id: intent.id, row: null }], 'grouped');
  }
}

/** `unclear`: the feed tells it once it is read again, or it is for a pass that may change the disk. */
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
    // As in the base: it was not carried out, or a later change undid it. What lost is to give way to that, too.
    if (copyPath === null || there !== undefined || base.hash === hash) return [];
  }
  if (copyPath !== null) {
    // Kept beside what is there, which is still to be fetched to its path.
    const found = await engine.folder.readEntry(diskPathOf(engine, path), { ns: 0n });
    return found.kind === 'file' && found.stamp === stamp ? 'unclear' : [];
  }
  const versions = await withPatience(engine, () => remote.listVersions(path, signal));
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
 * The file of a text that lost has its copy's name as well, and not the stamp that was noted with it: it was written since, or
 * the process ended when it got that name. What is written into it would be sent as two files.
 *
 * @returns the stamp of what lost: a new one, where it is still what stands here. Null: that is for a pass that may change the disk.
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

/** Put in place and not noted: it is the server's, and goes where the server has it by now. */
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
  // The feed was read: what it did not leave there is gone.
  const remote = memory.state.remote.get(path) ?? ({ kind: isRevoked ? 'hidden' : 'absent' } as const);
  return baseChanges(engine, path, baseRow(engine, path, there, here, false), remote);
}

/**
 * It lost against what is gone by now, and was kept beside it: sent to the path again, the same text would stand twice.
 *
 * @param kept the copy, where the server named it. Without that a copy that is here already may be where the text was taken
 *   from, by somebody who put it back.
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
    // Somebody deleted the copy: the text is what it was, an edit of what was deleted.
    if (there?.kind !== 'file' && !engine.untold.has(copy)) return [];
    const sizeBytes = (there?.kind === 'file' ? there.sizeBytes : null) ?? 1;
    await giveCopyName(engine, path, diskPathOf(engine, path), copy, { ...sent, sizeBytes });
    return [];
  }
  if (kept === null || here.hash !== sent.hash) return [];
  const gone = await folder.moveToTrash(diskPathOf(engine, path), sent);
  if (gone.kind !== 'displaced') return [];
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
  carryDoubt(engine, from, to);
  const version = row.hash === there.hash ? there.version : row.version;
  const moved = { ...row, version, localName: null };
  const earlier = await followInTrash(engine, from, to);
  return [...inSyncChanges(from, null), ...baseChanges(engine, to, moved), ...earlier];
}

async function recoverRename(engine: Engine, { path: from, toPath: to }: Intent): Promise<void> {
  if (to === null) return;
  await engine.folder.finishRename(diskPathOf(engine, from), diskPathOf(engine, to));
}
