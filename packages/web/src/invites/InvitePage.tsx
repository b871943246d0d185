import { StoaApiError } from '@stoa/client';
import type { InvitePreview } from '@stoa/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { folderAddress, signInAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { readSession, useSession } from '../api/session.ts';
import { useWorkspaces } from '../api/use-workspace.ts';
import { invites as texts } from '../text/en/invites.ts';
import { shell } from '../text/en/shell.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { FormAlert, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { DayTime } from '../ui/Time.tsx';
import { useTask } from '../ui/use-task.ts';
import '../ui/page.css';
import './invites.css';

/** Shows an invite and lets the user join (`/invite/{token}`). Public. */
export function InvitePage() {
  const { token } = useParams({ from: '/invite/$token' });
  return (
    <PlainPage>
      <Invite token={token} />
    </PlainPage>
  );
}

function Invite({ token }: { readonly token: string }) {
  const preview = useQuery({
    queryKey: queryKeys.invitePreview(token),
    queryFn: ({ signal }) => client.previewInvite(token, { signal }),
  });
  if (preview.isPending) return <LoadingLines rows={4} />;
  if (preview.isError) {
    const { error } = preview;
    const isGone = error instanceof StoaApiError && (error.status === 404 || error.status === 410);
    if (!isGone) {
      return (
        <>
          <PageHeading title={texts.whatPreview} hidden />
          <LoadFailure what={texts.whatPreview} error={error} onRetry={() => void preview.refetch()} />
        </>
      );
    }
    return (
      <div className="invite-page">
        <PageHeading title={texts.notAvailable} />
        <p>{error.message}</p>
        <p className="page-actions">
          <AppLink className="ui-button" to="/">
            {shell.goToStart}
          </AppLink>
        </p>
      </div>
    );
  }
  const { workspace, invitedBy, expiresAt } = preview.data;
  return (
    <div className="invite-page">
      <PageHeading title={texts.joinTitle(visibleName(workspace.name))} />
      <p dir="auto">{texts.invitedBy(visibleName(invitedBy.name))}</p>
      <p className="page-intro">
        {texts.until} <DayTime at={expiresAt} />
      </p>
      <Joining token={token} workspace={workspace} />
    </div>
  );
}

function Joining({
  token,
  workspace,
}: {
  readonly token: string;
  readonly workspace: InvitePreview['workspace'];
}) {
  const session = useSession();
  useEffect(() => {
    // Users who are signed out, or whose session is unknown, are offered to sign in.
    if (session.kind === 'unknown') void readSession().catch(() => undefined);
  }, [session.kind]);
  if (session.kind !== 'signed_in') {
    const next = `/invite/${encodeURIComponent(token)}`;
    return (
      <div className="page-actions">
        <AppLink className="ui-button ui-button-primary" to={signInAddress(next, 'signup')}>
          {texts.signUp}
        </AppLink>
        <AppLink className="ui-button" to={signInAddress(next)}>
          {texts.signIn}
        </AppLink>
      </div>
    );
  }
  return <JoiningSignedIn token={token} workspace={workspace} />;
}

function JoiningSignedIn({
  token,
  workspace,
}: {
  readonly token: string;
  readonly workspace: InvitePreview['workspace'];
}) {
  const workspaces = useWorkspaces();
  const goTo = useGoTo();
  const task = useTask();
  const join = async () => {
    const { workspaceId } = await client.acceptInvite(token);
    await queryClient.invalidateQueries({ queryKey: queryKeys.workspaces });
    goTo(folderAddress(workspaceId, ''));
  };
  // Do not ask a member to join.
  if (workspaces.isPending) return <LoadingLines rows={1} />;
  if (workspaces.data?.some(({ id }) => id === workspace.id) === true) {
    return (
      <>
        <p>{texts.alreadyMember}</p>
        <div className="page-actions">
          <AppLink className="ui-button ui-button-primary" to={folderAddress(workspace.id, '')}>
            {texts.open(visibleName(workspace.name))}
          </AppLink>
        </div>
      </>
    );
  }
  return (
    <>
      <FormAlert>{task.error}</FormAlert>
      <div className="page-actions">
        <Button kind="primary" needsServer aria-busy={task.busy} onClick={() => task.run(join)}>
          {texts.join}
        </Button>
      </div>
    </>
  );
}
