import { mediaTypeOf } from '@stoa/core';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { fileAddress, withChangedSearch } from '../api/addresses.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { useReadOnlyReason, useWorkspaceRecord } from '../api/use-workspace.ts';
import { type FileView, fileView } from '../reading/file-view.ts';
import { ThemeCss } from '../reading/ThemeCss.tsx';
import { activity } from '../text/en/activity.ts';
import { editing } from '../text/en/editing.ts';
import { history } from '../text/en/history.ts';
import { reading } from '../text/en/reading.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { RadioGroup } from '../ui/Choice.tsx';
import { useCommands } from '../ui/commands.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { InSlot } from '../ui/Slot.tsx';
import { LoadingLines } from '../ui/States.tsx';
import { CopyMenu } from './CopyMenu.tsx';
import { InfoPanel } from './InfoPanel.tsx';
import { ReadMode } from './ReadMode.tsx';

const ComparisonView = lazy(async () => ({
  default: (await import('../history/ComparisonView.tsx')).ComparisonView,
}));
const EarlierVersion = lazy(async () => ({
  default: (await import('./EarlierVersion.tsx')).EarlierVersion,
}));
const HistoryPanel = lazy(async () => ({
  default: (await import('../history/HistoryPanel.tsx')).HistoryPanel,
}));
const ActivityPanel = lazy(async () => ({
  default: (await import('../activity/ActivityPanel.tsx')).ActivityPanel,
}));
const EditView = lazy(async () => ({ default: (await import('../editing/EditView.tsx')).EditView }));

/** What stands beside a file. */
const panelNames = ['history', 'activity', 'info'] as const;
type PanelName = (typeof panelNames)[number];

/** A file that is there, with its toolbar and panels. */
export function OpenFile({
  workspaceId,
  entry,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
}) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const goTo = useGoTo();
  const themeCss = useWorkspaceRecord(workspaceId).data?.themeCss ?? null;
  const panel = panelNames.find((name) => name === search.panel) ?? null;
  const name = visibleName(entry.name);
  const { path } = entry;

  const readOnlyBecause = useReadOnlyReason(workspaceId);
  const here = () => location.pathname + location.search + location.hash;
  const leaveVersion = (parameter: 'v' | 'compare'): void =>
    goTo(withChangedSearch(here(), { [parameter]: undefined }), { replace: true });
  const showPanel = (next: PanelName | null): void => {
    goTo(withChangedSearch(here(), { panel: next ?? undefined }), { replace: true });
  };
  const panels = [
    { name: 'history', words: history.title, icon: 'history', keys: ['h'] },
    { name: 'activity', words: activity.title, icon: 'activity', keys: [] },
    { name: 'info', words: reading.info, icon: 'info', keys: ['i'] },
  ] as const;
  const toggle = (next: PanelName) => showPanel(panel === next ? null : next);
  const view = fileView({ ...entry, sizeBytes: entry.size });
  const editRefusal = whyNotEdited(view, entry.contentType) ?? readOnlyBecause;
  const isEarlier = typeof search.v === 'string' || typeof search.compare === 'string';
  const mode = search.mode === 'edit' && editRefusal === null && !isEarlier ? 'edit' : 'read';
  const showMode = (next: 'read' | 'edit'): void => {
    const changes = { mode: next === 'edit' ? 'edit' : undefined, v: undefined, compare: undefined };
    goTo(withChangedSearch(here(), changes), { replace: true });
  };
  useCommands([
    {
      id: 'file.edit',
      words: editing.edit,
      keys: ['e'],
      when: () => mode === 'read',
      disabled: () => editRefusal,
      run: () => showMode('edit'),
    },
    ...panels.map(({ name, words, keys }) => ({
      id: `panel.${name}`,
      words,
      keys,
      run: () => toggle(name),
    })),
  ]);

  return (
    <div className="file-page">
      <div className="file-page-head">
        <PageHeading title={name} place={fileAddress(workspaceId, path)}>
          <bdi>{name}</bdi>
        </PageHeading>
        <div role="toolbar" aria-label={reading.toolbar} className="file-page-toolbar">
          <RadioGroup
            label={editing.mode}
            hideLabel
            layout="segments"
            value={mode}
            options={[
              { value: 'read', label: editing.read },
              { value: 'edit', label: editing.edit, disabledBecause: editRefusal },
            ]}
            onChange={showMode}
          />
          <CopyMenu workspaceId={workspaceId} entry={entry} />
        </div>
      </div>
      <InSlot name="panel-buttons">
        {/* biome-ignore lint/a11y/useSemanticElements: these buttons are no form */}
        <div role="group" aria-label={reading.panels} className="file-page-panels">
          {panels.map(({ name, words, icon }) => (
            <Button
              key={name}
              kind="quiet"
              icon={icon}
              aria-pressed={panel === name}
              onClick={() => toggle(name)}
            >
              {words}
            </Button>
          ))}
        </div>
      </InSlot>
      {search.theme === 'safe' || mode === 'edit' ? null : <ThemeCss css={themeCss} />}
      <Suspense fallback={<LoadingLines rows={12} />}>
        {typeof search.compare === 'string' ? (
          <ComparisonView
            workspaceId={workspaceId}
            path={path}
            parameter={search.compare}
            onClose={() => leaveVersion('compare')}
          />
        ) : typeof search.v === 'string' ? (
          <EarlierVersion
            workspaceId={workspaceId}
            entry={entry}
            parameter={search.v}
            readOnlyBecause={readOnlyBecause}
          />
        ) : mode === 'edit' ? (
          <EditView workspaceId={workspaceId} path={path} onLeave={() => showMode('read')} />
        ) : (
          <ReadMode workspaceId={workspaceId} entry={entry} view={view} />
        )}
        {panel === 'history' ? (
          <HistoryPanel
            workspaceId={workspaceId}
            path={path}
            readOnlyBecause={readOnlyBecause}
            onClose={() => showPanel(null)}
          />
        ) : null}
        {panel === 'activity' ? (
          <ActivityPanel workspaceId={workspaceId} path={path} onClose={() => showPanel(null)} />
        ) : null}
      </Suspense>
      {panel === 'info' ? (
        <InfoPanel workspaceId={workspaceId} entry={entry} onClose={() => showPanel(null)} />
      ) : null}
    </div>
  );
}

/** Why a file is not edited here; null when it is. Whether it is text shows only when it is opened. */
function whyNotEdited({ kind }: FileView, contentType: string): string | null {
  if (mediaTypeOf(contentType) === 'image/svg+xml') return null;
  return kind === 'none' || kind === 'pdf' || kind === 'picture' ? editing.notText : null;
}
