import { lazy, useMemo } from 'react';
import type { EditorComments } from '../editing/EditView.tsx';
import type { OpenDocument } from '../saving/open-documents.ts';
import { useStore } from '../store/store.ts';
import { reading } from '../text/en/reading.ts';
import { selectedLocation } from './AddComment.tsx';
import { loadEngines } from './load-engines.ts';
import type { TextComments } from './MarkdownMode.tsx';
import { usePassages } from './use-passages.ts';

export async function loadEditor() {
  const [{ EditView }] = await Promise.all([import('../editing/EditView.tsx'), loadEngines()]);
  return { default: EditView };
}

const EditView = lazy(loadEditor);

export interface EditModeProps {
  readonly workspaceId: string;
  readonly path: string;
  /** Null until it is open. */
  readonly openDocument: OpenDocument | null;
  /** Null where the file has no comments. */
  readonly comments: TextComments | null;
  /** Whether the threads are shown: only then the caret in a passage opens one. */
  readonly showsThreads: boolean;
  onLeave(): void;
}

const noThreads: TextComments['threads'] = [];
const nowhere = { get: () => null, subscribe: () => () => undefined };

/** A file being edited, with its commented passages. */
export function EditMode({
  workspaceId,
  path,
  openDocument,
  comments,
  showsThreads,
  onLeave,
}: EditModeProps) {
  // Typing alone does not change the text of the threads.
  const base = useStore({
    get: () => openDocument?.store.get().base ?? null,
    subscribe: (openDocument?.store ?? nowhere).subscribe,
  });
  const saved = base === null || openDocument === null ? null : openDocument.saved.text;
  const { source, passages } = usePassages(workspaceId, path, comments?.threads ?? noThreads, saved).settled;
  const commented = useMemo(
    () =>
      passages.map(({ id, start, end, comments, quote }) => {
        return { id, start, end, label: reading.marked(comments, quote) };
      }),
    [passages],
  );
  const threadOf = (id: string): string | undefined => passages.find((one) => one.id === id)?.threads[0];
  const activeThread = comments?.activeThread ?? null;
  const editorComments: EditorComments | null =
    comments === null
      ? null
      : {
          source,
          passages: commented,
          activeThread,
          activePassage: passages.find(({ threads }) => threads.includes(activeThread ?? ''))?.id ?? null,
          onPassage: (id, how) => {
            const thread = threadOf(id);
            if (thread !== undefined && (how === 'pressed' || showsThreads)) comments.onActiveThread(thread);
          },
          onAdd: (text, range) =>
            comments.onAdd(selectedLocation(text, range, openDocument?.saved.version ?? 0)),
        };
  return <EditView workspaceId={workspaceId} path={path} comments={editorComments} onLeave={onLeave} />;
}
