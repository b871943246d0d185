import { StoaApiError, StoaConnectionError } from '@stoa/client';
import { client } from '../api/client.ts';
import { folderOf, type ListData, nameOf } from '../api/listing-index.ts';
import { files as texts } from '../text/en/files.ts';
import { notices } from '../text/en/notices.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { copyText } from '../ui/copy-text.ts';
import { askToConfirm } from '../ui/dialogs.ts';
import { notify } from '../ui/notices.ts';
import { moveInOrder, type NewPosition, sortedChildren } from './entry-order.ts';
import { type FilesContext, shownListing } from './files-context.ts';
import { withIcon, withOrder, withPrivate } from './listing-changes.ts';

/** Sets icon, order and privacy: shown at once, and reverted if the server rejects the change. */

/** The message for the user. Throws anything that is a bug. */
export function messageOf(error: unknown): string {
  if (error instanceof StoaConnectionError) return texts.noResponse;
  if (error instanceof StoaApiError) return error.message;
  throw error;
}

async function showThen(
  context: FilesContext,
  change: (data: ListData) => ListData,
  operation: string,
  ask: () => Promise<unknown>,
): Promise<boolean> {
  const takeBack = context.listing.show(change);
  try {
    await ask();
    return true;
  } catch (error) {
    takeBack();
    notify({ text: ui.notPossible(operation, messageOf(error)), failure: true });
    return false;
  }
}

export async function setIcon(context: FilesContext, path: string, icon: string | null): Promise<void> {
  const done = await showThen(
    context,
    (data) => withIcon(data, path, icon),
    texts.doing.settingIcon,
    () => client.setNodeIcon(context.workspaceId, path, icon),
  );
  if (done) notify({ text: icon === null ? notices.iconRemoved : notices.iconSet });
}

/** Asks first if share links to the item would end. Makes items shared without a question. */
export async function setPrivate(
  context: FilesContext,
  paths: readonly string[],
  wanted: boolean,
): Promise<void> {
  for (const path of paths) {
    const links = wanted ? await linksTo(context, path) : 0;
    const name = visibleName(nameOf(path));
    if (links === null) continue;
    if (links > 0) {
      const question = {
        title: texts.privateTitle(name),
        text: texts.privateText(links),
        action: texts.makePrivate,
      };
      if (!(await askToConfirm(question))) continue;
    }
    await changePrivate(context, path, wanted);
  }
}

async function changePrivate(context: FilesContext, path: string, wanted: boolean): Promise<void> {
  const name = visibleName(nameOf(path));
  const kind = shownListing(context).files.has(path) ? 'file' : 'folder';
  const done = await showThen(
    context,
    (data) => withPrivate(data, path, wanted),
    wanted ? texts.doing.makingPrivate(name) : texts.doing.sharing(name),
    () => client.setNodePrivate(context.workspaceId, { path, kind, private: wanted }),
  );
  if (!done) return;
  // Inside a private folder, an item stays private without its own mark.
  context.listing.reload();
  if (!wanted) notify({ text: notices.isShared(name) });
  else {
    notify({
      text: notices.isPrivate(name),
      actions: [{ label: notices.undo, run: () => void changePrivate(context, path, false) }],
    });
  }
}

/** Number of share links that privacy would end. Null if the request failed, after a notice. */
async function linksTo(context: FilesContext, path: string): Promise<number | null> {
  try {
    return (await client.listShares(context.workspaceId, path)).shares.length;
  } catch (error) {
    notify({
      text: ui.notPossible(texts.doing.makingPrivate(visibleName(nameOf(path))), messageOf(error)),
      failure: true,
    });
    return null;
  }
}

/** @param shown the siblings in the order on screen; their custom order by default */
export async function moveItem(
  context: FilesContext,
  path: string,
  where: NewPosition,
  shown = sortedChildren(shownListing(context), folderOf(path), 'custom'),
): Promise<boolean> {
  const change = moveInOrder(shown, path, where);
  switch (change.kind) {
    case 'already_there':
      return false;
    case 'too_many':
    case 'stands_behind_original': {
      const text = change.kind === 'too_many' ? texts.tooManyToOrder : texts.copyStandsBehind;
      notify({ text, failure: true });
      return false;
    }
    case 'ordered': {
      const done = await showThen(
        context,
        (data) => withOrder(data, change.paths),
        texts.doing.ordering,
        () => client.setNodeOrder(context.workspaceId, change.paths),
      );
      if (done) {
        context.showOwnOrder();
        notify({ text: texts.placed(visibleName(nameOf(path)), change.position, change.count) });
      }
      return done;
    }
  }
}

/** Copies the text of a file to the clipboard. */
export async function copyMarkdown({ workspaceId }: FilesContext, path: string): Promise<void> {
  try {
    const file = await client.readFile(workspaceId, path);
    if (file.kind !== 'file') return;
    await copyText(new TextDecoder().decode(await file.bytes()), notices.copied);
  } catch (error) {
    notify({ text: ui.notPossible(texts.doing.copying, messageOf(error)), failure: true });
  }
}
