import { isMarkdown } from '@stoa/core';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { type Entry, nameOf } from '../api/listing-index.ts';
import { files as texts } from '../text/en/files.ts';
import { notices } from '../text/en/notices.ts';
import { visibleName } from '../text/visible-name.ts';
import type { Command } from '../ui/commands.ts';
import { copyText } from '../ui/copy-text.ts';
import { openDialog } from '../ui/dialogs.ts';
import type { IconName } from '../ui/Icon.tsx';
import type { MenuEntry } from '../ui/Menu.tsx';
import { openUploadChooser } from './choose-uploads.ts';
import { downloadFile } from './download.ts';
import { type FilesContext, shownListing } from './files-context.ts';
import { copyMarkdown, deleteItems, locationItem, setPrivate } from './on-demand.ts';
import { orderError } from './order-error.ts';

/** An action on a file or folder, with the same words in every menu. */
interface EntryCommand {
  readonly label: string;
  readonly icon?: IconName;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly checked?: boolean;
  readonly disabledBecause?: string | null;
  run(): void;
}

/** The actions on a file or folder, by group. Parts of the app that are absent add none. */
export function entryCommands(context: FilesContext, entry: Entry): readonly (readonly EntryCommand[])[] {
  const { workspaceId } = context;
  const { path } = entry;
  const readOnly = context.readOnlyBecause();
  const address = entry.kind === 'file' ? fileAddress(workspaceId, path) : folderAddress(workspaceId, path);
  const open: EntryCommand = {
    label: texts.open,
    icon: entry.kind === 'file' ? 'file' : 'folder-open',
    run: () => context.go(address),
  };
  const common: readonly EntryCommand[] = [
    {
      label: texts.rename,
      icon: 'edit',
      keys: 'F2',
      run: () => openDialog({ kind: 'rename', workspaceId, path }),
    },
    {
      label: texts.move,
      icon: 'folder-up',
      keys: 'm',
      run: () => openDialog({ kind: 'move', workspaceId, paths: [path] }),
    },
    {
      label: texts.setIcon,
      icon: 'smile',
      run: () => openDialog({ kind: 'icon', workspaceId, path }),
    },
    privateCommand(context, path),
  ];
  const share: EntryCommand = {
    label: texts.share,
    icon: 'share',
    keys: 's',
    run: () => openDialog({ kind: 'share', workspaceId, path, of: entry.kind }),
  };
  const copyLink: EntryCommand = {
    label: texts.copyLink,
    icon: 'link',
    run: () => void copyText(location.origin + address, notices.linkCopied),
  };
  const copyPath: EntryCommand = {
    label: texts.copyPath,
    icon: 'copy',
    run: () => void copyText(path, notices.pathCopied),
  };
  const order: readonly EntryCommand[] = [orderCommand(context, path, -1), orderCommand(context, path, 1)];
  const remove: readonly EntryCommand[] = [
    {
      label: texts.delete,
      icon: 'trash',
      keys: 'Delete',
      danger: true,
      run: () => void deleteItems(context, [path]),
    },
  ];
  if (entry.kind === 'folder') {
    return [
      [open],
      [
        {
          label: texts.newFileHere,
          icon: 'file-plus',
          disabledBecause: readOnly,
          run: () => openDialog({ kind: 'new-file', workspaceId, folder: path }),
        },
        {
          label: texts.newFolderHere,
          icon: 'folder-plus',
          disabledBecause: readOnly,
          run: () => openDialog({ kind: 'new-folder', workspaceId, folder: path }),
        },
        {
          label: texts.uploadFilesHere,
          icon: 'upload',
          disabledBecause: readOnly,
          run: () => openUploadChooser(context, path, 'files'),
        },
      ],
      common,
      [share, copyLink, copyPath],
      order,
      remove,
    ];
  }
  const markdown: readonly EntryCommand[] = isMarkdown(entry.path, entry.contentType)
    ? [{ label: texts.copyMarkdown, icon: 'copy', run: () => void copyMarkdown(context, path) }]
    : [];
  return [
    [
      open,
      {
        label: texts.edit,
        icon: 'edit',
        disabledBecause: readOnly,
        run: () => context.go(fileAddress(workspaceId, path, { mode: 'edit' })),
      },
    ],
    common,
    [
      share,
      {
        label: texts.history,
        icon: 'history',
        run: () => context.go(fileAddress(workspaceId, path, { panel: 'history' })),
      },
      copyLink,
      copyPath,
      ...markdown,
      {
        label: texts.copyPrompt,
        icon: 'agent',
        run: () => void copyText(texts.prompt(context.workspaceName, workspaceId, path), notices.copied),
      },
      { label: texts.download, icon: 'download', run: () => downloadFile(workspaceId, path) },
    ],
    order,
    remove,
  ];
}

/** Actions that work while the server does not respond. */
const withoutServer = new Set<string>([
  texts.open,
  texts.history,
  texts.copyLink,
  texts.copyPath,
  texts.copyPrompt,
]);

/** The actions as a menu. */
export function entryMenu(context: FilesContext, entry: Entry): readonly MenuEntry[] {
  return entryCommands(context, entry).flatMap((group, i): MenuEntry[] => [
    ...(i === 0 ? [] : [{ kind: 'separator' as const }]),
    ...group.map((command): MenuEntry => {
      const { label, icon, keys, danger = false, checked, disabledBecause, run } = command;
      const needsServer = !withoutServer.has(label);
      const shared = { label, ...(icon === undefined ? {} : { icon }), keys, disabledBecause, needsServer };
      return checked === undefined
        ? { kind: 'item', ...shared, danger, onSelect: run }
        : { kind: 'checkbox', ...shared, checked, onSelect: run };
    }),
  ]);
}

/** The actions for the palette, with their keys in a list or a tree. */
export function entryPalette(context: FilesContext, entry: Entry): readonly Command[] {
  return entryCommands(context, entry)
    .flat()
    .map(({ label, keys, disabledBecause, run }) => ({
      id: `items.${label}`,
      words: label,
      ...(keys === undefined ? {} : { keys: [keys] }),
      needsServer: !withoutServer.has(label),
      disabled: () => disabledBecause ?? null,
      run,
    }));
}

/**
 * The actions for the palette on the page of the file or folder. It is open already, and no key of a list acts on it.
 */
export function pagePalette(context: FilesContext, entry: Entry): readonly Command[] {
  return entryPalette(context, entry)
    .filter(({ words }) => words !== texts.open)
    .map(({ keys: _, ...command }) => ({ ...command, id: `page.${command.words}` }));
}

function privateCommand(context: FilesContext, path: string): EntryCommand {
  const at = shownListing(context).privateAt(path);
  const above = at !== null && at !== path;
  return {
    label: texts.private,
    icon: 'private',
    keys: 'p',
    checked: at !== null,
    disabledBecause: above ? texts.privateWith(visibleName(nameOf(at))) : null,
    run: () => void setPrivate(context, [path], at === null),
  };
}

function orderCommand(context: FilesContext, path: string, by: -1 | 1): EntryCommand {
  return {
    label: by === -1 ? texts.moveUp : texts.moveDown,
    icon: by === -1 ? 'arrow-up' : 'arrow-down',
    keys: by === -1 ? 'Alt+Shift+ArrowUp' : 'Alt+Shift+ArrowDown',
    disabledBecause: orderError(context, path, by),
    run: () => void locationItem(context, path, { by }),
  };
}
