import { nameOf } from '../api/listing-index.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { moveItems } from './change-files.ts';
import { checkRename } from './check-name.ts';
import { EntryNameDialog } from './EntryNameDialog.tsx';
import { shownListing } from './files-context.ts';
import { useFiles } from './use-files.ts';

export function RenameDialog({
  workspaceId,
  path,
  name = nameOf(path),
  onClose,
}: {
  readonly workspaceId: string;
  readonly path: string;
  /** Initial text of the field. */
  readonly name?: string | undefined;
  onClose(): void;
}) {
  const context = useFiles(workspaceId);
  return (
    <EntryNameDialog
      title={texts.renameTitle(visibleName(nameOf(path)))}
      label={texts.newName}
      action={texts.rename}
      initial={name}
      check={(typed) => checkRename(typed, path, shownListing(context))}
      onName={async (free) => {
        // Shown at once; an error from the server appears in a notice.
        if (free.path !== path) void moveItems(context, [{ from: path, to: free.path }]);
        return null;
      }}
      onClose={onClose}
    />
  );
}
