import type { ReactNode } from 'react';
import { nameOf } from '../api/listing-index.ts';
import { restoreDeleted } from '../api/restore.ts';
import { useReadOnlyReason } from '../api/use-workspace.ts';
import { conflicts as texts } from '../text/en/conflicts.ts';
import { notices } from '../text/en/notices.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { notify } from '../ui/notices.ts';
import './conflicts.css';

/** Names the user who deleted the open file, and offers actions. */
export function DeletedBar({ who, children }: { readonly who: string; readonly children: ReactNode }) {
  return (
    <section className="conflict-bar" aria-label={texts.conflict}>
      <Icon name="trash" />
      <p role="alert">{texts.deletedBy(who)}</p>
      <div className="conflict-choices">{children}</div>
    </section>
  );
}

export function RestoreButton({
  workspaceId,
  path,
}: {
  readonly workspaceId: string;
  readonly path: string;
}) {
  const name = visibleName(nameOf(path));
  return (
    <Button
      kind="primary"
      needsServer
      disabledBecause={useReadOnlyReason(workspaceId)}
      onClick={() => void bringBack(workspaceId, path, name)}
    >
      {texts.restore(name)}
    </Button>
  );
}

/** The feed notifies open pages, as for any save. */
async function bringBack(workspaceId: string, path: string, name: string): Promise<void> {
  try {
    await restoreDeleted(workspaceId, path);
    notify({ text: notices.restored(name) });
  } catch (error) {
    notify({ text: notices.notRestored(name, error instanceof Error ? error.message : ''), failure: true });
  }
}
