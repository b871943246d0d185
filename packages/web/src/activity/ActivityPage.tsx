import { useParams, useSearch } from '@tanstack/react-router';
import { workspacePageAddress } from '../api/addresses.ts';
import { activity as texts } from '../text/en/activity.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { ActivityView } from './ActivityView.tsx';
import type { ActivityFilter } from './activity-entries.ts';
import '../ui/page.css';

/** The activity of the workspace (`/w/{id}/activity`). */
export function ActivityPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/activity' });
  const { who } = useSearch({ strict: false }) as { readonly who?: string };
  const goTo = useGoTo();
  return (
    <div className="page">
      <PageHeading title={texts.title} />
      <ActivityView
        workspaceId={workspaceId}
        who={filterOf(who)}
        onWho={(chosen) =>
          goTo(
            workspacePageAddress(workspaceId, 'activity', { who: chosen === 'all' ? undefined : chosen }),
            { replace: true },
          )
        }
      />
    </div>
  );
}

function filterOf(who: string | undefined): ActivityFilter {
  return who === 'people' || who === 'agents' ? who : 'all';
}
