import { useState } from 'react';
import { activity as texts } from '../text/en/activity.ts';
import { Panel } from '../ui/Panel.tsx';
import { ActivityView } from './ActivityView.tsx';
import type { ActivityFilter } from './activity-entries.ts';

/** The activity of one file. */
export function ActivityPanel({
  workspaceId,
  path,
  onClose,
}: {
  readonly workspaceId: string;
  readonly path: string;
  onClose(): void;
}) {
  const [who, setWho] = useState<ActivityFilter>('all');
  return (
    <Panel name={texts.title} onClose={onClose}>
      <ActivityView workspaceId={workspaceId} path={path} who={who} onWho={setWho} />
    </Panel>
  );
}
