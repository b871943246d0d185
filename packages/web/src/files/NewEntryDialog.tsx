import { useState } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { files as texts } from '../text/en/files.ts';
import { Checkbox } from '../ui/Choice.tsx';
import { checkNewName } from './check-name.ts';
import { EntryNameDialog } from './EntryNameDialog.tsx';
import { shownListing } from './files-context.ts';
import { makeFile, makeFolder } from './make-files.ts';
import { useFiles } from './use-files.ts';

/** `New file` and `New folder`. */
export function NewEntryDialog({
  kind,
  workspaceId,
  folder,
  onClose,
}: {
  readonly kind: 'new-file' | 'new-folder';
  readonly workspaceId: string;
  readonly folder: string;
  onClose(): void;
}) {
  const context = useFiles(workspaceId);
  const isFile = kind === 'new-file';
  const [isPrivate, setPrivate] = useState(false);
  return (
    <EntryNameDialog
      title={isFile ? texts.newFile : texts.newFolder}
      label={texts.name}
      action={texts.create}
      initial={isFile ? texts.newFileName : ''}
      check={(name) => checkNewName(name, folder, shownListing(context))}
      onName={async ({ path }) => {
        const outcome = isFile ? await makeFile(context, path) : await makeFolder(context, path, isPrivate);
        if (outcome.kind === 'refused') return outcome.message;
        context.go(
          isFile ? fileAddress(workspaceId, path, { mode: 'edit' }) : folderAddress(workspaceId, path),
        );
        return null;
      }}
      onClose={onClose}
    >
      {isFile ? null : <Checkbox label={texts.private} checked={isPrivate} onChange={setPrivate} />}
    </EntryNameDialog>
  );
}
