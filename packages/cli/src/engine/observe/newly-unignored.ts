// Rules that other members change must neither send files nor stop sending them without a confirmation.
import { placeholderOf, type SyncOperation, type WorkspacePath } from '@stoa/core';
import type { Engine, Waiting } from '../engine.ts';
import type { IgnoreRules } from '../ports/ignore-rules.ts';
import { editedRules, isAnyWaiting, sharedRulesPath } from './active-rules.ts';
import type { LocalTrees } from './compare-scan.ts';

/**
 * Operations that bring another user's rules here. They run before all others. Otherwise a pass, such as the first sync
 * of a folder with files, would send files that these rules keep here.
 */
export function sharedRulesComing(operations: readonly SyncOperation[]): readonly SyncOperation[] {
  return operations.filter(
    ({ kind, path, after }) =>
      path === sharedRulesPath &&
      after.length === 0 &&
      (kind === 'download' || kind === 'conflict' || kind === 'rename_here'),
  );
}

/**
 * Files and empty folders that exist only here and would be sent because another user changed the shared rules. They
 * were ignored by this user's choice, so they wait until the user accepts the rules.
 */
export async function findNewlyUnignored(
  engine: Engine,
  rules: IgnoreRules,
  { local, localFolders }: Pick<LocalTrees, 'local' | 'localFolders'>,
): Promise<ReadonlyMap<WorkspacePath, Waiting>> {
  const { memory, folder } = engine;
  const { meta, base } = memory.state;
  const shared = rules.texts.shared ?? '';
  // If another user's rules wait already, an own edit next to them does not accept them.
  const here = local.get(sharedRulesPath);
  const there = memory.state.remote.get(sharedRulesPath);
  const known = [base.get(sharedRulesPath)?.hash, there?.kind === 'file' ? there.hash : null];
  const isOwnEdit = here?.kind === 'file' && !known.includes(here.hash) && !isAnyWaiting(engine);
  if (meta.acceptedIgnore === null || isOwnEdit) {
    await memory.commit([{ table: 'meta', values: editedRules(meta, shared) }], 'grouped');
    return new Map();
  }
  if (meta.acceptedIgnore === shared) return new Map();
  const accepted = folder.parseIgnoreRules({ shared: meta.acceptedIgnore, private: rules.texts.private });
  const waiting = new Map<WorkspacePath, Waiting>();
  const putOff = (path: WorkspacePath): void => {
    if (base.has(path) || !accepted.isIgnored(path, 'file')) return;
    waiting.set(path, { reason: 'newly_unignored', detail: null, dueAt: null, retryAt: null });
  };
  for (const [path, { kind }] of local) if (kind === 'file') putOff(path);
  // A name may reveal as much as the content.
  for (const [folder, state] of localFolders) {
    if (state.kind === 'folder' && state.isEmpty) putOff(placeholderOf(folder));
  }
  if (waiting.size === 0 && engine.newlyIgnored.size === 0) {
    const values = { acceptedIgnore: shared, ownIgnore: meta.ownIgnore ?? meta.acceptedIgnore };
    await memory.commit([{ table: 'meta', values }], 'grouped');
  }
  return waiting;
}
