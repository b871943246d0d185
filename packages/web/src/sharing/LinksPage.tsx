import type { MemberRecord, ShareRecord } from '@stoa/contract';
import { useQuery } from '@tanstack/react-query';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useMembers } from '../api/use-workspace.ts';
import { people } from '../text/en/people.ts';
import { sharing } from '../text/en/sharing.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { EmptyState, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { addressOf, revokeShare, ShareFacts } from './ShareItem.tsx';
import '../ui/page.css';

const texts = sharing.page;

/** Every link to something in the workspace that one may see (`/w/{id}/settings/links`). */
export function LinksPage({ workspaceId }: { readonly workspaceId: string }) {
  const members = useMembers(workspaceId).data ?? [];
  const links = useQuery({
    queryKey: queryKeys.shares(workspaceId),
    queryFn: ({ signal }) => client.listAllShares(workspaceId, { signal }),
  });
  if (links.isPending) return <LoadingLines rows={6} rowHeight={40} />;
  if (links.isError) {
    return <LoadFailure what={sharing.what} error={links.error} onRetry={() => void links.refetch()} />;
  }
  const { shares, truncated } = links.data;
  if (shares.length === 0) return <EmptyState icon="link" text={texts.none} />;
  return (
    <>
      <p className="page-intro">
        {texts.intro} {truncated === true ? texts.truncated(shares.length) : null}
      </p>
      <div className="page-table-frame">
        <table className="page-table" aria-label={texts.table}>
          <thead>
            <tr>
              <th scope="col">{texts.columnPath}</th>
              <th scope="col">{texts.columnAccess}</th>
              <th scope="col">{texts.columnFacts}</th>
              <th scope="col">{texts.columnMaker}</th>
              <th scope="col">
                <span className="visually-hidden">{texts.columnActions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shares.map((share) => (
              <LinkRow key={share.id} workspaceId={workspaceId} share={share} members={members} />
            ))}
          </tbody>
        </table>
      </div>
    </>
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
  const maker = members.find(({ id }) => id === share.createdBy)?.name;
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
      <td dir="auto">
        {maker === undefined ? people.formerMember : visibleName(maker)}, <Time at={share.createdAt} />
      </td>
      <td>
        {address === null ? null : (
          <Button kind="quiet" onClick={() => void copyText(address, sharing.copied)}>
            {sharing.copy}
          </Button>
        )}
        <Button kind="quiet" onClick={() => revokeShare(workspaceId, share)}>
          {sharing.revoke}
        </Button>
      </td>
    </tr>
  );
}
