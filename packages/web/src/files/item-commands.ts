import type { KeyboardEvent } from 'react';
import { fileAddress } from '../api/addresses.ts';
import { files as texts } from '../text/en/files.ts';
import { type Command, perform } from '../ui/commands.ts';
import { openDialog } from '../ui/dialogs.ts';
import { pressMatches } from '../ui/keys.ts';
import { singleKeys } from '../ui/single-keys.ts';
import { downloadFile } from './download.ts';
import { entryPalette } from './entry-commands.ts';
import { type FilesContext, shownListing } from './files-context.ts';
import { deleteItems, setPrivate } from './on-demand.ts';

/** Commands of keys and the palette for the selected items, or for the focused one. */
export function itemCommands(context: FilesContext, paths: readonly string[]): readonly Command[] {
  const [only] = paths;
  if (only === undefined) return [];
  if (paths.length > 1) return commandsForMany(context, paths);
  const entry = shownListing(context).entryAt(only);
  if (entry === null) return [];
  const commands = entryPalette(context, entry);
  return entry.kind === 'folder' ? commands : [...commands, infoCommand(context, only)];
}

function infoCommand(context: FilesContext, path: string): Command {
  return {
    id: 'items.info',
    words: texts.info,
    keys: ['i'],
    run: () => context.go(fileAddress(context.workspaceId, path, { panel: 'info' })),
  };
}

function commandsForMany(context: FilesContext, paths: readonly string[]): readonly Command[] {
  const { workspaceId } = context;
  return [
    {
      id: 'items.move',
      words: texts.move,
      needsServer: true,
      keys: ['m'],
      run: () => openDialog({ kind: 'move', workspaceId, paths }),
    },
    {
      id: 'items.download',
      words: texts.download,
      needsServer: true,
      disabled: () => downloadError(context, paths),
      run: () => {
        for (const path of paths) downloadFile(workspaceId, path);
      },
    },
    {
      id: 'items.private',
      words: texts.makePrivate,
      needsServer: true,
      keys: ['p'],
      run: () => void togglePrivate(context, paths),
    },
    {
      id: 'items.delete',
      words: texts.delete,
      needsServer: true,
      keys: ['Delete'],
      run: () => void deleteItems(context, paths),
    },
  ];
}

/** Why these items cannot be downloaded; null if they can. */
export function downloadError(context: FilesContext, paths: readonly string[]): string | null {
  const { files } = shownListing(context);
  return paths.every((path) => files.has(path)) ? null : texts.onlyFilesDownload;
}

/** Makes all items private, or shared if all of them are private. */
async function togglePrivate(context: FilesContext, paths: readonly string[]): Promise<void> {
  const listing = shownListing(context);
  const allPrivate = paths.every((path) => listing.privateAt(path) === path);
  await setPrivate(context, paths, !allPrivate);
}

/** Runs the command of a key. Returns whether the key had one. In the tree it acts on the focused item. */
export function runItemKey(event: KeyboardEvent, context: FilesContext, paths: readonly string[]): boolean {
  const command = itemCommands(context, paths).find(({ keys = [] }) =>
    keys.some((key) => pressMatches(event.nativeEvent, key) && (key.length > 1 || singleKeys.get())),
  );
  if (command === undefined) return false;
  perform(command);
  return true;
}
