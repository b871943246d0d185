import { numberText, sizeText } from '@stoa/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../api/client.ts';
import { type FileEntry, nameOf } from '../api/listing-index.ts';
import { whoOf } from '../api/people.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useListing } from '../api/use-listing.ts';
import { useMembers } from '../api/use-workspace.ts';
import { lastChangeOf } from '../files/entry-facts.ts';
import { reading } from '../text/en/reading.ts';
import { visibleName } from '../text/visible-name.ts';
import { Panel } from '../ui/Panel.tsx';
import { LoadFailure } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';

const terms = reading.infoTerms;

/** Facts about a file. */
export function InfoPanel({
  workspaceId,
  entry,
  onClose,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  onClose(): void;
}) {
  const { path, version } = entry;
  const shares = useQuery({
    queryKey: queryKeys.shares(workspaceId, path),
    queryFn: ({ signal }) => client.listShares(workspaceId, path, { signal }),
  });
  const members = useMembers(workspaceId).data ?? [];
  const listing = useListing(workspaceId);
  const privateAt = listing.kind === 'ready' ? listing.listing.privateAt(path) : null;
  const lastChange = listing.kind === 'ready' ? lastChangeOf(listing.listing, entry) : null;
  const links = shares.data === undefined ? null : shares.data.shares.length + shares.data.inherited.length;

  return (
    <Panel name={reading.info} onClose={onClose}>
      <dl className="file-page-info">
        <Fact term={terms.path}>
          <bdi>{visibleName(path)}</bdi>
        </Fact>
        <Fact term={terms.size}>
          {sizeText(entry.size)}
          {entry.size < 1000 ? null : <span className="file-page-quiet"> ({numberText(entry.size)} B)</span>}
        </Fact>
        <Fact term={terms.type}>{entry.contentType}</Fact>
        <Fact term={terms.version}>{numberText(version)}</Fact>
        <Fact term={terms.lastChange}>
          {lastChange === null ? null : (
            <>
              <bdi>{visibleName(whoOf(lastChange.who, members).name)}</bdi>, <Time at={lastChange.at} />
            </>
          )}
        </Fact>
        <Fact term={terms.contentHash}>
          <code>{entry.contentHash ?? ''}</code>
        </Fact>
        <Fact term={terms.private}>{privateText(path, privateAt)}</Fact>
        <Fact term={terms.links}>{links === null ? '' : reading.links(links)}</Fact>
      </dl>
      {shares.error === null ? null : (
        <LoadFailure what={reading.info} error={shares.error} onRetry={() => void shares.refetch()} />
      )}
    </Panel>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function privateText(path: string, privateAt: string | null): string {
  if (privateAt === null) return reading.privateNo;
  return privateAt === path ? reading.privateYes : reading.privateWith(visibleName(nameOf(privateAt)));
}
