import { foldersAbove, type LeftOut, type WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import { beginFirstContact } from '../observe/first-contact.ts';
import type { DiskPath } from '../ports/local-folder.ts';
import type { RequestBox, SyncRequest } from '../ports/request-box.ts';
import { type PassOptions, type PassOutcome, runPass } from '../run-pass.ts';
import { emptyTrash, restoreTrashed, type Trash } from '../trash.ts';
import { type WatchEvent, watchWorkspace } from './watch-workspace.ts';

export interface WatchWishes {
  /** Of this process: other commands show it. */
  readonly pid: number;
  readonly requests: RequestBox;
  readonly onEvent: (event: WatchEvent) => void;
  /** What a process that asked for a pass is told of it. */
  readonly describe: (outcome: PassOutcome, isDryRun: boolean) => unknown;
}

/** How long a writer may still hold a file open that was replaced under it. */
const displacedMs = 5000;
const ownPass: PassOptions = { held: 'keep', isDryRun: false, isSettling: false };

/** Keeps a folder and its workspace the same until the engine's signal ends it. @throws as `watchWorkspace`. */
export async function watchEngine(engine: Engine, wishes: WatchWishes): Promise<void> {
  const { folder, memory } = engine;
  const { pid, requests, describe } = wishes;
  const trash: Trash = {
    folder,
    store: engine.store,
    commit: (changes, durability) => memory.commit(changes, durability),
  };
  let rules = await folder.readIgnoreRules();
  let inTheWay: ReadonlySet<DiskPath> = new Set();
  const pass = async (options: PassOptions): Promise<PassOutcome> => {
    rules = await folder.readIgnoreRules();
    const outcome = await runPass(engine, options);
    const before = inTheWay;
    inTheWay = findIgnoredInTheWay(outcome.leftOut);
    const added = [...inTheWay].filter((place) => !before.has(place));
    for (const place of added) engine.view.touch(place);
    // What went before it was awaited was told to nobody: it is looked at once more.
    return added.length === 0 ? outcome : { ...outcome, retryInMs: 0 };
  };
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
    // A rule for folders alone is applied to files of that name, too: they are found by the scan.
    isIgnored: (path) => rules.isIgnored(path, 'folder'),
    isAwaited: (path) => inTheWay.has(path),
    onTouched: (path) => engine.view.touch(path),
    async runPass(wanted) {
      const outcome = await pass({ ...ownPass, ...wanted });
      const { isUnsettled, folders, retryInMs, isInSync, wholeScanMs } = outcome;
      const isWatched = engine.displaced.length > 0;
      return {
        isUnsettled,
        isInSync,
        isHeld: outcome.holds.length > 0,
        wholeScanMs,
        folders,
        retryInMs: isWatched ? Math.min(retryInMs ?? displacedMs, displacedMs) : retryInMs,
      };
    },
    serve: (request) => serve(request),
    onEvent(event) {
      // Only shown to others; nothing depends on it.
      if (event.event === 'polling') void setMode('polling');
      wishes.onEvent(event);
    },
  });

  async function serve(request: SyncRequest): Promise<unknown> {
    switch (request.kind) {
      case 'sync': {
        const { confirm, undoHeld, isDryRun, maxDeletes } = request;
        return describe(
          await pass({
            held: confirm ? 'confirm' : undoHeld ? 'undo' : 'keep',
            isDryRun,
            isSettling: true,
            ...(maxDeletes === null ? {} : { maxDeletes: maxDeletes === 'none' ? null : maxDeletes }),
          }),
          isDryRun,
        );
      }
      case 'resync':
        await beginFirstContact(engine);
        return describe(await pass({ ...ownPass, isSettling: true }), false);
      case 'accept_ignore': {
        const acceptedIgnore = rules.texts.shared;
        await memory.commit([{ table: 'meta', values: { acceptedIgnore } }], 'grouped');
        return describe(await pass({ ...ownPass, isSettling: true }), false);
      }
      case 'empty_trash':
        return emptyTrash(trash, request.olderThanDays, engine.pace.wallNow());
      case 'restore_trash':
        return restoreTrashed(trash, request.id);
    }
  }
}

/** Places at which something ignored keeps a file of the server away: at its path, above it, or under another spelling. */
function findIgnoredInTheWay(leftOut: readonly LeftOut[]): ReadonlySet<DiskPath> {
  const places = leftOut.flatMap(({ path, reason, detail }) => {
    if (reason === 'blocked') return [path, ...foldersAbove(path as WorkspacePath)];
    return reason === 'case_collision' && detail !== null ? [detail] : [];
  });
  return new Set(places);
}
