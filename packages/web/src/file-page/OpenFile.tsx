import { isMarkdown } from '@stoa/core';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { type AddressSearch, fileAddress } from '../api/addresses.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { useChangeSearch } from '../api/use-change-search.ts';
import { useReadOnlyReason, useWorkspaceRecord } from '../api/use-workspace.ts';
import type { QuotedMatch, SelectedMatch } from '../comments/NewComment.tsx';
import { useThreads } from '../comments/use-threads.ts';
import { type FileView, fileView } from '../reading/file-view.ts';
import { ThemeCss } from '../reading/ThemeCss.tsx';
import { useDecodedKind } from '../reading/use-file.ts';
import { KeptText } from '../saving/KeptText.tsx';
import { openDocumentAt } from '../saving/open-documents.ts';
import { comments as commentTexts } from '../text/en/comments.ts';
import { editing } from '../text/en/editing.ts';
import { files } from '../text/en/files.ts';
import { reading } from '../text/en/reading.ts';
import { shell } from '../text/en/shell.ts';
import { shortcuts } from '../text/en/shortcuts.ts';
import { writers } from '../text/en/writers.ts';
import { visibleName } from '../text/visible-name.ts';
import { RadioGroup } from '../ui/Choice.tsx';
import { useCommands } from '../ui/commands.ts';
import { loadSoon } from '../ui/load-soon.ts';
import { NotFound } from '../ui/NotFound.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { LoadingLines } from '../ui/States.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { showsWriters } from '../writers/shows-writers.ts';
import { ActionsMenu } from './ActionsMenu.tsx';
import { selectedLocation } from './AddComment.tsx';
import { CopyMenu } from './CopyMenu.tsx';
import { EditMode, loadEditor } from './EditMode.tsx';
import type { TextComments } from './MarkdownMode.tsx';
import { PanelButtons, type PanelName, panelNames } from './PanelButtons.tsx';
import { ReadMode } from './ReadMode.tsx';
import { showWriters } from './show-writers.ts';
import { useOpenDocument, useShownText } from './use-open-document.ts';
import { whyNotEdited } from './why-not-edited.ts';

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
const ReadOnlyState = lazy(async () => ({
  default: (await import('../saving/ReadOnlyState.tsx')).ReadOnlyState,
}));

const loadInfo = async () => ({ default: (await import('./InfoPanel.tsx')).InfoPanel });
const InfoPanel = lazy(loadInfo);

/** The Info panel needs no server: preload it, so that it works offline. */
const soon = [loadInfo];
/** A reader may start to edit. */
const soonToWrite = [loadEditor, ...soon];

/** An existing file, with its toolbar and panels. */
export function OpenFile({
  workspaceId,
  entry,
  isListed,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  /** Whether the file still exists. A locally edited text is shown even if not. */
  readonly isListed: boolean;
}) {
  const search: AddressSearch = useSearch({ strict: false });
  const change = useChangeSearch();
  const themeCss = useWorkspaceRecord(workspaceId).data?.themeCss ?? null;
  const readOnlyBecause = useReadOnlyReason(workspaceId);
  const { path } = entry;
  const canComment = isMarkdown(path, entry.contentType);
  const threads = useThreads(workspaceId, path, canComment);
  const [location, setLocation] = useState<SelectedMatch | null>(null);

  const name = visibleName(entry.name);
  const panel = panelNames.find((each) => each === search.panel) ?? null;
  const lastPanel = useRef<PanelName>('comments');
  if (panel !== null) lastPanel.current = panel;
  const { thread: activeThread = null, compare: compared = null, v: earlier = null, pinned = null } = search;
  const openThreads = threads.data?.filter(({ status }) => status === 'open').length ?? 0;

  const toggle = (next: PanelName): void =>
    change({ panel: panel === next ? undefined : next, thread: undefined });
  const narrow = useNarrow();
  const panelButtons = useRef<HTMLDivElement>(null);
  const close = (): void => {
    // Focus in the panel returns to its button.
    if (document.activeElement?.closest('aside') != null)
      panelButtons.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
    change({ panel: undefined, thread: undefined });
  };
  const view = fileView({ ...entry, sizeBytes: entry.size });
  const openDocument = useOpenDocument(workspaceId, path);
  const decoded = useDecodedKind(workspaceId, path);
  const editError = whyNotEdited(entry, openDocument === null ? decoded : null) ?? readOnlyBecause;
  const isEarlier = earlier !== null || compared !== null || pinned !== null;
  // For a deleted file, the editor stays: its engine knows the outcome.
  const wantsEdit = search.mode === 'edit' || !isListed;
  const mode = wantsEdit && (editError === null || !isListed) && !isEarlier ? 'edit' : 'read';
  // For a locally edited text, the save state says more.
  const isReadOnly = isEarlier || (mode === 'read' && editError !== null && openDocument === null);
  const noWritersBecause = isEarlier ? writers.onlyCurrent : whyNoLines(view);
  const isGone = useShownText(openDocument, mode);
  const canEdit = editError === null;
  useEffect(() => loadSoon(canEdit ? soonToWrite : soon), [canEdit]);
  const comments: TextComments = {
    threads: threads.data ?? [],
    activeThread,
    onActiveThread: (thread) => change({ panel: 'comments', thread }),
    onAdd: (selected) => {
      setLocation(selected);
      change({ panel: 'comments', thread: undefined });
    },
  };
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
      disabled: () => editError,
      run: () => showMode('edit'),
    },
    { id: 'panel.comments', words: commentTexts.title, keys: ['c'], run: () => toggle('comments') },
    { id: 'panel.history', words: files.history, keys: ['h'], run: () => toggle('history') },
    { id: 'panel.activity', words: shell.activity, run: () => toggle('activity') },
    {
      id: 'file.writers',
      words: writers.title,
      when: () => mode === 'read',
      disabled: () => noWritersBecause,
      run: () => void showWriters(!showsWriters.get()),
    },
    { id: 'panel.info', words: reading.info, keys: ['i'], run: () => toggle('info') },
    {
      id: 'panel.toggle',
      words: shortcuts.togglePanel,
      keys: ['Mod+/'],
      run: () => (panel === null ? toggle(lastPanel.current) : close()),
    },
  ]);

  if (isGone) {
    return (
      <NotFound>
        <KeptText workspaceId={workspaceId} path={path} />
      </NotFound>
    );
  }
  const modes = (
    <RadioGroup
      label={editing.mode}
      hideLabel
      layout="segments"
      value={mode}
      options={[
        { value: 'read', label: editing.read },
        { value: 'edit', label: editing.edit, disabledBecause: editError },
      ]}
      onChange={showMode}
    />
  );
  return (
    <div className="file-page">
      <div className="file-page-head">
        <PageHeading title={name} pageKey={fileAddress(workspaceId, path)}>
          <bdi>{name}</bdi>
        </PageHeading>
        <div role="toolbar" aria-label={reading.toolbar} className="file-page-toolbar">
          {narrow ? null : modes}
          <CopyMenu workspaceId={workspaceId} entry={entry} />
          <ActionsMenu
            workspaceId={workspaceId}
            entry={entry}
            mode={mode}
            noWritersBecause={noWritersBecause}
          />
          {/* Below the name and its menus, next to the panels. */}
          {narrow ? modes : null}
        </div>
        <PanelButtons group={panelButtons} panel={panel} openThreads={openThreads} onToggle={toggle} />
      </div>
      {isReadOnly ? (
        <Suspense fallback={null}>
          <ReadOnlyState />
        </Suspense>
      ) : null}
      {search.theme === 'safe' || mode === 'edit' ? null : <ThemeCss css={themeCss} />}
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
          <EditMode
            workspaceId={workspaceId}
            path={path}
            openDocument={openDocument}
            comments={canComment ? comments : null}
            showsThreads={panel === 'comments'}
            onLeave={() => showMode('read')}
          />
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
            comments={comments}
            openDocument={openDocument}
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
            selected={location}
            activeThread={activeThread}
            settle={(selected) => settleLocation(workspaceId, path, selected)}
            onActiveThread={(thread) => change({ thread: thread ?? undefined })}
            onPlaceDone={() => setLocation(null)}
            onClose={close}
          />
        ) : null}
        {panel === 'history' ? (
          <HistoryPanel
            workspaceId={workspaceId}
            path={path}
            shown={compared !== null || pinned !== null ? null : (earlier ?? '')}
            readOnlyBecause={readOnlyBecause}
            onClose={close}
          />
        ) : null}
        {panel === 'activity' ? (
          <ActivityPanel workspaceId={workspaceId} path={path} onClose={close} />
        ) : null}
        {panel === 'info' ? <InfoPanel workspaceId={workspaceId} entry={entry} onClose={close} /> : null}
      </Suspense>
    </div>
  );
}

/** Saves the text first, then returns the passage at its position in the saved text. */
async function settleLocation(
  workspaceId: string,
  path: string,
  selected: QuotedMatch,
): Promise<QuotedMatch | null> {
  const openDocument = openDocumentAt(workspaceId, path);
  if (openDocument === null) return selected;
  const { text, version } = await openDocument.save();
  const range = openDocument.moved(selected.source, text, selected.range);
  if (range === null || text.slice(range.start, range.end) !== selected.quote) return null;
  const location = selectedLocation(text, range, version);
  return location.kind === 'quote' ? location : null;
}

/** Why line authors are not shown; null when they can be. */
function whyNoLines({ kind }: FileView): string | null {
  return kind === 'markdown' || kind === 'source' || kind === 'csv' ? null : writers.onlyText;
}
