import type { MemberRecord, OwnWorkspaceRecord } from '@stoa/contract';
import { type MemberRole, memberRoles } from '@stoa/core';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { currentUser } from '../api/session.ts';
import { useMembers, useWorkspaces } from '../api/use-workspace.ts';
import { InviteTable } from '../invites/InviteTable.tsx';
import { serverResponds, useStore } from '../store/store.ts';
import { invites as inviteTexts } from '../text/en/invites.ts';
import { members as texts } from '../text/en/members.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { askToConfirm, openDialog } from '../ui/dialogs.ts';
import { notify } from '../ui/notices.ts';
import { PageTable } from '../ui/PageTable.tsx';
import { Loaded } from '../ui/States.tsx';
import { attempt } from '../ui/use-task.ts';
import '../ui/field.css';
import './members.css';
import { FormerMemberItems } from './FormerMemberItems.tsx';

/** Members and invites of the workspace (`/w/{id}/settings/members`). */
export function MembersPage({ workspaceId }: { readonly workspaceId: string }) {
  const members = useMembers(workspaceId);
  const workspaces = useWorkspaces();
  const workspace = workspaces.data?.find(({ id }) => id === workspaceId);
  return (
    <Loaded
      asked={{ ...members, data: workspace === undefined ? undefined : members.data }}
      what={texts.what}
      rows={5}
      rowHeight={40}
    >
      {(all) => (workspace === undefined ? null : <Shown workspace={workspace} members={all} />)}
    </Loaded>
  );
}

function Shown({
  workspace,
  members,
}: {
  readonly workspace: OwnWorkspaceRecord;
  readonly members: readonly MemberRecord[];
}) {
  const workspaceId = workspace.id;
  return (
    <>
      <PageTable
        label={texts.table}
        columns={[texts.columnPerson, texts.columnRole, { label: texts.columnActions, as: 'hidden' }]}
      >
        {members.map((member) => (
          <MemberRow key={member.id} member={member} workspace={workspace} />
        ))}
      </PageTable>
      {workspace.role === 'member' ? null : (
        <section className="page-section">
          <h2>{inviteTexts.table}</h2>
          <InviteTable workspaceId={workspaceId} />
          <div className="page-actions">
            <Button
              kind="primary"
              icon="plus"
              needsServer
              onClick={() => openDialog({ kind: 'create-invite', workspaceId })}
            >
              {inviteTexts.create}
            </Button>
          </div>
        </section>
      )}
      {workspace.role === 'owner' ? <FormerMemberItems workspaceId={workspaceId} /> : null}
    </>
  );
}

function MemberRow({
  member,
  workspace,
}: {
  readonly member: MemberRecord;
  readonly workspace: OwnWorkspaceRecord;
}) {
  const goTo = useGoTo();
  const responses = useStore(serverResponds);
  const person = visibleName(member.name);
  const workspaceName = visibleName(workspace.name);
  const isMyself = member.id === currentUser()?.id;
  // The server's rule: show no button for an action that would be rejected.
  const mayRemove = workspace.role === 'owner' || (workspace.role === 'admin' && member.role !== 'owner');

  const changeRole = async (role: MemberRole) => {
    await client.changeRole(workspace.id, member.id, role);
    await queryClient.invalidateQueries({ queryKey: queryKeys.members(workspace.id) });
    await queryClient.invalidateQueries({ queryKey: queryKeys.workspaces });
    notify({ text: texts.roleChanged(person, texts.roles[role]) });
  };
  const remove = async () => {
    const question = {
      title: texts.removeQuestion(person),
      text: texts.removeText,
      action: texts.removeAction,
    };
    if (!(await askToConfirm(question))) return;
    await client.removeMember(workspace.id, member.id);
    await queryClient.invalidateQueries({ queryKey: queryKeys.members(workspace.id) });
    notify({ text: texts.removed(person) });
  };
  const leave = async () => {
    const question = {
      title: texts.leaveQuestion(workspaceName),
      text: texts.leaveText,
      action: texts.leaveAction,
    };
    if (!(await askToConfirm(question))) return;
    await client.removeMember(workspace.id, member.id);
    await queryClient.invalidateQueries({ queryKey: queryKeys.workspaces });
    goTo('/');
  };

  return (
    <tr aria-label={person}>
      <td dir="auto">
        {person}
        {isMyself ? <span className="member-you"> {texts.you}</span> : null}
      </td>
      <td>
        {workspace.role === 'owner' ? (
          <select
            className="ui-input ui-select ui-select-quiet"
            aria-label={texts.roleOf(person)}
            value={member.role}
            disabled={!responses}
            {...(responses ? {} : { 'aria-description': ui.notWhileOffline, title: ui.notWhileOffline })}
            onChange={(event) => {
              const role = memberRoles.find((candidate) => candidate === event.target.value);
              if (role === undefined) return;
              attempt(
                (why) => ui.notPossible(texts.changingRole, why),
                () => changeRole(role),
              );
            }}
          >
            {memberRoles.map((role) => (
              <option key={role} value={role}>
                {texts.roles[role]}
              </option>
            ))}
          </select>
        ) : (
          texts.roles[member.role]
        )}
      </td>
      <td>
        {isMyself ? (
          <Button kind="quiet" needsServer onClick={() => attempt((why) => why, leave)}>
            {texts.leave}
          </Button>
        ) : mayRemove ? (
          <Button
            kind="quiet"
            needsServer
            onClick={() => attempt((why) => ui.notPossible(texts.remove(person), why), remove)}
          >
            {texts.remove(person)}
          </Button>
        ) : null}
      </td>
    </tr>
  );
}
