import { type FSWatcher, watch } from 'node:fs';
import { sep } from 'node:path';
import { hiddenFolderName } from '@stoa/core';
import type { FolderWatch, FolderWatchOptions } from '../engine/ports/folder-watch.ts';
import { errorCodeOf } from './disk-refusals.ts';
import type { Root } from './root.ts';
import { raiseWatches } from './watch-limits.ts';

/** More events than this in a second are not told one by one: reading the folder is cheaper. */
const eventsASecondMax = 4000;

/** As the port says. The events of the hidden folder, where this program itself writes, are none. */
export function watchFolder(root: Root, { onEvent, isIgnored }: FolderWatchOptions): FolderWatch {
  let isOpen = true;
  let countedSince = 0;
  let counted = 0;
  const isHidden = (path: string) => path === hiddenFolderName || path.startsWith(`${hiddenFolderName}/`);
  const pathOf = (name: string) => (sep === '/' ? name : name.replaceAll(sep, '/'));
  const tell = (name: string | null) => {
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
  };
  let watcher: FSWatcher | null = null;
  const close = () => {
    isOpen = false;
    watcher?.close();
  };
  try {
    watcher = watch(
      root.folder,
      { recursive: true, ignore: (name: string) => isHidden(pathOf(name)) || isIgnored(pathOf(name)) },
      (_event, name) => tell(name),
    );
  } catch (error) {
    return { mode: 'polling', detail: adviceOn(error), close };
  }
  watcher.on('error', (error) => {
    if (!isOpen) return;
    close();
    onEvent({ kind: 'blind', detail: adviceOn(error) });
  });
  return { mode: 'events', detail: null, close };
}

function adviceOn(error: unknown): string {
  const code = errorCodeOf(error);
  if (code === 'ENOSPC') {
    return `the system has no watches left: raise them with "${raiseWatches}"`;
  }
  if (code === 'EMFILE') {
    return 'the system has no watchers left: raise them with "sudo sysctl fs.inotify.max_user_instances=512"';
  }
  return `this disk tells of no changes (${code ?? String(error)})`;
}
