import { isMarkdown, mediaTypeOf } from '@stoa/core';
import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { fileAddress, withChangedSearch } from '../api/addresses.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { useReadOnlyReason, useWorkspaceRecord } from '../api/use-workspace.ts';
import type { SelectedPlace } from '../comments/NewComment.tsx';
import { useThreads } from '../comments/use-threads.ts';
import { type FileView, fileView } from '../reading/file-view.ts';
import { ThemeCss } from '../reading/ThemeCss.tsx';
import { activity } from '../text/en/activity.ts';
import { comments as commentTexts } from '../text/en/comments.ts';
import { editing } from '../text/en/editing.ts';
import { history } from '../text/en/history.ts';
import { reading } from '../text/en/reading.ts';
import { shortcuts } from '../text/en/shortcuts.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { RadioGroup } from '../ui/Choice.tsx';
import { useCommands } from '../ui/commands.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { LoadingLines } from '../ui/States.tsx';
import { ActionsMenu } from './ActionsMenu.tsx';
import { CopyMenu } from './CopyMenu.tsx';
import { InfoPanel } from './InfoPanel.tsx';
import { PanelButtons, type PanelName, panelNames } from './PanelButtons.tsx';
import { ReadMode } from './ReadMode.tsx';

const CommentsPanel = lazy(async () => ({
  default: (await import('../comments/CommentsPanel.tsx')).CommentsPanel,
}));
const ComparisonView = lazy(async () => ({
  default: (await import('../history/ComparisonView.tsx')).ComparisonView,
}));
const EarlierVersion = lazy(async () => ({
  default: (await import('./EarlierVersion.tsx')).EarlierVersion,
}));
const PinnedVersion = lazy(async () => ({
  default: (await import('./PinnedVersion.tsx')).PinnedVersion,
}));
const HistoryPanel = lazy(async () => ({
  default: (await import('../history/HistoryPanel.tsx')).HistoryPanel,
}));
const ActivityPanel = lazy(async () => ({
  default: (await import('../activity/ActivityPanel.tsx')).ActivityPanel,
}));
const EditView = lazy(async () => ({ default: (await import('../editing/EditView.tsx')).EditView }));

/** A file that is there, with its toolbar and panels. */
export function OpenFile({
  workspaceId,
  entry,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
}) {
  const here = useRouterState({ select: (state) => state.location.publicHref });
  const search = new URLSearchParams(here.split('?')[1]?.split('#')[0] ?? '');
  const goTo = useGoTo();
  const themeCss = useWorkspaceRecord(workspaceId).data?.themeCss ?? null;
  const readOnlyBecause = useReadOnlyReason(workspaceId);
  const { path } = entry;
  const canComment = isMarkdown(path, entry.contentType);
  const threads = useThreads(workspaceId, path, canComment);
  const [place, setPlace] = useState<SelectedPlace | null>(null);

  const name = visibleName(entry.name);
  const panel = panelNames.find((each) => each === search.get('panel')) ?? null;
  const lastPanel = useRef<PanelName>('comments');
  if (panel !== null) lastPanel.current = panel;
  const activeThread = search.get('thread');
  const compared = search.get('compare');
  const earlier = search.get('v');
  const pinned = search.get('pinned');
  const openThreads = threads.data?.filter(({ status }) => status === 'open').length ?? 0;

  const change = (changes: Readonly<Record<string, string | undefined>>): void => {
    // Panels replace the entry: Back walks through places.
    const next = withChangedSearch(here, changes);
    if (next !== here) goTo(next, { replace: true });
  };
  const toggle = (next: PanelName): void =>
    change({ panel: panel === next ? undefined : next, thread: undefined });
  const close = (): void => change({ panel: undefined, thread: undefined });
  const view = fileView({ ...entry, sizeBytes: entry.size });
  const editRefusal = whyNotEdited(view, entry.contentType) ?? readOnlyBecause;
  const isEarlier = earlier !== null || compared !== null || pinned !== null;
  const mode = search.get('mode') === 'edit' && editRefusal === null && !isEarlier ? 'edit' : 'read';
  const showMode = (next: 'read' | 'edit'): void =>
    change({
      mode: next === 'edit' ? 'edit' : undefined,
      v: undefined,
      compare: undefined,
      pinned: undefined,
    });
  useCommands([
    {
      id: 'file.edit',
      words: editing.edit,
      keys: ['e'],
      when: () => mode === 'read',
      disabled: () => editRefusal,
      run: () => showMode('edit'),
    },
    { id: 'panel.comments', words: commentTexts.title, keys: ['c'], run: () => toggle('comments') },
    { id: 'panel.history', words: history.title, keys: ['h'], run: () => toggle('history') },
    { id: 'panel.activity', words: activity.title, run: () => toggle('activity') },
    { id: 'panel.info', words: reading.info, keys: ['i'], run: () => toggle('info') },
    {
      id: 'panel.toggle',
      words: shortcuts.togglePanel,
      keys: ['Mod+/'],
      run: () => (panel === null ? toggle(lastPanel.current) : close()),
    },
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
          <ActionsMenu workspaceId={workspaceId} entry={entry} />
        </div>
      </div>
      <PanelButtons panel={panel} openThreads={openThreads} onToggle={toggle} />
      {search.get('theme') === 'safe' || mode === 'edit' ? null : <ThemeCss css={themeCss} />}
      <Suspense fallback={<LoadingLines rows={12} />}>
        {compared !== null ? (
          <ComparisonView
            workspaceId={workspaceId}
            path={path}
            parameter={compared}
            onClose={() => change({ compare: undefined })}
          />
        ) : earlier !== null ? (
          <EarlierVersion
            workspaceId={workspaceId}
            entry={entry}
            parameter={earlier}
            readOnlyBecause={readOnlyBecause}
          />
        ) : mode === 'edit' ? (
          <EditView workspaceId={workspaceId} path={path} onLeave={() => showMode('read')} />
        ) : pinned !== null ? (
          <PinnedVersion
            workspaceId={workspaceId}
            entry={entry}
            threadId={pinned}
            onBack={() => change({ pinned: undefined })}
          />
        ) : (
          <ReadMode
            workspaceId={workspaceId}
            entry={entry}
            view={view}
            comments={{
              threads: threads.data ?? [],
              activeThread,
              onActiveThread: (thread) => change({ panel: 'comments', thread }),
              onAdd: (selected) => {
                setPlace(selected);
                change({ panel: 'comments', thread: undefined });
              },
            }}
          />
        )}
        {panel === 'comments' ? (
          <CommentsPanel
            workspaceId={workspaceId}
            path={path}
            threads={canComment ? threads.data : []}
            error={threads.error}
            isMarkdown={canComment}
            readOnlyBecause={readOnlyBecause}
            place={place}
            activeThread={activeThread}
            onActiveThread={(thread) => change({ thread: thread ?? undefined })}
            onPlaceDone={() => setPlace(null)}
            onClose={close}
          />
        ) : null}
        {panel === 'history' ? (
          <HistoryPanel
            workspaceId={workspaceId}
            path={path}
            readOnlyBecause={readOnlyBecause}
            onClose={close}
          />
        ) : null}
        {panel === 'activity' ? (
          <ActivityPanel workspaceId={workspaceId} path={path} onClose={close} />
        ) : null}
      </Suspense>
      {panel === 'info' ? <InfoPanel workspaceId={workspaceId} entry={entry} onClose={close} /> : null}
    </div>
  );
}

/** Why a file is not edited here; null when it is. Whether it is text shows only when it is opened. */
function whyNotEdited({ kind }: FileView, contentType: string): string | null {
  if (mediaTypeOf(contentType) === 'image/svg+xml') return null;
  return kind === 'none' || kind === 'pdf' || kind === 'picture' ? editing.notText : null;
}
