import { chosenFiles } from './dropped-files.ts';
import type { FilesContext } from './files-context.ts';
import { upload } from './on-demand.ts';

/** Opens the browser's file chooser and uploads the chosen files into the folder. */
export function openUploadChooser(
  { workspaceId }: Pick<FilesContext, 'workspaceId'>,
  folder: string,
  what: 'files' | 'folder',
): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = what === 'folder';
  input.hidden = true;
  input.addEventListener('change', () => {
    input.remove();
    if (input.files !== null) void upload(workspaceId, folder, Promise.resolve(chosenFiles(input.files)));
  });
  input.addEventListener('cancel', () => input.remove());
  // Attached to the document, or it could be garbage-collected before the user has chosen; then nothing would be
  // uploaded.
  document.body.append(input);
  input.click();
}
