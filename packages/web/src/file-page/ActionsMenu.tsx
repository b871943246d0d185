import type { FileEntry } from '../api/listing-index.ts';
import { entryMenu, pagePalette } from '../files/entry-commands.ts';
import { useFiles } from '../files/use-files.ts';
import { useStore } from '../store/store.ts';
import { files as texts } from '../text/en/files.ts';
import { writers } from '../text/en/writers.ts';
import { visibleName } from '../text/visible-name.ts';
import { IconButton } from '../ui/Button.tsx';
import { useCommands } from '../ui/commands.ts';
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
  return (
    <Menu entries={[shown, { kind: 'separator' }, ...entryMenu(context, entry)]} align="end">
      <IconButton icon="more" name={texts.actionsFor(visibleName(entry.name))} />
    </Menu>
  );
}
