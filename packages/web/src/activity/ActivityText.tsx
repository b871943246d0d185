import type { MemberRecord } from '@stoa/contract';
import { type ReactNode, useId } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { linksAfter } from '../api/full-workspace.ts';
import { type Listing, nameOf } from '../api/listing-index.ts';
import { whoOf } from '../api/people.ts';
import { restoreDeleted } from '../api/restore.ts';
import { activity as texts } from '../text/en/activity.ts';
import { notices } from '../text/en/notices.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon, whoIcon } from '../ui/Icon.tsx';
import { notify } from '../ui/notices.ts';
import { Time } from '../ui/Time.tsx';
import { attempt } from '../ui/use-task.ts';
import type { ActivityEntry } from './activity-entries.ts';
import { UndoMenu } from './UndoMenu.tsx';
import { isUndoable, mayUndo } from './undo-options.ts';

/** `Claude (agent) saved plan.md (version 3)`, with the file as a link while something is there. */
export function ActivityMessage({
  workspaceId,
  day,
  entry,
  members,
  listing,
  userId,
  readOnlyBecause,
}: {
  readonly workspaceId: string;
  /** The heading above the first entry of a day; null for the others. */
  readonly day: string | null;
  readonly entry: ActivityEntry;
  readonly members: readonly MemberRecord[];
  /** The signed-in user. */
  readonly userId: string | null;
  readonly readOnlyBecause: string | null;
  /** Null while the listing is loading. */
  readonly listing: Listing | null;
}) {
  const who = whoOf(entry.author, members);
  const link = (path: string) => <PathLink workspaceId={workspaceId} path={path} listing={listing} />;
  const isFree = listing !== null && listing.entryAt(entry.path) === null;
  const id = useId();
  return (
    <li className="activity-item" aria-labelledby={id}>
      {day === null ? null : <h2 className="activity-day">{day}</h2>}
      <div className="activity-entry">
        <span className="activity-who-icon" data-agent={who.kind === 'agent' ? true : undefined}>
          <Icon name={whoIcon(who.kind)} />
        </span>
        <p className="activity-text" id={id}>
          <bdi className="activity-who">{visibleName(who.name)}</bdi> {describe(entry, link)}
        </p>
        {entry.what.kind === 'deleted' && isFree ? (
          <Button
            kind="quiet"
            needsServer
            disabledBecause={readOnlyBecause}
            onClick={() => restore(workspaceId, entry)}
          >
            {texts.restore(visibleName(nameOf(entry.path)))}
          </Button>
        ) : null}
        <span className="activity-time">
          <Time at={entry.author.createdAt} />
        </span>
        {isUndoable(entry) && mayUndo(entry.author, userId, members) ? (
          <UndoMenu
            workspaceId={workspaceId}
            entry={entry}
            who={visibleName(who.name)}
            readOnlyBecause={readOnlyBecause}
          />
        ) : null}
      </div>
    </li>
  );
}

function describe({ path, what }: ActivityEntry, link: (path: string) => ReactNode): ReactNode {
  switch (what.kind) {
    case 'created':
      return (
        <>
          {texts.created} {link(path)}
        </>
      );
    case 'saved': {
      const { firstVersion, lastVersion } = what;
      const versions =
        firstVersion === lastVersion
          ? texts.savedVersion(lastVersion)
          : texts.savedVersions(firstVersion, lastVersion);
      return (
        <>
          {texts.saved} {link(path)} <span className="activity-version">{versions}</span>
        </>
      );
    }
    case 'moved':
      return (
        <>
          {texts.moved} {link(what.from)} {texts.movedTo} {link(path)}
        </>
      );
    case 'deleted':
      return (
        <>
          {texts.deleted} {link(path)}
        </>
      );
    case 'restored':
      return (
        <>
          {texts.restoredPath} {link(path)}{' '}
          <span className="activity-version">{texts.savedVersion(what.version)}</span>
        </>
      );
    case 'conflict':
      return (
        <>
          {texts.conflict} {link(what.original)}: {link(path)}
        </>
      );
    case 'made_private':
      return (
        <>
          {texts.madePrivate} {link(path)} {texts.madePrivateEnd}
        </>
      );
    case 'made_visible':
      return (
        <>
          {texts.madeVisible} {link(path)} {texts.madeVisibleEnd}
        </>
      );
    case 'commented':
      return (
        <>
          {texts.commented} {link(path)}
        </>
      );
    case 'replied':
      return (
        <>
          {texts.replied} {link(path)}
        </>
      );
    case 'resolved':
      return (
        <>
          {texts.resolved} {link(path)}
        </>
      );
    case 'reopened':
      return (
        <>
          {texts.reopened} {link(path)}
        </>
      );
  }
}

function PathLink({
  workspaceId,
  path,
  listing,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly listing: Listing | null;
}) {
  const shown = <bdi>{visibleName(path)}</bdi>;
  const entry = listing?.entryAt(path) ?? null;
  if (entry === null) return <span className="activity-gone">{shown}</span>;
  const address = entry.kind === 'folder' ? folderAddress(workspaceId, path) : fileAddress(workspaceId, path);
  return <AppLink to={address}>{shown}</AppLink>;
}

function restore(workspaceId: string, { path, file }: ActivityEntry): void {
  const name = visibleName(nameOf(path));
  attempt(
    (why) => notices.notRestored(name, why),
    async () => {
      await restoreDeleted(workspaceId, file);
      notify({ text: notices.restored(name) });
    },
    linksAfter,
  );
}
