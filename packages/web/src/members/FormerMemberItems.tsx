import type { FormerMemberItem } from '@stoa/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { nameOf } from '../api/listing-index.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { currentUser } from '../api/session.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { members as texts } from '../text/en/members.ts';
import { notices } from '../text/en/notices.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { notify } from '../ui/notices.ts';
import { PageTable } from '../ui/PageTable.tsx';
import { attempt } from '../ui/use-task.ts';

/** Private items of former members, which owners can recover. Renders nothing without any. */
export function FormerMemberItems({ workspaceId }: { readonly workspaceId: string }) {
  const items = useInfiniteQuery({
    queryKey: queryKeys.departed(workspaceId),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.listDepartedPrivate(workspaceId, {
        ...(pageParam === '' ? {} : { after: pageParam }),
        signal,
      }),
    getNextPageParam: (page) => page.nextAfter,
  });
  const all = items.data?.pages.flatMap((page) => page.items) ?? [];
  if (all.length === 0) return null;
  return (
    <section className="page-section">
      <h2>{texts.departedTitle}</h2>
      <p className="page-intro">{texts.departedText}</p>
      <PageTable
        label={texts.departedTable}
        columns={[texts.columnItem, texts.columnOwner, { label: texts.columnActions, as: 'hidden' }]}
      >
        {all.map((item) => (
          <FormerMemberRow key={item.path} workspaceId={workspaceId} item={item} />
        ))}
      </PageTable>
      {items.hasNextPage ? (
        <div className="page-actions">
          <Button needsServer onClick={() => void items.fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function FormerMemberRow({
  workspaceId,
  item,
}: {
  readonly workspaceId: string;
  readonly item: FormerMemberItem;
}) {
  const { listing } = useWorkspace(workspaceId);
  const name = visibleName(nameOf(item.path));
  const reclaim = async (toUserId: string | undefined, said: string) => {
    await client.reclaimDepartedPrivate(workspaceId, {
      path: item.path,
      ...(toUserId === undefined ? {} : { toUserId }),
    });
    await queryClient.invalidateQueries({ queryKey: queryKeys.departed(workspaceId) });
    listing.reload();
    notify({ text: said });
  };
  const share = () => reclaim(undefined, notices.isShared(name));
  const takeOver = () => reclaim(currentUser()?.id, notices.isPrivate(name));
  return (
    <tr aria-label={name}>
      <td dir="auto">
        <span className="page-fact">
          <Icon name={item.kind === 'folder' ? 'folder' : 'file'} />
        </span>{' '}
        {visibleName(item.path)}
      </td>
      <td dir="auto">{item.owner.name === '' ? texts.formerMember : visibleName(item.owner.name)}</td>
      <td>
        <Button
          kind="quiet"
          needsServer
          onClick={() => attempt((why) => ui.notPossible(texts.share(name), why), share)}
        >
          {texts.share(name)}
        </Button>
        <Button
          kind="quiet"
          needsServer
          onClick={() => attempt((why) => ui.notPossible(texts.takeOver(name), why), takeOver)}
        >
          {texts.takeOver(name)}
        </Button>
      </td>
    </tr>
  );
}
