import { isMarkdown } from '@stoa/core';
import type { FileEntry } from '../api/listing-index.ts';
import { entryMenu, pagePalette } from '../files/entry-commands.ts';
import { type FilesContext, shownListing } from '../files/files-context.ts';
import { folderPageOf } from '../files/folder-contents.ts';
import { useFiles } from '../files/use-files.ts';
import { useStore } from '../store/store.ts';
import { files as texts } from '../text/en/files.ts';
import { writers } from '../text/en/writers.ts';
import { visibleName } from '../text/visible-name.ts';
import { IconButton } from '../ui/Button.tsx';
import { useCommands } from '../ui/commands.ts';
import { openDialog } from '../ui/dialogs.ts';
import { Menu, type MenuEntry } from '../ui/Menu.tsx';
import { showsWriters } from '../writers/shows-writers.ts';
import { showWriters } from './show-writers.ts';

/** The actions of the file, as in the menu of its row in a folder. */
export function ActionsMenu({
  workspaceId,
  entry,
  mode,
  noWritersBecause,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  readonly mode: 'read' | 'edit';
  /** Why line authors are not available; null when they are. */
  readonly noWritersBecause: string | null;
}) {
  const context = useFiles(workspaceId);
  // The calendar offers this only in a context menu, which has no button.
  const changeDate = {
    id: 'page.change-date',
    words: texts.changeDate,
    needsServer: true,
    disabled: context.readOnlyBecause,
    run: () => openDialog({ kind: 'change-date', workspaceId, path: entry.path }),
  };
  const isOfCalendar = isCalendarNote(context, entry);
  useCommands([...pagePalette(context, entry), ...(isOfCalendar ? [changeDate] : [])]);
  const isShown = useStore(showsWriters);
  const first: MenuEntry[] = [];
  if (mode === 'read')
    first.push({
      kind: 'checkbox',
      label: writers.title,
      icon: 'history',
      checked: isShown && noWritersBecause === null,
      disabledBecause: noWritersBecause,
      onSelect: (isShown) => void showWriters(isShown),
    });
  if (isOfCalendar)
    first.push({
      kind: 'item',
      label: changeDate.words,
      icon: 'calendar',
      needsServer: true,
      disabledBecause: changeDate.disabled(),
      onSelect: changeDate.run,
    });
  if (first.length > 0) first.push({ kind: 'separator' });
  return (
    <Menu entries={[...first, ...entryMenu(context, entry)]} align="end">
      <IconButton icon="more" name={texts.actionsFor(visibleName(entry.name))} />
    </Menu>
  );
}

/** Whether the file has a date, or is a Markdown file in a folder shown as a calendar, other than its page. */
function isCalendarNote(
  context: FilesContext,
  { path, folder, contentType, frontMatter }: FileEntry,
): boolean {
  if (frontMatter?.date !== undefined) return true;
  const page = folderPageOf(shownListing(context), folder);
  return page?.frontMatter?.view === 'calendar' && page.path !== path && isMarkdown(path, contentType);
}
