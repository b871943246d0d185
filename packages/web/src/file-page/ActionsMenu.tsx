import type { FileEntry } from '../api/listing-index.ts';
import { entryMenu, pagePalette } from '../files/entry-commands.ts';
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

/** What can be done to the file, in the words of its row in a folder. */
export function ActionsMenu({
  workspaceId,
  entry,
  mode,
  noWritersBecause,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  readonly mode: 'read' | 'edit';
  /** Why who wrote what is not shown; null when it can be. */
  readonly noWritersBecause: string | null;
}) {
  const context = useFiles(workspaceId);
  useCommands(pagePalette(context, entry));
  const shown: MenuEntry = {
    kind: 'checkbox',
    label: writers.title,
    icon: 'history',
    checked: useStore(showsWriters) && noWritersBecause === null,
    disabledBecause: noWritersBecause,
    onSelect: (isShown) => void showWriters(isShown, mode),
  };
  // In the calendar itself there is a menu for it, which no button opens.
  const dated: readonly MenuEntry[] =
    entry.frontMatter?.date === undefined
      ? []
      : [
          {
            kind: 'item',
            label: texts.changeDate,
            icon: 'calendar',
            needsServer: true,
            disabledBecause: context.readOnlyBecause(),
            onSelect: () => openDialog({ kind: 'change-date', workspaceId, path: entry.path }),
          },
        ];
  return (
    <Menu entries={[shown, ...dated, { kind: 'separator' }, ...entryMenu(context, entry)]} align="end">
      <IconButton icon="more" name={texts.actionsFor(visibleName(entry.name))} />
    </Menu>
  );
}
