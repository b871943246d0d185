// docs/decisions/0101-shared-rules-come-before-all-else.md
import { parseWorkspacePath, placeholderOf, type SyncOperation, type WorkspacePath } from '@stoa/core';
import type { Engine, Waiting } from '../engine.ts';
import type { IgnoreRules } from '../ports/ignore-rules.ts';
import type { LocalTrees } from './compare-scan.ts';

/** The shared rules: an ordinary file, which others may change. */
const sharedRulesPath = parseWorkspacePath('.stoaignore');

/**
 * What brings rules of others here. It goes before all else that is planned: what they keep here would be sent beside them
 * otherwise, as by the first sync of a folder that has files already.
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
 * Files and empty folders that exist only here and are sent by nobody's rules but another's: somebody else changed the shared rules, and what
 * this folder's user kept ignored would go up. They wait until the user accepts the rules.
 */
export async function findNewlyUnignored(
  engine: Engine,
  rules: IgnoreRules,
  { local, localFolders }: Pick<LocalTrees, 'local' | 'localFolders'>,
): Promise<ReadonlyMap<WorkspacePath, Waiting>> {
  const { memory, folder } = engine;
  const { meta, base, leftOut } = memory.state;
  const shared = rules.texts.shared ?? '';
  // Of rules that stand beside others' which wait already, nobody said that those are accepted, too.
  const isWaiting = leftOut.values().some(({ reason }) => reason === 'newly_unignored');
  const isOwnEdit = local.get(sharedRulesPath)?.kind === 'file' && !isWaiting;
  if (meta.acceptedIgnore === null || isOwnEdit) {
    await acceptIgnoreRules(engine, rules);
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
  // A name may tell as much as what is in it.
  for (const [folder, state] of localFolders) {
    if (state.kind === 'folder' && state.isEmpty) putOff(placeholderOf(folder));
  }
  if (waiting.size === 0) await acceptIgnoreRules(engine, rules);
  return waiting;
}

/** What the rules let up from now on is sent. */
export async function acceptIgnoreRules({ memory }: Engine, rules: IgnoreRules): Promise<void> {
  const acceptedIgnore = rules.texts.shared ?? '';
  if (memory.state.meta.acceptedIgnore === acceptedIgnore) return;
  await memory.commit([{ table: 'meta', values: { acceptedIgnore } }], 'grouped');
}
