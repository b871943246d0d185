import { foldersAbove, type SkippedPath, type WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import { acceptedRules, readActiveRules, readUnacceptedRules } from '../observe/active-rules.ts';
import { beginFirstContact } from '../observe/first-contact.ts';
import { folderAbove } from '../observe/folder-view.ts';
import type { DiskPath } from '../ports/local-folder.ts';
import type { RequestBox, SyncRequest } from '../ports/request-box.ts';
import { type PassOptions, type PassOutcome, runPass } from '../run-pass.ts';
import { emptyTrash, restoreTrashed, type Trash } from '../trash.ts';
import { type WatchEvent, watchWorkspace } from './watch-workspace.ts';

export interface WatchOptions {
  /** Id of this process, shown by other commands. */
  readonly pid: number;
  readonly requests: RequestBox;
  readonly onEvent: (event: WatchEvent) => void;
  /** Describes a pass to the process that requested it. */
  readonly describe: (outcome: PassOutcome, isDryRun: boolean) => unknown;
}

/** Time for which another process may hold a replaced file open. */
const replacedMs = 5000;
const ownPass: PassOptions = { pending: 'keep', isDryRun: false, isSettling: false };

/** Syncs a folder with its workspace until the engine's signal ends it. @throws as `watchWorkspace` */
export async function watchEngine(engine: Engine, given: WatchOptions): Promise<void> {
  const { folder, memory } = engine;
  const { pid, requests, describe } = given;
  const trash: Trash = {
    folder,
    store: engine.store,
    commit: (changes, durability) => memory.commit(changes, durability),
  };
  let rules = await readActiveRules(engine);
  let unaccepted = readUnacceptedRules(engine, rules);
  let inTheWay: ReadonlySet<DiskPath> = new Set();
  const pass = async (options: PassOptions): Promise<PassOutcome> => {
    rules = await readActiveRules(engine);
    const outcome = await runPass(engine, options);
    unaccepted = readUnacceptedRules(engine, rules);
    const before = inTheWay;
    inTheWay = findIgnoredInTheWay(outcome.skipped);
    const added = [...inTheWay].filter((location) => !before.has(location));
    for (const location of added) engine.view.touch(location);
    // A removal before the path was awaited was not reported, so run another pass.
    return added.length === 0 ? outcome : { ...outcome, retryInMs: 0 };
  };
  /** Such a path may be a synced file that was just renamed. Entries of ignored folders are not read anyway. */
  const isIgnoredByOthers = (path: DiskPath): boolean =>
    unaccepted?.isIgnored(path, 'folder') === true && !rules.isIgnored(folderAbove(path), 'folder');
  const setMode = (mode: 'events' | 'polling') =>
    memory.commit([{ table: 'meta', values: { worker: { pid, mode } } }], 'grouped');
  await setMode('events');
  await watchWorkspace({
    folder,
    remote: engine.remote,
    pace: engine.pace,
    requests,
    signal: engine.signal,
    cursor: () => memory.state.meta.cursor,
    // A folder rule also matches files of that name here. The scan finds these files.
    isIgnored: (path) => rules.isIgnored(path, 'folder'),
    isAwaited: (path) => inTheWay.has(path) || isIgnoredByOthers(path),
    onTouched: (path) => engine.view.touch(path),
    async runPass(wanted) {
      const outcome = await pass({ ...ownPass, ...wanted });
      const { isUnsettled, folders, retryInMs, isInSync, wholeScanMs } = outcome;
      const isWatched = engine.replacedFiles.length > 0;
      return {
        isUnsettled,
        isInSync,
        isPending: outcome.holds.length > 0,
        wholeScanMs,
        folders,
        retryInMs: isWatched ? Math.min(retryInMs ?? replacedMs, replacedMs) : retryInMs,
      };
    },
    serve: (request) => serve(request),
    onEvent(event) {
      // For display by other processes only.
      if (event.event === 'polling') void setMode('polling');
      given.onEvent(event);
    },
  });

  async function serve(request: SyncRequest): Promise<unknown> {
    switch (request.kind) {
      case 'sync': {
        const { confirm, undoHeld, isDryRun, maxChanges } = request;
        return describe(
          await pass({
            pending: confirm ? 'confirm' : undoHeld ? 'undo' : 'keep',
            isDryRun,
            isSettling: true,
            ...(maxChanges === null ? {} : { maxChanges }),
          }),
          isDryRun,
        );
      }
      case 'resync':
        await beginFirstContact(engine);
        return describe(await pass({ ...ownPass, isSettling: true }), false);
      case 'accept_ignore': {
        await memory.commit([{ table: 'meta', values: acceptedRules(rules) }], 'grouped');
        return describe(await pass({ ...ownPass, isSettling: true }), false);
      }
      case 'empty_trash':
        return emptyTrash(trash, request.olderThanDays, engine.pace.wallNow());
      case 'restore_trash':
        return restoreTrashed(trash, request.id);
    }
  }
}

/**
 * Paths at which an ignored entry blocks a file of the server: the path itself, a folder above it, or a name that
 * differs in case only.
 */
function findIgnoredInTheWay(skipped: readonly SkippedPath[]): ReadonlySet<DiskPath> {
  const locations = skipped.flatMap(({ path, reason, detail }) => {
    if (reason === 'blocked') return [path, ...foldersAbove(path as WorkspacePath)];
    return reason === 'case_collision' && detail !== null ? [detail] : [];
  });
  return new Set(locations);
}
