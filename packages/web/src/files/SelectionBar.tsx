import { files as texts } from '../text/en/files.ts';
import { Button } from '../ui/Button.tsx';
import { openDialog } from '../ui/dialogs.ts';
import { downloadFile } from './download.ts';
import type { FilesContext } from './files-context.ts';
import { downloadError } from './item-commands.ts';
import { deleteItems, setPrivate } from './on-demand.ts';

/** Actions for the selected rows. */
export function SelectionBar({
  context,
  paths,
  onClear,
}: {
  readonly context: FilesContext;
  readonly paths: readonly string[];
  onClear(): void;
}) {
  return (
    <div className="selection-bar" role="toolbar" aria-label={texts.selection}>
      <span className="selection-count">{texts.selected(paths.length)}</span>
      <Button
        kind="quiet"
        icon="folder-up"
        needsServer
        onClick={() => openDialog({ kind: 'move', workspaceId: context.workspaceId, paths })}
      >
        <span className="selection-label">{texts.move}</span>
      </Button>
      <Button
        kind="quiet"
        icon="download"
        needsServer
        disabledBecause={downloadError(context, paths)}
        onClick={() => {
          for (const path of paths) downloadFile(context.workspaceId, path);
        }}
      >
        <span className="selection-label">{texts.download}</span>
      </Button>
      <Button kind="quiet" icon="private" needsServer onClick={() => void setPrivate(context, paths, true)}>
        <span className="selection-label">{texts.makePrivate}</span>
      </Button>
      <Button kind="quiet" icon="trash" needsServer onClick={() => void deleteItems(context, paths)}>
        <span className="selection-label">{texts.delete}</span>
      </Button>
      <Button kind="quiet" icon="close" onClick={onClear}>
        <span className="selection-label">{texts.clearSelection}</span>
      </Button>
    </div>
  );
}
