import type { FileEntry } from '../api/listing-index.ts';
import { entryMenu } from '../files/entry-commands.ts';
import { useFiles } from '../files/use-files.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { IconButton } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';

/** What can be done to the file, in the words of its row in a folder. */
export function ActionsMenu({
  workspaceId,
  entry,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
}) {
  const context = useFiles(workspaceId);
  return (
    <Menu entries={entryMenu(context, entry)} align="end">
      <IconButton icon="more" name={texts.actionsFor(visibleName(entry.name))} />
    </Menu>
  );
}
