import type { InviteRecord } from '@stoa/contract';
import { numberText } from '@stoa/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { invites as texts } from '../text/en/invites.ts';
import { ui } from '../text/en/ui.ts';
import { dayText } from '../text/times.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { askToConfirm } from '../ui/dialogs.ts';
import { MadeBy } from '../ui/MadeBy.tsx';
import { notify } from '../ui/notices.ts';
import { PageTable } from '../ui/PageTable.tsx';
import { Loaded } from '../ui/States.tsx';
import { DayTime } from '../ui/Time.tsx';
import { attempt } from '../ui/use-task.ts';

/** The invites of a workspace, without their addresses, which cannot be shown again. */
export function InviteTable({ workspaceId }: { readonly workspaceId: string }) {
  const invites = useQuery({
    queryKey: queryKeys.invites(workspaceId),
    queryFn: async ({ signal }) => (await client.listInvites(workspaceId, { signal })).invites,
  });
  return (
    <Loaded asked={invites} what={texts.what} rows={2}>
      {(all) =>
        all.length === 0 ? (
          <p className="page-intro">{texts.none}</p>
        ) : (
          <PageTable
            label={texts.table}
            columns={[
              texts.columnMaker,
              texts.columnUses,
              texts.columnExpires,
              { label: texts.columnActions, as: 'hidden' },
            ]}
          >
            {all.map((invite) => (
              <InviteRow key={invite.id} workspaceId={workspaceId} invite={invite} />
            ))}
          </PageTable>
        )
      }
    </Loaded>
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
      <td>
        <MadeBy name={maker} at={invite.createdAt} />
      </td>
      <td>{invite.usesLeft === null ? texts.unlimited : numberText(invite.usesLeft)}</td>
      <td>{invite.valid ? <DayTime at={invite.expiresAt} /> : texts.ended}</td>
      <td>
        <Button
          kind="quiet"
          needsServer
          onClick={() => attempt((why) => ui.notPossible(texts.revoke, why), revoke)}
        >
          {texts.revoke}
        </Button>
      </td>
    </tr>
  );
}
