import { useEffect } from 'react';
import { folderAddress } from '../api/addresses.ts';
import { lastWorkspace } from '../api/last-workspace.ts';
import { useWorkspaces } from '../api/use-workspace.ts';
import { account } from '../text/en/account.ts';
import { shell } from '../text/en/shell.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { LoadFailure } from '../ui/States.tsx';
import { NewWorkspaceForm } from './NewWorkspaceForm.tsx';
import './account.css';

/** The start: on to the workspace last used here, else to the oldest; without one, the first is made. */
export function StartPage() {
  const workspaces = useWorkspaces();
  const goTo = useGoTo();
  const all = workspaces.data;
  const next = all?.find(({ id }) => id === lastWorkspace.get()) ?? all?.[0];

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the place to go decides
  useEffect(() => {
    if (next !== undefined) goTo(folderAddress(next.id, ''), { replace: true });
  }, [next?.id]);

  if (workspaces.error !== null && all === undefined) {
    return (
      <PlainPage>
        <PageHeading title={shell.product} hidden />
        <LoadFailure
          what={shell.thisPage}
          error={workspaces.error}
          onRetry={() => void workspaces.refetch()}
        />
      </PlainPage>
    );
  }
  if (all === undefined || next !== undefined) return null;
  return (
    <PlainPage>
      <PageHeading title={account.firstWorkspace} />
      <p className="account-lead">{account.firstWorkspaceText}</p>
      <NewWorkspaceForm
        name={account.firstWorkspace}
        onCreated={(id) => goTo(folderAddress(id, ''), { replace: true })}
      />
    </PlainPage>
  );
}
