import { chosenFiles } from './dropped-files.ts';
import type { FilesContext } from './files-context.ts';
import { upload } from './on-demand.ts';

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
    if (input.files !== null) void upload(workspaceId, folder, Promise.resolve(chosenFiles(input.files)));
  });
  input.click();
}
