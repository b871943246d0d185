import type { MemberRecord } from '@stoa/contract';
import { useState } from 'react';
import { fileAddress } from '../api/addresses.ts';
import { whoOf } from '../api/people.ts';
import { useMembers } from '../api/use-workspace.ts';
import { history as texts } from '../text/en/history.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon, whoIcon } from '../ui/Icon.tsx';
import { Panel } from '../ui/Panel.tsx';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { restoreWithUndo } from './restore-with-undo.ts';
import { useVersions } from './use-versions.ts';
import { compareParameter, findVersion, versionParameter } from './version-parameter.ts';
import { type VersionGroup, type VersionRow, versionGroups, versionRows } from './version-rows.ts';
import './history.css';

export interface HistoryPanelProps {
  readonly workspaceId: string;
  readonly path: string;
  /** The `v` parameter of the address: the shown version, `''` for the current one. Null if none is shown. */
  readonly shown: string | null;
  /** Why nothing can be restored, or null. */
  readonly readOnlyBecause: string | null;
}

/** The versions of a file, newest first. */
export function HistoryPanel({ onClose, ...props }: HistoryPanelProps & { onClose(): void }) {
  return (
    <Panel name={texts.title} onClose={onClose}>
      <Versions {...props} />
    </Panel>
  );
}

function Versions({ workspaceId, path, shown, readOnlyBecause }: HistoryPanelProps) {
  const versions = useVersions(workspaceId, path);
  const members = useMembers(workspaceId);
  const goTo = useGoTo();
  const [chosen, setChosen] = useState<readonly VersionRow[]>([]);
  const panel = useSidePanel();
  if (versions.isPending) return <LoadingLines rows={6} rowHeight={56} />;
  if (versions.isError) {
    return <LoadFailure what={texts.what} error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  const rows = versionRows(path, versions.data);
  const newest = rows[0];
  const shownRow = shown === null ? null : shown === '' ? newest : findVersion(rows, shown);
  const isChosen = (row: VersionRow) => chosen.some(({ id }) => id === row.id);
  const tick = (row: VersionRow, ticked: boolean) => {
    const others = chosen.filter(({ id }) => id !== row.id);
    // Only two can be compared: the first one ticked is unticked.
    setChosen(ticked ? [...others.slice(-1), row] : others);
  };
  const [first, second] = chosen;
  const shared = { workspaceId, path, members: members.data ?? [], newest, isChosen, tick, readOnlyBecause };
  return (
    <div className="history">
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of lists without markers */}
      <ol role="list" aria-label={texts.list} className="history-list">
        {versionGroups(rows).map((group) => (
          <Group key={group.newest.id} group={group} shownId={shownRow?.id ?? null} {...shared} />
        ))}
      </ol>
      {first === undefined || second === undefined ? null : (
        <div className="history-compare">
          <Button
            kind="primary"
            onClick={() => {
              const compare = compareParameter(rows, first, second);
              goTo(fileAddress(workspaceId, path, { panel, compare }), { replace: true });
            }}
          >
            {texts.compare}
          </Button>
        </div>
      )}
    </div>
  );
}

interface RowContext {
  readonly workspaceId: string;
  readonly path: string;
  readonly members: readonly MemberRecord[];
  readonly newest: VersionRow | undefined;
  readonly shownId: string | null;
  readonly readOnlyBecause: string | null;
  isChosen(row: VersionRow): boolean;
  tick(row: VersionRow, ticked: boolean): void;
}

function Group({ group, ...context }: RowContext & { readonly group: VersionGroup }) {
  const { newest, earlierSaves } = group;
  const [unfolded, setUnfolded] = useState(() => earlierSaves.some(({ id }) => id === context.shownId));
  return (
    <>
      <Row row={newest} {...context} />
      {earlierSaves.length === 0 ? null : unfolded ? (
        earlierSaves.map((row) => <Row key={row.id} row={row} {...context} />)
      ) : (
        <li aria-label={texts.earlierSaves(earlierSaves.length)}>
          <Button kind="quiet" icon="chevron-right" aria-expanded={false} onClick={() => setUnfolded(true)}>
            {texts.earlierSaves(earlierSaves.length)}
          </Button>
        </li>
      )}
    </>
  );
}

function Row({
  row,
  workspaceId,
  path,
  members,
  newest,
  shownId,
  readOnlyBecause,
  isChosen,
  tick,
}: RowContext & { readonly row: VersionRow }) {
  const panel = useSidePanel();
  const { version, createdAt } = row.record;
  const who = whoOf(row.record, members);
  const name = row.isPresentStay
    ? texts.version(version)
    : texts.versionOf(version, visibleName(row.earlierPath ?? path));
  const isCurrent = row.id === newest?.id && row.isPresentStay;
  const restoreName = row.isPresentStay
    ? texts.restoreVersion(version)
    : texts.restoreVersionOf(version, visibleName(row.earlierPath ?? path));
  return (
    <li className="history-row" aria-label={name} data-shown={row.id === shownId ? true : undefined}>
      <label className="history-tick">
        <input
          type="checkbox"
          aria-label={
            row.isPresentStay
              ? texts.compareVersion(version)
              : texts.compareVersionOf(version, visibleName(row.earlierPath ?? path))
          }
          checked={isChosen(row)}
          onChange={(event) => tick(row, event.target.checked)}
        />
      </label>
      <div className="history-text">
        <span className="history-head">
          <AppLink
            replace
            aria-current={row.id === shownId ? true : undefined}
            to={fileAddress(workspaceId, path, {
              panel,
              v: isCurrent ? undefined : versionParameter(row.record),
            })}
          >
            <bdi>{name}</bdi>
          </AppLink>
          <span className="history-label">{labelOf(row)}</span>
        </span>
        <span className="history-who">
          <Icon name={whoIcon(who.kind)} />
          <bdi>{visibleName(who.name)}</bdi>
          <Time at={createdAt} />
        </span>
      </div>
      {isCurrent ? null : (
        <IconButton
          icon="history"
          name={restoreName}
          needsServer
          disabledBecause={readOnlyBecause}
          onClick={() => restoreWithUndo(workspaceId, path, row.record, newest?.record ?? null)}
        />
      )}
    </li>
  );
}

/** On a narrow screen the panel covers the page, so it closes after a choice. */
function useSidePanel(): 'history' | undefined {
  return useNarrow() ? undefined : 'history';
}

function labelOf(row: VersionRow): string {
  switch (row.label) {
    case 'created':
      return texts.created;
    case 'saved':
      return texts.saved;
    case 'restored':
      return texts.restoredLabel;
    case 'conflict':
      return texts.conflict;
    case 'moved':
      return texts.movedFrom(visibleName(row.movedFrom ?? ''));
  }
}
