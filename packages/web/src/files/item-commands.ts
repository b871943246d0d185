import type { KeyboardEvent } from 'react';
import { fileAddress } from '../api/addresses.ts';
import { serverAnswers } from '../store/store.ts';
import { files as texts } from '../text/en/files.ts';
import { ui } from '../text/en/ui.ts';
import type { Command } from '../ui/commands.ts';
import { openDialog } from '../ui/dialogs.ts';
import { pressMatches } from '../ui/keys.ts';
import { notify } from '../ui/notices.ts';
import { singleKeys } from '../ui/single-keys.ts';
import { type FilesContext, shownListing } from './files-context.ts';
import { deleteItems, placeItem, setPrivate } from './on-demand.ts';

/** What keys and the palette do to the items that are selected, or to the one that has the focus. */
export function itemCommands(context: FilesContext, paths: readonly string[]): readonly Command[] {
  const { workspaceId } = context;
  const [only] = paths;
  const some = () => paths.length > 0;
  const one = () => paths.length === 1;
  return [
    {
      id: 'items.rename',
      words: texts.rename,
      needsServer: true,
      keys: ['F2'],
      when: one,
      run: () => {
        if (only !== undefined) openDialog({ kind: 'rename', workspaceId, path: only });
      },
    },
    {
      id: 'items.move',
      words: texts.move,
      needsServer: true,
      keys: ['m'],
      when: some,
      run: () => openDialog({ kind: 'move', workspaceId, paths }),
    },
    {
      id: 'items.icon',
      words: texts.setIcon,
      needsServer: true,
      when: one,
      run: () => {
        if (only !== undefined) openDialog({ kind: 'icon', workspaceId, path: only });
      },
    },
    {
      id: 'items.private',
      words: texts.makePrivate,
      needsServer: true,
      keys: ['p'],
      when: some,
      run: () => void togglePrivate(context, paths),
    },
    {
      id: 'items.share',
      words: texts.share,
      needsServer: true,
      keys: ['s'],
      when: one,
      run: () => {
        const entry = only === undefined ? null : shownListing(context).entryAt(only);
        if (entry !== null) openDialog({ kind: 'share', workspaceId, path: entry.path, of: entry.kind });
      },
    },
    {
      id: 'items.info',
      words: texts.info,
      keys: ['i'],
      when: () => only !== undefined && paths.length === 1 && shownListing(context).files.has(only),
      run: () => {
        if (only !== undefined) context.go(fileAddress(workspaceId, only, { panel: 'info' }));
      },
    },
    {
      id: 'items.up',
      words: texts.moveUp,
      needsServer: true,
      keys: ['Alt+Shift+ArrowUp'],
      when: one,
      run: () => {
        if (only !== undefined) void placeItem(context, only, { by: -1 });
      },
    },
    {
      id: 'items.down',
      words: texts.moveDown,
      needsServer: true,
      keys: ['Alt+Shift+ArrowDown'],
      when: one,
      run: () => {
        if (only !== undefined) void placeItem(context, only, { by: 1 });
      },
    },
    {
      id: 'items.delete',
      words: texts.delete,
      needsServer: true,
      keys: ['Delete'],
      when: some,
      run: () => void deleteItems(context, paths),
    },
  ];
}

/** All private already: shared again; else all private. */
async function togglePrivate(context: FilesContext, paths: readonly string[]): Promise<void> {
  const listing = shownListing(context);
  const allPrivate = paths.every((path) => listing.privateAt(path) === path);
  await setPrivate(context, paths, !allPrivate);
}

/** True when the press was for the items. In the tree it is for the item that has the focus there. */
export function runItemKey(event: KeyboardEvent, context: FilesContext, paths: readonly string[]): boolean {
  const command = itemCommands(context, paths).find(({ keys = [] }) =>
    keys.some((key) => pressMatches(event.nativeEvent, key) && (key.length > 1 || singleKeys.get())),
  );
  if (command === undefined || command.when?.() === false) return false;
  if (command.needsServer === true && !serverAnswers.get()) notify({ text: ui.notWhileOffline });
  else command.run();
  return true;
}
