import { fileAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { nameOf } from '../api/listing-index.ts';
import { conflicts } from '../text/en/conflicts.ts';
import { saving as texts } from '../text/en/saving.ts';
import { visibleName } from '../text/visible-name.ts';
import { askToConfirm } from '../ui/dialogs.ts';
import { announce, notify } from '../ui/notices.ts';
import type { Announcement, CopyName } from './messages.ts';
import type { RunningEngine } from './run-engine.ts';

/** Shows the engine's announcements to the user. */
export function say<Doc>(announcement: Announcement, { workspaceId, state }: RunningEngine<Doc>): void {
  const { path } = state;
  switch (announcement.kind) {
    case 'saved':
      announce(texts.saved);
      return;
    case 'brought_back':
      notify({ text: texts.broughtBack(shownName(announcement.path)) });
      return;
    case 'changed_by': {
      const { who, version, hash } = announcement;
      const address = fileAddress(workspaceId, path, { v: `${version}-${hash.slice(0, 12)}` });
      notify({
        text:
          who === texts.youElsewhere
            ? texts.changedElsewhere
            : texts.changedBy(visibleName(who ?? texts.somebody)),
        links: [{ label: texts.seeVersion(version), address }],
      });
      return;
    }
    case 'moved': {
      const { from, to, who } = announcement;
      notify({ text: texts.moved(shownName(from), visibleName(to), visibleName(who)) });
      return;
    }
    case 'merged_saved':
      notify({ text: texts.mergedSaved(announcement.version) });
      void offerToDelete(workspaceId, announcement.copy);
      return;
    case 'replaced':
      notify({ text: texts.replaced(announcement.version) });
      void offerToDelete(workspaceId, announcement.copy);
      return;
    case 'kept_as':
      notify({ text: texts.keptAs(shownName(announcement.copyPath)) });
      return;
    case 'moved_on':
      // The bar and the dialog show the newer version themselves.
      return;
  }
}

/** Asks before it deletes the copy, because a copy is a file like any other. */
export async function offerToDelete(workspaceId: string, copy: CopyName | null): Promise<void> {
  if (copy === null) return;
  const isWanted = await askToConfirm({
    title: conflicts.deleteTheCopy,
    text: shownName(copy.path),
    action: conflicts.deleteCopy,
    cancel: conflicts.keepIt,
  });
  if (isWanted) await deleteCopy(workspaceId, { ...copy, contentHash: copy.hash });
}

/** Deletes the copy in its listed version: a copy that was changed since stays. */
export async function deleteCopy(
  workspaceId: string,
  {
    path,
    version,
    contentHash,
  }: { readonly path: string; readonly version: number; readonly contentHash?: string | undefined },
): Promise<void> {
  const name = shownName(path);
  try {
    const seen = contentHash === undefined ? {} : { contentHash };
    const outcome = await client.deleteFile(workspaceId, path, version, seen);
    if (outcome.kind === 'deleted') notify({ text: conflicts.copyDeleted(name) });
    else notify({ text: conflicts.copyChanged(name), failure: true });
  } catch (error) {
    notify({ text: conflicts.notDeleted(name, error instanceof Error ? error.message : ''), failure: true });
  }
}

function shownName(path: string): string {
  return visibleName(nameOf(path));
}
