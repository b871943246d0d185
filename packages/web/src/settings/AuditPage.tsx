import type { AuditEntry } from '@stoa/contract';
import type { AuditKind } from '@stoa/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { auditFileAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspaces } from '../api/use-workspace.ts';
import { audit as texts } from '../text/en/audit.ts';
import { people } from '../text/en/people.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Field.tsx';
import { PageTable } from '../ui/PageTable.tsx';
import { EmptyState, Loaded, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

type Filter = keyof typeof texts.kinds | 'all';

const downloadNote = 'audit-download-note';
const filters = Object.keys(texts.kinds) as readonly (keyof typeof texts.kinds & AuditKind)[];

/** The audit log of access changes (`/w/{id}/settings/audit`). The server lets only owners read it. */
export function AuditPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/settings/audit' });
  const workspaces = useWorkspaces();
  return (
    <SettingsFrame workspaceId={workspaceId} page="settings/audit">
      <Loaded asked={workspaces} what={texts.what} rows={6}>
        {(all) =>
          all.find(({ id }) => id === workspaceId)?.role === 'owner' ? (
            <AuditLog workspaceId={workspaceId} />
          ) : (
            <EmptyState icon="private" text={texts.onlyOwners} />
          )
        }
      </Loaded>
    </SettingsFrame>
  );
}

function AuditLog({ workspaceId }: { readonly workspaceId: string }) {
  const [filter, setFilter] = useState<Filter>('all');
  const kind = filter === 'all' ? undefined : filter;
  const log = useInfiniteQuery({
    queryKey: queryKeys.audit(workspaceId, filter),
    initialPageParam: '',
    // Users look for recent actions here, so always reload.
    staleTime: 0,
    queryFn: ({ pageParam, signal }) =>
      client.audit(workspaceId, {
        ...(kind === undefined ? {} : { kind }),
        ...(pageParam === '' ? {} : { cursor: pageParam }),
        signal,
      }),
    getNextPageParam: (page) => page.nextCursor,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <p className="page-intro">{texts.intro}</p>
      <div className="settings-audit-bar">
        <Select
          label={texts.about}
          inline
          value={filter}
          onChange={(value) => setFilter(filters.find((each) => each === value) ?? 'all')}
          options={[
            { value: 'all', label: texts.everything },
            ...filters.map((value) => ({ value, label: texts.kinds[value] })),
          ]}
        />
        <a
          className="ui-button ui-button-secondary"
          href={auditFileAddress(workspaceId, kind)}
          download
          aria-describedby={downloadNote}
        >
          {texts.download}
        </a>
        <p id={downloadNote} className="visually-hidden">
          {texts.downloadDescription}
        </p>
      </div>
      {entries.length > 0 ? (
        <PageTable
          label={texts.table}
          columns={[texts.columnWhat, texts.columnFrom, { label: texts.columnWhen, as: 'number' }]}
        >
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </PageTable>
      ) : null}
      {log.isSuccess && entries.length === 0 ? (
        <EmptyState icon="activity" text={filter === 'all' ? texts.empty : texts.emptyFiltered} />
      ) : null}
      {log.isFetching && !log.isRefetching ? <LoadingLines rows={6} /> : null}
      {log.error === null ? null : (
        <LoadFailure
          what={texts.what}
          error={log.error}
          onRetry={() => void (entries.length > 0 ? log.fetchNextPage() : log.refetch())}
        />
      )}
      {log.hasNextPage && !log.isFetching && log.error === null ? (
        <div className="page-actions">
          <Button needsServer onClick={() => void log.fetchNextPage()}>
            {texts.older}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const who = whoDid(entry);
  const what = texts.sentence(entry);
  return (
    <tr aria-label={`${who} ${what}`}>
      <td dir="auto">
        <strong>
          <bdi>{who}</bdi>
        </strong>{' '}
        {what}
      </td>
      <td>{entry.address ?? texts.noAddress}</td>
      <td className="page-number">
        <Time at={entry.at} />
      </td>
    </tr>
  );
}

function whoDid({ by }: AuditEntry): string {
  if (by === null) return texts.nobody;
  if (by.id === 'operator') return texts.operator;
  const name = by.name === '' ? people.formerMember : visibleName(by.name);
  return by.keyName === null ? name : texts.withKey(name, visibleName(by.keyName));
}
