import { fileContentAddress } from '../api/addresses.ts';
import { nameOf } from '../api/listing-index.ts';

/** Lets the browser download the file without leaving the page. */
export function downloadFile(workspaceId: string, path: string): void {
  const link = document.createElement('a');
  link.href = fileContentAddress(workspaceId, path, { download: '1' });
  link.download = nameOf(path);
  link.click();
}
