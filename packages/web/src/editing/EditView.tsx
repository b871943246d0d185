import type { EditorState, Text } from '@codemirror/state';
import { Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isMarkdown } from '@stoa/core';
import { type RefObject, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { fileContentAddress, isFileShown } from '../api/addresses.ts';
import { nameOf } from '../api/listing-index.ts';
import { AddCommentButton } from '../comments/AddCommentButton.tsx';
import { ConflictBar } from '../conflicts/ConflictBar.tsx';
import { KeptTextDownload } from '../saving/KeptTextDownload.tsx';
import type { OpenedEngine } from '../saving/open-engines.ts';
import type { RunningEngine } from '../saving/run-engine.ts';
import { SaveStatus } from '../saving/SaveStatus.tsx';
import { useStore } from '../store/store.ts';
import { editing as texts } from '../text/en/editing.ts';
import { saving } from '../text/en/saving.ts';
import { relativeTime } from '../text/times.ts';
import { visibleName } from '../text/visible-name.ts';
import { useCommands } from '../ui/commands.ts';
import { downloadText } from '../ui/download-text.ts';
import { isFocusTaken } from '../ui/focus-taken.ts';
import { NotFound } from '../ui/NotFound.tsx';
import { type NoticeHandle, notify } from '../ui/notices.ts';
import { EmptyState, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { SoughtHere } from '../ui/sought-here.ts';
import {
  activePassageIs,
  type CommentedPassage,
  commentedPassages,
  passagesAre,
  placedIn,
} from './comment-marks.ts';
import {
  createEditorState,
  type EditorListener,
  named,
  nameIs,
  writable,
  writableIs,
} from './create-editor.ts';
import { engines } from './engines.ts';
import { FormattingBar } from './FormattingBar.tsx';
import { applyForeign, byEngine } from './foreign-edits.ts';
import { foundAre } from './found-marks.ts';
import { isJustMade } from './just-made.ts';
import { keepAboveKeyboard } from './keep-above-keyboard.ts';
import { changesTo, replaceText, takeOut } from './replace-text.ts';
import { textDocuments } from './text-documents.ts';
import './editing.css';

type Opening =
  | OpenedEngine<Text>
  | { readonly kind: 'opening' }
  | { readonly kind: 'failed'; readonly error: Error };

/** The comments of the text, as the editor marks them. */
export interface EditorComments {
  /** The text that the passages refer to: a version that the server had. */
  readonly source: string;
  readonly passages: readonly CommentedPassage[];
  readonly activePassage: string | null;
  readonly activeThread: string | null;
  onPassage(id: string, how: 'pressed' | 'caret'): void;
  onAdd(source: string, range: { readonly start: number; readonly end: number }): void;
}

export interface EditViewProps {
  readonly workspaceId: string;
  readonly path: string;
  /** Null where the file has no comments. */
  readonly comments: EditorComments | null;
  /** Called to return to Read mode. */
  onLeave(): void;
}

/** Edit mode of a file: opens its engine and shows the editor. */
export function EditView({ workspaceId, path, comments, onLeave }: EditViewProps) {
  const [opening, setOpening] = useState<Opening>({ kind: 'opening' });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens the engine again
  useEffect(() => {
    let isCurrent = true;
    engines.open(workspaceId, path).then(
      (opened) => {
        if (isCurrent) setOpening(opened);
        else if (opened.kind === 'opened' && !isFileShown(workspaceId, opened.engine.path))
          opened.engine.notify({ kind: 'left', page: true });
      },
      (error: unknown) => {
        if (isCurrent)
          setOpening({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [workspaceId, path, attempt]);

  switch (opening.kind) {
    case 'opening':
      return <LoadingLines rows={12} />;
    case 'failed':
      return (
        <LoadFailure what={texts.theText} error={opening.error} onRetry={() => setAttempt(attempt + 1)} />
      );
    case 'not_found':
      return (
        <NotFound within>
          <KeptTextDownload workspaceId={workspaceId} path={path} />
        </NotFound>
      );
    case 'not_text':
      return <OnlyDownload workspaceId={workspaceId} path={path} text={texts.notText} />;
    case 'too_large':
      return <OnlyDownload workspaceId={workspaceId} path={path} text={texts.tooLarge} />;
    case 'opened':
      return <OpenEditor opened={opening} comments={comments} onLeave={onLeave} />;
  }
}

function OnlyDownload({
  workspaceId,
  path,
  text,
}: Pick<EditViewProps, 'workspaceId' | 'path'> & { readonly text: string }) {
  return (
    <EmptyState icon="file-warning" text={text}>
      <a className="ui-button" href={fileContentAddress(workspaceId, path)} download={nameOf(path)}>
        {texts.download}
      </a>
    </EmptyState>
  );
}

function OpenEditor({
  opened,
  comments,
  onLeave,
}: Pick<EditViewProps, 'comments' | 'onLeave'> & {
  readonly opened: OpenedEngine<Text> & { readonly kind: 'opened' };
}) {
  const { engine, restored } = opened;
  const { hold, path } = useStore(engine.store);
  const location = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const openedHere = useRef<string | null>(null);
  const contentElement = useRef<HTMLElement | null>(null);
  const sought = useContext(SoughtHere);
  const listener = useRef<EditorListener>(deaf);
  const draftNotice = useRef<NoticeHandle | null>(null);
  const save = () => {
    // Saving a restored draft accepts it.
    draftNotice.current?.close();
    engine.notify({ kind: 'save_asked' });
  };
  listener.current = {
    edited: (doc) => engine.notify({ kind: 'edited', doc }),
    save,
    leave: () => {
      onLeave();
      sought?.end();
    },
    movedOn: () => sought?.end(),
    passage: (id, how) => {
      openedHere.current = id;
      comments?.onPassage(id, how);
    },
  };
  const isWritable = !(hold?.kind === 'blocked' && hold.reason.kind === 'read_only');

  useEffect(() => {
    const parent = location.current;
    if (parent === null) return;
    const editor = new EditorView({ parent, state: stateOf(engine, () => listener.current) });
    view.current = editor;
    contentElement.current = editor.contentDOM;
    const scroller = scrollerOf(parent);
    if (scroller !== null) scroller.scrollTop = memoryOf(engine)?.scrollTop ?? scroller.scrollTop;
    if (!isFocusTaken()) editor.focus();
    const detach = engine.attach({
      apply: (edits, { who }) => applyForeign(editor, edits, visibleName(who ?? saving.somebody)),
      show: (doc) => replaceText(editor, doc, true),
    });
    const lower = keepAboveKeyboard();
    return () => {
      engine.memory = { state: editor.state, scrollTop: scroller?.scrollTop ?? 0 } satisfies EditorMemory;
      detach();
      lower();
      editor.destroy();
      view.current = null;
      contentElement.current = null;
      // A change of mode does not leave the page. The page itself reports when it is left.
      engine.notify({ kind: 'left', page: false });
    };
  }, [engine]);

  useMarks(view, engine, comments, openedHere);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each engine has an editor of its own
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    editor.dispatch({ effects: foundAre.of([]) });
    void sought?.find(textDocuments.toText(editor.state.doc)).then((matches) => {
      const [match] = matches;
      if (match === undefined || view.current !== editor) return;
      const { start: anchor, end: head } = match;
      editor.dispatch({
        selection: { anchor, head },
        effects: [foundAre.of(matches), EditorView.scrollIntoView(anchor, { y: 'center' })],
      });
    });
  }, [engine, sought]);

  useEffect(() => {
    view.current?.dispatch({ effects: writable.reconfigure(writableIs(isWritable)) });
  }, [isWritable]);

  // Another user may move the file while it is open.
  useEffect(() => {
    view.current?.dispatch({ effects: named.reconfigure(nameIs(visibleName(nameOf(path)))) });
  }, [path]);

  useEffect(() => {
    if (restored === null) return;
    const notice = notify({
      text: saving.draftBack(relativeTime(restored.savedAt, Date.now())),
      stays: true,
      actions: [
        {
          label: saving.discardThem,
          run: () => {
            if (view.current !== null) void takeOut(view.current, restored);
          },
        },
      ],
    });
    draftNotice.current = notice;
    return () => notice.close();
  }, [restored]);

  const download = useCallback(
    () => downloadText(nameOf(engine.state.path), textDocuments.toText(engine.state.doc)),
    [engine],
  );
  useCommands([
    {
      id: 'editor.save',
      words: texts.save,
      keys: ['Mod+S'],
      keysOnly: true,
      run: save,
    },
  ]);

  return (
    <div className="edit">
      <SaveStatus engine={engine} />
      <ConflictBar engine={engine} onDownload={download} />
      {isMarkdown(path, engine.state.contentType) ? <FormattingBar view={() => view.current} /> : null}
      <div className="edit-text" ref={location} />
      {comments === null ? null : (
        <AddCommentButton
          text={contentElement}
          onAdd={() => {
            const state = view.current?.state;
            if (state === undefined) return;
            const { from: start, to: end } = state.selection.main;
            comments.onAdd(textDocuments.toText(state.doc), { start, end });
          }}
        />
      )}
    </div>
  );
}

const deaf: EditorListener = {
  edited: () => {},
  save: () => {},
  leave: () => {},
  movedOn: () => {},
  passage: () => {},
};

/** Marks the passages of threads. Between two responses of the server the marks move with edits. */
function useMarks(
  view: RefObject<EditorView | null>,
  engine: RunningEngine<Text>,
  comments: EditorComments | null,
  openedHere: RefObject<string | null>,
): void {
  const source = comments?.source ?? '';
  const passages = comments?.passages ?? noPassages;
  const activePassage = comments?.activePassage ?? null;
  const activeThread = comments?.activeThread ?? null;

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { doc } = editor.state;
    const text = passages.length === 0 ? '' : textDocuments.toText(doc);
    const placed = placedIn(doc, passages, (location) => engine.moved(source, text, location));
    editor.dispatch({ effects: passagesAre.of(placed) });
  }, [view, engine, source, passages]);

  useEffect(() => {
    view.current?.dispatch({ effects: activePassageIs.of(activePassage) });
  }, [view, activePassage]);

  // A passage pressed here must not move under the pointer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once per passage
  useEffect(() => {
    const editor = view.current;
    if (editor === null || activePassage === null || openedHere.current === activePassage) return;
    openedHere.current = null;
    const location = editor.state.field(commentedPassages).passages.find(({ id }) => id === activePassage);
    if (location !== undefined)
      editor.dispatch({ effects: EditorView.scrollIntoView(location.from, { y: 'nearest', yMargin: 48 }) });
  }, [view, activeThread, activePassage === null]);
}

const noPassages: readonly CommentedPassage[] = [];

interface EditorMemory {
  readonly state: EditorState;
  readonly scrollTop: number;
}

function memoryOf(engine: RunningEngine<Text>): EditorMemory | null {
  return engine.memory as EditorMemory | null;
}

/**
 * Caret, selection and undo history survive a change of mode. Changes by others since then stay outside the history.
 */
function stateOf(engine: RunningEngine<Text>, listener: () => EditorListener): EditorState {
  const { doc, path, contentType, hold, base } = engine.state;
  const before = memoryOf(engine)?.state;
  if (before !== undefined) {
    if (textDocuments.equal(before.doc, doc)) return before;
    return before.update({
      changes: changesTo(before, doc),
      annotations: [Transaction.addToHistory.of(false), byEngine.of(true)],
    }).state;
  }
  const isWritable = !(hold?.kind === 'blocked' && hold.reason.kind === 'read_only');
  const name = visibleName(nameOf(path));
  const isNew = isJustMade(base.version, doc);
  return createEditorState(
    doc,
    { name, isMarkdown: isMarkdown(path, contentType), isWritable, isNew },
    listener,
  );
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  return element.closest('main');
}
