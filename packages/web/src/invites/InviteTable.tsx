import type { InviteRecord } from '@stoa/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { invites as texts } from '../text/en/invites.ts';
import { ui } from '../text/en/ui.ts';
import { numberText } from '../text/sizes.ts';
import { dayText } from '../text/times.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { askToConfirm } from '../ui/dialogs.ts';
import { notify } from '../ui/notices.ts';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { DayTime, Time } from '../ui/Time.tsx';
import { attempt } from '../ui/use-task.ts';
import '../ui/page.css';

/** The invites of a workspace, without their addresses: nobody can see those again. */
export function InviteTable({ workspaceId }: { readonly workspaceId: string }) {
  const invites = useQuery({
    queryKey: queryKeys.invites(workspaceId),
    queryFn: async ({ signal }) => (await client.listInvites(workspaceId, { signal })).invites,
  });
  if (invites.isPending) return <LoadingLines rows={2} />;
  if (invites.isError) {
    return <LoadFailure what={texts.what} error={invites.error} onRetry={() => void invites.refetch()} />;
  }
  if (invites.data.length === 0) return <p className="page-intro">{texts.none}</p>;
  return (
    <div className="page-table-frame">
      <table className="page-table" aria-label={texts.table}>
        <thead>
          <tr>
            <th scope="col">{texts.columnMaker}</th>
            <th scope="col">{texts.columnUses}</th>
            <th scope="col">{texts.columnExpires}</th>
            <th scope="col">
              <span className="visually-hidden">{texts.columnActions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invites.data.map((invite) => (
            <InviteRow key={invite.id} workspaceId={workspaceId} invite={invite} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function InviteRow({ workspaceId, invite }: { readonly workspaceId: string; readonly invite: InviteRecord }) {
  const maker = visibleName(invite.invitedBy.name);
  const revoke = async () => {
    const question = { title: texts.revokeQuestion, text: texts.revokeText, action: texts.revoke };
    if (!(await askToConfirm(question))) return;
    await client.revokeInvite(workspaceId, invite.id);
    await queryClient.invalidateQueries({ queryKey: queryKeys.invites(workspaceId) });
    notify({ text: texts.revoked });
  };
  return (
    <tr aria-label={texts.rowName(maker, dayText(Date.parse(invite.createdAt)))}>
      <td dir="auto">
        {maker}, <Time at={invite.createdAt} />
      </td>
      <td>{invite.usesLeft === null ? texts.unlimited : numberText(invite.usesLeft)}</td>
      <td>{invite.valid ? <DayTime at={invite.expiresAt} /> : texts.ended}</td>
      <td>
        <Button kind="quiet" onClick={() => attempt((why) => ui.notPossible(texts.revoke, why), revoke)}>
          {texts.revoke}
        </Button>
      </td>
    </tr>
  );
}
