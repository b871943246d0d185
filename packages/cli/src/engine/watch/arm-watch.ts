import type { ObjectId } from '@stoa/core';
import type { FolderEvent, FolderWatch } from '../ports/folder-watch.ts';
import type { DiskPath, LocalFolder } from '../ports/local-folder.ts';

/** A watch that is opened anew where it may have gone blind. */
export interface ArmedWatch {
  readonly mode: 'events' | 'polling';
  /** Why there are no events, if so. */
  readonly detail: string | null;
  /**
   * Compares the folders that a scan saw with those that were there when the watch was opened: inside one that was
   * removed and made again at once, or swapped with another, it may hear nothing any more. One that hears nothing at all is
   * tried again now and then.
   *
   * @returns whether it was opened anew: then everything has to be looked at once more.
   */
  check(folders: ReadonlyMap<DiskPath, ObjectId | null>, now: number): Promise<boolean>;
  close(): void;
}

/** Not opened more often, whatever happens in the folder. */
const rearmMsMin = 2000;
/** Without events it is tried again this often. */
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

  /** One that is new is heard: the watch opens folders that are made. */
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
      // Too early to open it anew: what was known stays, so that the next check finds the same.
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
