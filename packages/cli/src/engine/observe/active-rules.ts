// docs/sync.md
import { parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import { diskPathOf, type Engine } from '../engine.ts';
import type { IgnoreRules } from '../ports/ignore-rules.ts';
import type { SyncMeta } from '../ports/state-rows.ts';
import { isOfBase } from '../stamps.ts';

/** The shared rules: an ordinary file that other users can change. */
export const sharedRulesPath = parseWorkspacePath('.stoaignore');

/**
 * Returns the rules for a pass. If another user changed the shared rules so that files of both sides would no longer be
 * synced, the change waits for the user. Until then a path is ignored only if the accepted rules also ignore it.
 */
export async function readActiveRules(engine: Engine): Promise<IgnoreRules> {
  const { folder, memory } = engine;
  const current = await folder.readIgnoreRules();
  engine.newlyIgnored = new Set();
  const shared = current.texts.shared ?? '';
  if (memory.state.meta.acceptedIgnore === null || memory.state.meta.acceptedIgnore === shared)
    return current;
  const isOwn = await isOwnEdit(engine);
  if (isOwn) {
    if (!isAnyWaiting(engine)) return current;
    await acceptOwnLines(engine, shared);
  } else if (memory.state.meta.offeredIgnore !== shared) {
    await memory.commit([{ table: 'meta', values: { offeredIgnore: shared } }], 'grouped');
  }
  const texts = { shared: memory.state.meta.acceptedIgnore, private: current.texts.private };
  const accepted = folder.parseIgnoreRules(texts);
  const isNewlyIgnored = (path: WorkspacePath): boolean =>
    current.isIgnored(path, 'file') && !accepted.isIgnored(path, 'file');
  const { base, remote, meta } = memory.state;
  // In a first contact, the files of both sides are not matched yet.
  const there = meta.phase === 'first_contact' ? remote.keys() : [];
  engine.newlyIgnored = new Set([...base.keys(), ...there].filter(isNewlyIgnored));
  if (engine.newlyIgnored.size === 0) return current;
  return {
    ...current,
    isIgnored: (path, kind) => current.isIgnored(path, kind) && accepted.isIgnored(path, kind),
  };
}

/**
 * Returns the rules of other users that apply without the user's acceptance, because they removed nothing when they
 * came. Null without any.
 */
export function readUnacceptedRules(
  { folder, memory }: Engine,
  current: IgnoreRules,
): Pick<IgnoreRules, 'isIgnored'> | null {
  const { acceptedIgnore, ownIgnore } = memory.state.meta;
  const shared = ownIgnore ?? acceptedIgnore;
  if (shared === null || shared === (current.texts.shared ?? '')) return null;
  const own = folder.parseIgnoreRules({ shared, private: current.texts.private });
  return { isIgnored: (path, kind) => current.isIgnored(path, kind) && !own.isIgnored(path, kind) };
}

/** State after the user accepted the rules. */
export function acceptedRules({ texts }: Pick<IgnoreRules, 'texts'>): Partial<SyncMeta> {
  return { acceptedIgnore: texts.shared ?? '', ownIgnore: null };
}

/** State after the user edited the rules: an edit does not accept the lines of other users next to it. */
export function editedRules({ acceptedIgnore, ownIgnore }: SyncMeta, shared: string): Partial<SyncMeta> {
  const added = addedLines(shared, [acceptedIgnore]);
  return { acceptedIgnore: shared, ownIgnore: withLines(ownIgnore, added) };
}

/** Whether another user's rules wait for acceptance. */
export function isAnyWaiting({ memory }: Pick<Engine, 'memory'>): boolean {
  const { base, remote, skipped } = memory.state;
  // A file that the user renamed waits under a name that neither side has synced. Its rules apply already.
  const isSynced = (path: string): boolean =>
    base.has(path as WorkspacePath) || remote.has(path as WorkspacePath);
  return skipped
    .values()
    .some(
      ({ path, reason }) => reason === 'newly_unignored' || (reason === 'newly_ignored' && isSynced(path)),
    );
}

/**
 * Whether the local shared rules differ from the server's. Compares bytes, because a decoded text may hide differences.
 */
async function isOwnEdit(engine: Engine): Promise<boolean> {
  const { folder, memory } = engine;
  const diskPath = diskPathOf(engine, sharedRulesPath);
  const row = memory.state.base.get(sharedRulesPath);
  const entry = await folder.readEntry(diskPath, await folder.readDiskTime());
  if (entry.kind !== 'file') return false;
  if (isOfBase(row?.stamp, entry.stamp) && !entry.isRecent) return false;
  const read = await folder.hashFile(diskPath, entry.stamp);
  if (read.kind !== 'hashed') return false;
  const there = memory.state.remote.get(sharedRulesPath);
  return read.hash !== row?.hash && !(there?.kind === 'file' && there.hash === read.hash);
}

/** Accepts the lines that the user added while another user's rules wait. They may protect a secret. */
async function acceptOwnLines({ memory }: Engine, shared: string): Promise<void> {
  const { acceptedIgnore, ownIgnore, offeredIgnore } = memory.state.meta;
  const added = addedLines(shared, [offeredIgnore, acceptedIgnore]);
  if (added.length === 0) return;
  const values = {
    acceptedIgnore: withLines(acceptedIgnore ?? '', added),
    ownIgnore: withLines(ownIgnore, added),
    offeredIgnore: shared,
  };
  await memory.commit([{ table: 'meta', values }], 'grouped');
}

const linesOf = (text: string | null): string[] => (text ?? '').split(/\r?\n/);

function addedLines(text: string, known: readonly (string | null)[]): readonly string[] {
  const before = new Set(known.flatMap(linesOf));
  return linesOf(text).filter((line) => !before.has(line));
}

function withLines<Text extends string | null>(text: Text, added: readonly string[]): Text | string {
  return text === null ? text : [text, ...added].join('\n');
}
