import { placeholderName, type WorkspacePath } from '@stoa/core';
import { client } from '../api/client.ts';
import { nameOf } from '../api/listing-index.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { newFileText } from './check-name.ts';
import type { FilesContext } from './files-context.ts';
import { joinPath } from './folder-contents.ts';
import { messageOf } from './set-properties.ts';

/** Result of creating something: success, or a message for the dialog, which stays open. */
export type MakeOutcome = { readonly kind: 'made' } | { readonly kind: 'refused'; readonly message: string };

/** Creates a file. It sends no precondition, so the server keeps an existing file, and the user sees an error (T2). */
export async function makeFile(context: FilesContext, path: WorkspacePath): Promise<MakeOutcome> {
  return write(context, path, newFileText(nameOf(path)));
}

/** Creates a folder. A private one becomes private before it has content. */
export async function makeFolder(
  context: FilesContext,
  path: WorkspacePath,
  isPrivate: boolean,
): Promise<MakeOutcome> {
  try {
    if (isPrivate) await client.setNodePrivate(context.workspaceId, { path, kind: 'folder', private: true });
  } catch (error) {
    return { kind: 'refused', message: messageOf(error) };
  }
  return write(context, joinPath(path, placeholderName), '\n');
}

async function write(context: FilesContext, path: string, text: string): Promise<MakeOutcome> {
  try {
    const outcome = await client.writeFile(
      context.workspaceId,
      path,
      text,
      { kind: 'none' },
      { allowEmpty: true },
    );
    switch (outcome.kind) {
      case 'created':
        context.listing.reload();
        return { kind: 'made' };
      case 'precondition_required':
        return { kind: 'refused', message: texts.taken(visibleName(nameOf(path))) };
      default:
        return { kind: 'refused', message: texts.workspaceFull };
    }
  } catch (error) {
    return { kind: 'refused', message: messageOf(error) };
  }
}
