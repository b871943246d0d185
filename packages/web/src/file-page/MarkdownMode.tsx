import type { CommentThread } from '@stoa/contract';
import { useEffect, useMemo, useRef } from 'react';
import { useReadOnlyReason } from '../api/use-workspace.ts';
import type { SelectedPlace } from '../comments/NewComment.tsx';
import { areStale, threadPassages } from '../comments/thread-list.ts';
import { askThreadsAgain } from '../comments/use-threads.ts';
import { MarkdownView } from '../reading/MarkdownView.tsx';
import { SourceView } from '../reading/SourceView.tsx';
import { useParsed } from '../reading/use-parsed.ts';
import { byteOffsets } from '../text/byte-offsets.ts';
import { reading } from '../text/en/reading.ts';
import { LoadingLines } from '../ui/States.tsx';
import { AddComment } from './AddComment.tsx';
import { tickTask } from './tick-task.ts';

/** What comments and the text they are about have to do with each other. */
export interface TextComments {
  readonly threads: readonly CommentThread[];
  readonly activeThread: string | null;
  onActiveThread(threadId: string): void;
  onAdd(place: SelectedPlace): void;
}

const noThreads: readonly CommentThread[] = [];

/** A markdown text, laid out, with the passages that are commented on. */
export function MarkdownMode({
  workspaceId,
  path,
  name,
  source,
  version,
  comments,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly name: string;
  readonly source: string;
  readonly version: number;
  readonly comments: TextComments | null;
}) {
  const state = useParsed(source);
  const article = useRef<HTMLElement>(null);
  const threads = comments?.threads ?? noThreads;
  const activeThread = comments?.activeThread ?? null;
  const shown = state.kind === 'parsed' ? state.parsed.source : source;
  const text = useMemo(() => ({ source: shown, ...byteOffsets(shown) }), [shown]);
  // Earlier versions have no comments, and cannot be changed.
  const isEditable = useReadOnlyReason(workspaceId) === null && comments !== null;
  const passages = useMemo(() => threadPassages(threads, text), [threads, text]);
  const activePassage = passages.find((passage) => passage.threads.includes(activeThread ?? ''))?.id ?? null;

  // The threads of the version before: their places in this one are the server's to say, once for each text.
  const askedFor = useRef<string | null>(null);
  useEffect(() => {
    if (shown !== source || askedFor.current === shown || !areStale(threads, text)) return;
    askedFor.current = shown;
    askThreadsAgain(workspaceId, path);
  }, [shown, source, threads, text, workspaceId, path]);

  useEffect(() => {
    if (activePassage === null) return;
    const mark = article.current?.querySelector(`[data-passage="${activePassage}"]`);
    mark?.scrollIntoView({ block: 'nearest' });
  }, [activePassage]);

  switch (state.kind) {
    case 'waiting':
      return <LoadingLines rows={12} />;
    case 'gave_up':
      return <SourceView name={name} text={source} note={reading.tooSlow} />;
    case 'parsed':
      return (
        <>
          <MarkdownView
            workspaceId={workspaceId}
            path={path}
            name={name}
            parsed={state.parsed}
            passages={passages}
            activePassage={activePassage}
            onPassage={(id) => {
              const [first] = passages.find((passage) => passage.id === id)?.threads ?? [];
              if (first !== undefined) comments?.onActiveThread(first);
            }}
            onTick={
              isEditable ? (at, done) => tickTask({ workspaceId, path, source: shown, at }, done) : undefined
            }
            articleRef={article}
            withOutline
          />
          {comments === null ? null : (
            <AddComment article={article} parsed={state.parsed} version={version} onAdd={comments.onAdd} />
          )}
        </>
      );
  }
}
