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

/**
 * The start page: redirects to the workspace last used on this device, else to the oldest. Without one, the user
 * creates the first.
 */
export function StartPage() {
  const workspaces = useWorkspaces();
  const goTo = useGoTo();
  const all = workspaces.data;
  const next = all?.find(({ id }) => id === lastWorkspace.get()) ?? all?.[0];

  // biome-ignore lint/correctness/useExhaustiveDependencies: depends only on the target
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
