import type { CommentThread } from '@stoa/contract';
import { isText } from '@stoa/markdown/tree';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useReadOnlyReason } from '../api/use-workspace.ts';
import type { SelectedMatch } from '../comments/NewComment.tsx';
import { blocksOf, MarkdownView } from '../reading/MarkdownView.tsx';
import { SourceView } from '../reading/SourceView.tsx';
import { useFound } from '../reading/use-found.ts';
import { type Parsed, useParsed } from '../reading/use-parsed.ts';
import type { OpenDocument } from '../saving/open-documents.ts';
import { useStore } from '../store/store.ts';
import { reading } from '../text/en/reading.ts';
import { loadPart } from '../ui/load-part.ts';
import { LoadingLines } from '../ui/States.tsx';
import { showsWriters } from '../writers/shows-writers.ts';
import { AddComment } from './AddComment.tsx';
import { loadEngines } from './load-engines.ts';
import { loadWriters } from './show-writers.ts';
import type { Comparison, PlacedBlocks } from './TextWriters.tsx';
import { usePassages } from './use-passages.ts';

/** The threads of a text and their state on the page. */
export interface TextComments {
  readonly threads: readonly CommentThread[];
  readonly activeThread: string | null;
  onActiveThread(threadId: string): void;
  onAdd(location: SelectedMatch): void;
}

const TextWriters = lazy(loadWriters);

const noThreads: readonly CommentThread[] = [];

/** A rendered Markdown text with its commented passages. */
export function MarkdownMode({
  workspaceId,
  path,
  name,
  source,
  version,
  comments,
  openDocument,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly name: string;
  readonly source: string;
  readonly version: number;
  readonly comments: TextComments | null;
  /** Null where the text is the server's. */
  readonly openDocument: OpenDocument | null;
}) {
  const state = useParsed(source);
  const article = useRef<HTMLElement>(null);
  const threads = comments?.threads ?? noThreads;
  const activeThread = comments?.activeThread ?? null;
  const shown = state.kind === 'parsed' ? state.parsed.source : source;
  const saved = openDocument === null ? shown : openDocument.saved.text;
  const { current, settled } = usePassages(workspaceId, path, threads, saved);
  const readOnlyBecause = useReadOnlyReason(workspaceId);
  const passages = useMemo(
    () =>
      openDocument === null
        ? current.passages
        : settled.passages.flatMap((passage) => {
            const location = openDocument.moved(settled.source, shown, passage);
            return location === null ? [] : [{ ...passage, ...location }];
          }),
    [current, settled, openDocument, shown],
  );
  const activePassage = passages.find((passage) => passage.threads.includes(activeThread ?? ''))?.id ?? null;

  // Line authors belong to the current version only.
  const showsNotes = useStore(showsWriters) && comments !== null;
  const [alongside, setAlongside] = useState<{ readonly notes: Comparison | null }>({ notes: null });
  const parsed = state.kind === 'parsed' ? state.parsed : null;
  const blocks = useMemo(
    () => (showsNotes && parsed !== null ? placedBlocks(parsed) : null),
    [showsNotes, parsed],
  );
  const writers = showsNotes ? (
    <Suspense fallback={null}>
      <TextWriters
        workspaceId={workspaceId}
        path={path}
        saved={openDocument === null ? { text: source, version } : openDocument.saved}
        shown={shown}
        isTyped={openDocument !== null}
        blocks={blocks}
        onBeside={(notes) => setAlongside({ notes })}
      />
    </Suspense>
  ) : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them changes the rendered text
  const rendered = useMemo(
    () => parsed && { parsed, blocks: blocksOf(parsed) },
    [parsed, passages, activePassage],
  );
  useFound(article, rendered);

  useEffect(() => {
    if (activePassage === null) return;
    const mark = article.current?.querySelector(`[data-passage="${activePassage}"]`);
    mark?.scrollIntoView({ block: 'nearest' });
  }, [activePassage]);

  switch (state.kind) {
    case 'waiting':
      return <LoadingLines rows={12} />;
    case 'gave_up':
      return (
        <>
          {writers}
          <SourceView name={name} text={source} note={reading.tooSlow} />
        </>
      );
    case 'parsed':
      return (
        <>
          {writers}
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
            // Earlier versions have no comments and cannot be changed.
            onTick={
              comments === null
                ? reading.taskNotHere
                : (readOnlyBecause ??
                  (async (at, done) => {
                    // Loaded on demand: reading needs no engine.
                    const part = await loadPart(loadEngines());
                    if (part === null) throw new Error(reading.taskNotHere);
                    await part.tickTask({ ...part, workspaceId, path, source: shown, at }, done);
                  }))
            }
            articleRef={article}
            withOutline
            alongside={alongside.notes}
          />
          {comments === null ? null : (
            <AddComment article={article} parsed={state.parsed} version={version} onAdd={comments.onAdd} />
          )}
        </>
      );
  }
}

/** The blocks by their `data-block`; the front matter is -1. */
function placedBlocks(parsed: Parsed): PlacedBlocks {
  const locations = blocksOf(parsed).map((block) => (isText(block) ? { start: 0, end: 0 } : block));
  const start = locations[0]?.start ?? parsed.source.length;
  const before = parsed.source.slice(0, start).trimEnd().length;
  const isThere = parsed.frontMatter !== null && before > 0;
  return isThere
    ? { first: -1, ranges: [{ start: 0, end: before }, ...locations] }
    : { first: 0, ranges: locations };
}
