import type { ChangeRecord } from '@stoa/contract';
import { useEffect, useMemo, useState } from 'react';
import { client } from '../api/client.ts';
import type { Listing } from '../api/listing-index.ts';
import { currentUser } from '../api/session.ts';
import { useListing } from '../api/use-listing.ts';
import { useMembers, useReadOnlyReason } from '../api/use-workspace.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { useStore } from '../store/store.ts';
import { activity as texts } from '../text/en/activity.ts';
import { dayText } from '../text/times.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Choice.tsx';
import { Select } from '../ui/Field.tsx';
import { EmptyState, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { ActivityMessage } from './ActivityText.tsx';
import { type ActivityEntry, type ActivityFilter, activityEntries, byDay } from './activity-entries.ts';
import { type ActivityLog, createActivityLog } from './activity-log.ts';
import './activity.css';

/** The activity of a workspace, or of one of its files. */
export function ActivityView({
  workspaceId,
  path,
  who,
  onWho,
}: {
  readonly workspaceId: string;
  /** Show only changes of this file. */
  readonly path?: string;
  readonly who: ActivityFilter;
  onWho(who: ActivityFilter): void;
}) {
  const [comments, setComments] = useState(true);
  const log = useActivityLog(workspaceId);
  const { changes, busy, error, hasLooked, hasOlder } = useStore(log.state);
  const listing = useListing(workspaceId);
  const shownListing = listing.kind === 'ready' ? listing.listing : null;
  const members = useMembers(workspaceId);
  const userId = currentUser()?.id ?? null;
  const readOnlyBecause = useReadOnlyReason(workspaceId);
  const matters = useMemo(
    () => (change: ChangeRecord) =>
      (path === undefined || concerns(change, path)) &&
      (comments || !change.op.startsWith('comment_')) &&
      (who === 'all' || (change.principal === 'agent') === (who === 'agents')),
    [path, comments, who],
  );
  const days = useMemo(() => {
    // Keep deletes: `activityEntries` needs them to recognise moves.
    const shown = path === undefined ? changes : changes.filter((change) => concerns(change, path));
    const entries = activityEntries(shown, { who, comments }).filter((entry) =>
      isReported(entry, shownListing),
    );
    return byDay(entries, (time) => dayText(time.getTime()));
  }, [changes, path, who, comments, shownListing]);
  useEffect(() => {
    if (days.length === 0 && hasOlder) void log.loadOlder(matters);
  }, [log, matters, days.length, hasOlder]);

  return (
    <div className="activity">
      <div className="activity-filter">
        <Select
          label={texts.who}
          inline
          value={who}
          onChange={(value) => onWho(value === 'people' || value === 'agents' ? value : 'all')}
          options={[
            { value: 'all', label: texts.everybody },
            { value: 'people', label: texts.people },
            { value: 'agents', label: texts.agents },
          ]}
        />
        <Checkbox label={texts.comments} checked={comments} onChange={setComments} />
      </div>
      {days.length === 0 && hasLooked && !busy && error === null ? (
        <EmptyState icon="activity" text={who === 'all' && comments ? texts.empty : texts.emptyFiltered} />
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of lists without markers
        <ol role="list" aria-label={texts.list} className="activity-list">
          {days.map(({ day, entries }) =>
            entries.map((entry, at) => (
              <ActivityMessage
                key={entry.seq}
                workspaceId={workspaceId}
                day={at === 0 ? day : null}
                entry={entry}
                members={members.data ?? []}
                userId={userId}
                readOnlyBecause={readOnlyBecause}
                listing={shownListing}
              />
            )),
          )}
        </ol>
      )}
      {busy ? <LoadingLines rows={4} /> : null}
      {error === null ? null : (
        <LoadFailure what={texts.what} error={error} onRetry={() => void log.loadOlder(matters)} />
      )}
      {hasOlder && !busy && error === null ? (
        <Button needsServer onClick={() => void log.loadOlder(matters)}>
          {texts.older}
        </Button>
      ) : null}
    </div>
  );
}

/** Hides a deleted placeholder if its folder still has entries. */
function isReported({ what, file, path }: ActivityEntry, listing: Listing | null): boolean {
  if (what.kind !== 'deleted' || file === path) return true;
  return listing !== null && listing.entryAt(path) === null;
}

function concerns({ path: at, movedFrom, conflictOf }: ChangeRecord, path: string): boolean {
  return at === path || movedFrom === path || conflictOf === path;
}

function useActivityLog(workspaceId: string): ActivityLog {
  const { feed } = useWorkspace(workspaceId);
  const log = useMemo(() => createActivityLog({ client, feed }), [feed]);
  useEffect(() => log.follow(), [log]);
  return log;
}
