import { createStore } from '../store/store.ts';
import { loadPart } from '../ui/load-part.ts';
import type { Chosen } from './dropped-files.ts';
import type { NewPosition } from './entry-order.ts';
import type { FilesContext } from './files-context.ts';
import type { Moves } from './work-plan.ts';

/** Loads the code of actions on first use: a folder page does not need it. */

export async function moveItems(context: FilesContext, moves: Moves): Promise<void> {
  await (await loadPart(import('./change-files.ts')))?.moveItems(context, moves);
}

export async function deleteItems(context: FilesContext, paths: readonly string[]): Promise<void> {
  await (await loadPart(import('./change-files.ts')))?.deleteItems(context, paths);
}

export async function setPrivate(
  context: FilesContext,
  paths: readonly string[],
  wanted: boolean,
): Promise<void> {
  await (await loadPart(import('./set-properties.ts')))?.setPrivate(context, paths, wanted);
}

export async function locationItem(context: FilesContext, path: string, where: NewPosition): Promise<void> {
  await (await loadPart(import('./set-properties.ts')))?.moveItem(context, path, where);
}

export async function copyMarkdown(context: FilesContext, path: string): Promise<void> {
  await (await loadPart(import('./set-properties.ts')))?.copyMarkdown(context, path);
}

/** Workspaces with uploads since the page was opened. */
export const uploadedInto = createStore<ReadonlySet<string>>(new Set());

/** `files` may still be read: dropped items are available only during the drop event. */
export async function upload(workspaceId: string, folder: string, files: Promise<Chosen>): Promise<void> {
  const uploads = await loadPart(import('./uploads.ts'));
  const chosen = await files;
  if (uploads === null) return;
  uploadedInto.set(new Set([...uploadedInto.get(), workspaceId]));
  await uploads.uploadsOf(workspaceId).add(folder, chosen);
}
