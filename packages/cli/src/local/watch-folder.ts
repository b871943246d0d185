// On Linux each scanned directory has one inotify watch, set before its entries are read: no change falls in between.
import { type BigIntStats, type FSWatcher, watch } from 'node:fs';
import { join, sep } from 'node:path';
import { hiddenFolderName } from '@stoa/core';
import type { FolderWatch, FolderWatchOptions } from '../engine/ports/folder-watch.ts';
import type { DiskPath, FolderEntry } from '../engine/ports/local-folder.ts';
import { errorCodeOf } from './disk-errors.ts';
import type { Root } from './root.ts';
import { objectOf } from './stamp.ts';
import { raiseWatches } from './watch-limits.ts';

/** A watch that follows the scan: it watches the folders that are read. */
export interface OpenedWatch extends FolderWatch {
  /** Called before the names of a folder are read. Events are reported from then on. */
  reads(folder: DiskPath | '', found: BigIntStats): void;
  /** Called after it was read. Folders that are no longer in it are not watched any more. */
  hasRead(folder: DiskPath | '', entries: readonly FolderEntry[]): void;
}

/** Above this number of events per second, single events are dropped, because a scan is cheaper. */
const eventsASecondMax = 4000;

/** See the port. Events in the hidden folder, where this program itself writes, are dropped. */
export function watchFolder(root: Root, options: FolderWatchOptions): OpenedWatch {
  const gate = createGate(options);
  // Other systems watch everything below a folder themselves.
  return process.platform === 'linux' ? watchAsRead(root, gate) : watchAtOnce(root, gate);
}

/** Filters and limits the events for the engine. */
function createGate({ onEvent, isIgnored, isAwaited }: FolderWatchOptions) {
  let isOpen = true;
  let countedSince = 0;
  let counted = 0;
  const isHidden = (path: string) => path === hiddenFolderName || path.startsWith(`${hiddenFolderName}/`);
  const pathOf = (name: string) => (sep === '/' ? name : name.replaceAll(sep, '/'));
  return {
    /** @param event null: any event */
    isPassed(name: string, event: string | null) {
      const path = pathOf(name);
      if (isHidden(path)) return true;
      return isIgnored(path) && (event === 'change' || !isAwaited(path));
    },
    tell(name: string | null) {
      if (!isOpen) return;
      if (name === null) return onEvent({ kind: 'overflow' });
      const path = pathOf(name);
      if (isHidden(path)) return;
      const now = performance.now();
      if (now - countedSince > 1000) {
        countedSince = now;
        counted = 0;
      }
      counted += 1;
      if (counted <= eventsASecondMax) onEvent({ kind: 'touched', path });
      else if (counted === eventsASecondMax + 1) onEvent({ kind: 'overflow' });
    },
    /** Reports the reason once. No events follow. */
    goBlind(error: unknown) {
      if (!isOpen) return;
      isOpen = false;
      onEvent({ kind: 'blind', detail: adviceOn(error) });
    },
    close() {
      isOpen = false;
    },
  };
}

type Gate = ReturnType<typeof createGate>;

const unfollowed = { reads: () => {}, hasRead: () => {} };

function watchAtOnce(root: Root, gate: Gate): OpenedWatch {
  let watcher: FSWatcher | null = null;
  const close = () => {
    gate.close();
    watcher?.close();
  };
  try {
    const ignore = (name: string) => gate.isPassed(name, null);
    watcher = watch(root.folder, { recursive: true, ignore }, (event, name) => {
      if (name === null || !gate.isPassed(name, event)) gate.tell(name);
    });
  } catch (error) {
    return { mode: 'polling', hears: 'at_once', detail: adviceOn(error), close, ...unfollowed };
  }
  watcher.on('error', (error) => {
    watcher.close();
    gate.goBlind(error);
  });
  return { mode: 'events', hears: 'at_once', detail: null, close, ...unfollowed };
}

interface HeardFolder {
  readonly object: string;
  readonly watcher: FSWatcher;
  readonly folders: Map<string, HeardFolder>;
}

/**
 * inotify reports the names in one folder, so each folder needs its own watch. It is set just before the folder is
 * read. So the tree need not be walked for it, and a folder that replaces another is watched like any other.
 */
function watchAsRead(root: Root, gate: Gate): OpenedWatch {
  let top: HeardFolder | null = null;
  const close = () => {
    gate.close();
    closeAll(top);
    top = null;
  };
  const goDeaf = (error: unknown) => {
    gate.goBlind(error);
    close();
  };
  const hear = (folder: DiskPath | '', object: string): HeardFolder => {
    const watcher = watch(join(root.folder, folder), (event, name) => {
      if (name === null) return gate.tell(null);
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!gate.isPassed(path, event)) gate.tell(path);
    });
    watcher.on('error', goDeaf);
    return { object, watcher, folders: new Map() };
  };
  const find = (folder: DiskPath | ''): HeardFolder | null => {
    let at = top;
    for (const name of folder === '' ? [] : folder.split('/')) at = at?.folders.get(name) ?? null;
    return at;
  };
  try {
    top = hear('', objectOf(root.check()));
  } catch (error) {
    return { mode: 'polling', hears: 'as_read', detail: adviceOn(error), close, ...unfollowed };
  }
  return {
    mode: 'events',
    hears: 'as_read',
    detail: null,
    close,
    reads(folder, found) {
      const slash = folder.lastIndexOf('/');
      const above = folder === '' ? null : find(folder.slice(0, Math.max(slash, 0)));
      const name = folder.slice(slash + 1);
      const heard = folder === '' ? top : above?.folders.get(name);
      const object = objectOf(found);
      // The folder above is read first and watched. Below an unwatched folder, everything will be read again.
      if (heard?.object === object || (above === null && folder !== '') || top === null) return;
      closeAll(heard ?? null);
      try {
        const now = hear(folder, object);
        if (above === null) top = now;
        else above.folders.set(name, now);
      } catch (error) {
        const code = errorCodeOf(error);
        // It is gone again. The watch of the folder above reports that.
        if (code === 'ENOENT' || code === 'ENOTDIR') above?.folders.delete(name);
        else goDeaf(error);
      }
    },
    hasRead(folder, entries) {
      const heard = find(folder);
      if (heard === null || heard.folders.size === 0) return;
      const there = new Set(entries.flatMap(({ kind, name }) => (kind === 'folder' ? [name] : [])));
      for (const [name, child] of heard.folders) {
        if (there.has(name)) continue;
        closeAll(child);
        heard.folders.delete(name);
      }
    },
  };
}

function closeAll(folder: HeardFolder | null): void {
  const closing = folder === null ? [] : [folder];
  // Each folder has one parent.
  for (let next = closing.pop(); next !== undefined; next = closing.pop()) {
    next.watcher.close();
    closing.push(...next.folders.values());
  }
}

function adviceOn(error: unknown): string {
  const code = errorCodeOf(error);
  if (code === 'ENOSPC') {
    return `the system has no watches left: raise them with "${raiseWatches}"`;
  }
  if (code === 'EMFILE') {
    return 'the system has no watchers left: raise them with "sudo sysctl fs.inotify.max_user_instances=512"';
  }
  return `this disk does not report changes (${code ?? String(error)})`;
}
