import { sizeText } from '@stoa/core';
import { useEffect } from 'react';
import { linkToUsage } from '../api/full-workspace.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useUsage } from '../api/use-workspace.ts';
import { shell } from '../text/en/shell.ts';
import { AppLink } from '../ui/AppLink.tsx';
import './full-workspace.css';

/** Usage of a workspace that rejected a write as full, with a link to its usage page. */
export function FullWorkspace({ workspaceId }: { readonly workspaceId: string }) {
  const usage = useUsage(workspaceId).data;
  const { label, address } = linkToUsage(workspaceId);
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.usage(workspaceId) });
  }, [workspaceId]);
  return (
    <p className="full-workspace">
      {usage === undefined || usage.limitBytes === null ? null : (
        <span>{shell.usedOf(sizeText(usage.usedBytes), sizeText(usage.limitBytes))}</span>
      )}
      {usage === undefined || usage.limitFiles === null ? null : (
        <span>{shell.filesUsed(usage.usedFiles, usage.limitFiles)}</span>
      )}
      <AppLink to={address}>{label}</AppLink>
    </p>
  );
}
