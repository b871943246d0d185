import { chosenFiles } from './dropped-files.ts';
import type { FilesContext } from './files-context.ts';
import { uploadsOf } from './uploads.ts';

/** Opens the browser's chooser; what is chosen is uploaded into the folder. */
export function openUploadChooser(
  { workspaceId }: Pick<FilesContext, 'workspaceId'>,
  folder: string,
  what: 'files' | 'folder',
): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = what === 'folder';
  input.addEventListener('change', () => {
    if (input.files !== null) void uploadsOf(workspaceId).add(folder, chosenFiles(input.files));
  });
  input.click();
}
