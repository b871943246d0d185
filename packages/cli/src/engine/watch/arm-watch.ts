import type { ObjectId } from '@stoa/core';
import type { FolderEvent, FolderWatch } from '../ports/folder-watch.ts';
import type { DiskPath, LocalFolder } from '../ports/local-folder.ts';

/** A watch that is reopened when it may miss events. */
export interface ArmedWatch {
  readonly mode: 'events' | 'polling';
  /** Why there are no events; null if there are. */
  readonly detail: string | null;
  /**
   * Compares the folders of a scan with those at the time the watch was opened. In a folder that was replaced or
   * swapped, the watch may miss events. A watch without any events is retried from time to time.
   * @returns whether it was reopened; then everything must be scanned again
   */
  check(folders: ReadonlyMap<DiskPath, ObjectId | null>, now: number): Promise<boolean>;
  close(): void;
}

/** Minimum interval between two reopenings, whatever happens in the folder. */
const rearmMsMin = 2000;
/** Retry interval without events. */
const retryMs = 600_000;

export async function armWatch(
  folder: Pick<LocalFolder, 'watch'>,
  options: {
    readonly onEvent: (event: FolderEvent) => void;
    readonly isIgnored: (path: DiskPath) => boolean;
    readonly isAwaited: (path: DiskPath) => boolean;
    readonly now: number;
  },
): Promise<ArmedWatch> {
  const { onEvent, isIgnored, isAwaited } = options;
  const known = new Map<DiskPath, ObjectId>();
  let openedAt = options.now;
  let blind: string | null = null;
  const open = async (): Promise<FolderWatch> => {
    blind = null;
    return folder.watch({
      isIgnored,
      isAwaited,
      onEvent: (event) => {
        if (event.kind === 'blind') blind = event.detail;
        onEvent(event);
      },
    });
  };
  let watch = await open();

  /** A new folder is covered, because the watch opens created folders. */
  const hasSwapped = (folders: ReadonlyMap<DiskPath, ObjectId | null>): boolean => {
    if (watch.hears === 'as_read') return false;
    let found = false;
    for (const [path, object] of folders) {
      if (object === null) continue;
      const before = known.get(path);
      if (before !== undefined && before !== object) found = true;
    }
    return found;
  };
  const learn = (folders: ReadonlyMap<DiskPath, ObjectId | null>) => {
    if (watch.hears === 'as_read') return;
    known.clear();
    for (const [path, object] of folders) if (object !== null) known.set(path, object);
  };
  return {
    get mode() {
      return blind === null ? watch.mode : 'polling';
    },
    get detail() {
      return blind ?? watch.detail;
    },
    async check(folders, now) {
      const isDeaf = blind !== null || watch.mode === 'polling';
      const wants = isDeaf ? now - openedAt >= retryMs : hasSwapped(folders) && now - openedAt >= rearmMsMin;
      // Too early to reopen. The known folders stay, so that the next check finds the same change.
      if (!wants) {
        if (isDeaf || !hasSwapped(folders)) learn(folders);
        return false;
      }
      watch.close();
      watch = await open();
      openedAt = now;
      learn(folders);
      return true;
    },
    close: () => watch.close(),
  };
}
