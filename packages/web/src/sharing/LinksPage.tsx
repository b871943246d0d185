import type { MemberRecord, ShareRecord } from '@stoa/contract';
import { useQuery } from '@tanstack/react-query';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { personOf } from '../api/people.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useMembers } from '../api/use-workspace.ts';
import { sharing } from '../text/en/sharing.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { MadeBy } from '../ui/MadeBy.tsx';
import { PageTable } from '../ui/PageTable.tsx';
import { EmptyState, Loaded } from '../ui/States.tsx';
import { addressOf, revokeShare, ShareFacts } from './ShareItem.tsx';

const texts = sharing.page;

/** All share links to items that the user may see (`/w/{id}/settings/links`). */
export function LinksPage({ workspaceId }: { readonly workspaceId: string }) {
  const members = useMembers(workspaceId).data ?? [];
  const links = useQuery({
    queryKey: queryKeys.shares(workspaceId),
    queryFn: ({ signal }) => client.listAllShares(workspaceId, { signal }),
  });
  return (
    <Loaded asked={links} what={sharing.what} rows={6} rowHeight={40}>
      {({ shares, truncated }) =>
        shares.length === 0 ? (
          <EmptyState icon="link" text={texts.none} />
        ) : (
          <>
            <p className="page-intro">
              {texts.intro} {truncated === true ? texts.truncated(shares.length) : null}
            </p>
            <PageTable
              label={texts.table}
              columns={[
                texts.columnPath,
                texts.columnAccess,
                texts.columnFacts,
                texts.columnMaker,
                { label: texts.columnActions, as: 'hidden' },
              ]}
            >
              {shares.map((share) => (
                <LinkRow key={share.id} workspaceId={workspaceId} share={share} members={members} />
              ))}
            </PageTable>
          </>
        )
      }
    </Loaded>
  );
}

function LinkRow({
  workspaceId,
  share,
  members,
}: {
  readonly workspaceId: string;
  readonly share: ShareRecord;
  readonly members: readonly MemberRecord[];
}) {
  const path = visibleName(share.path);
  const address = addressOf(share);
  const target =
    share.kind === 'folder' ? folderAddress(workspaceId, share.path) : fileAddress(workspaceId, share.path);
  return (
    <tr aria-label={path}>
      <td>
        <AppLink to={target}>
          <bdi>{path}</bdi>
        </AppLink>
      </td>
      <td>{share.access === 'public' ? texts.accessPublic : texts.accessMembers}</td>
      <td>
        <ShareFacts share={share} />
      </td>
      <td>
        <MadeBy name={visibleName(personOf(share.createdBy, members).name)} at={share.createdAt} />
      </td>
      <td>
        {address === null ? null : (
          <Button kind="quiet" onClick={() => void copyText(address, sharing.copied)}>
            {sharing.copy}
          </Button>
        )}
        <Button kind="quiet" needsServer onClick={() => revokeShare(workspaceId, share)}>
          {sharing.revoke}
        </Button>
      </td>
    </tr>
  );
}
