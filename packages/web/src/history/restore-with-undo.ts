import type { VersionRecord } from '@stoa/contract';
import { linksAfter } from '../api/full-workspace.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { restoreVersion } from '../api/restore.ts';
import { history as texts } from '../text/en/history.ts';
import { notices } from '../text/en/notices.ts';
import { ui } from '../text/en/ui.ts';
import { momentText } from '../text/times.ts';
import { notify } from '../ui/notices.ts';
import { attempt } from '../ui/use-task.ts';

/** Restores without asking: this creates a new version, and Undo restores the previous one. */
export function restoreWithUndo(
  workspaceId: string,
  path: string,
  target: VersionRecord,
  before: VersionRecord | null,
): void {
  const restore = ({ version: targetVersion, contentHash }: VersionRecord) =>
    restoreVersion(workspaceId, { path, targetVersion, contentHash });
  const act = (record: VersionRecord, undo: VersionRecord | null) =>
    attempt(
      (why) => ui.notPossible(texts.restoring, why),
      async () => {
        await restore(record);
        await queryClient.invalidateQueries({ queryKey: queryKeys.versions(workspaceId, path) });
        notify({
          text: texts.restored(momentText(Date.parse(record.createdAt), Date.now())),
          ...(undo === null ? {} : { actions: [{ label: notices.undo, run: () => act(undo, null) }] }),
        });
      },
      linksAfter,
    );
  act(target, before);
}
