import type { useUsage } from '../api/use-workspace.ts';
import { shell } from '../text/en/shell.ts';
import './workspace-notice.css';

type Usage = NonNullable<ReturnType<typeof useUsage>['data']>;

/** The state of the whole workspace: read-only, or nearly full. Otherwise empty. */
export function WorkspaceNotice({ usage }: { readonly usage: Usage | null }) {
  const text = usage === null ? '' : noticeOf(usage);
  return (
    <div role="status" aria-label={shell.workspaceNotice} className="workspace-notice">
      {text}
    </div>
  );
}

function noticeOf({ billing, warning, usedFiles, limitFiles }: Usage): string {
  if (billing.status === 'lapsed') return shell.readOnlyWorkspace;
  return warning && limitFiles !== null ? shell.filesUsed(usedFiles, limitFiles) : '';
}
