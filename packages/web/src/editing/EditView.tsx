import type { EditorState, Text } from '@codemirror/state';
import { Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isMarkdown } from '@stoa/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fileAddress, placeOf } from '../api/addresses.ts';
import { nameOf } from '../api/listing-index.ts';
import { ConflictBar } from '../conflicts/ConflictBar.tsx';
import type { OpenedEngine } from '../saving/open-engines.ts';
import type { RunningEngine } from '../saving/run-engine.ts';
import { SaveStatus } from '../saving/SaveStatus.tsx';
import { useStore } from '../store/store.ts';
import { editing as texts } from '../text/en/editing.ts';
import { saving } from '../text/en/saving.ts';
import { relativeTime } from '../text/times.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { useCommands } from '../ui/commands.ts';
import { downloadText } from '../ui/download-text.ts';
import { NotFound } from '../ui/NotFound.tsx';
import { notify } from '../ui/notices.ts';
import { EmptyState, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { createEditorState, type EditorListener, writable, writableIs } from './create-editor.ts';
import { engines } from './engines.ts';
import { FormattingBar } from './FormattingBar.tsx';
import { applyForeign, byEngine } from './foreign-edits.ts';
import { keepAboveKeyboard } from './keep-above-keyboard.ts';
import { textDocuments } from './text-documents.ts';
import './editing.css';

type Opening =
  | OpenedEngine<Text>
  | { readonly kind: 'opening' }
  | { readonly kind: 'failed'; readonly error: Error };

export interface EditViewProps {
  readonly workspaceId: string;
  readonly path: string;
  /** Back to Read mode. */
  onLeave(): void;
}

/** Edit mode of a file: its engine, whoever else works on it, and the editor. */
export function EditView({ workspaceId, path, onLeave }: EditViewProps) {
  const [opening, setOpening] = useState<Opening>({ kind: 'opening' });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks anew
  useEffect(() => {
    let isCurrent = true;
    engines.open(workspaceId, path).then(
      (opened) => {
        if (isCurrent) setOpening(opened);
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
      return <NotFound />;
    case 'not_text':
      return <EmptyState icon="file" text={texts.notText} />;
    case 'too_large':
      return <EmptyState icon="file" text={texts.tooLarge} />;
    case 'opened':
      return <OpenEditor opened={opening} onLeave={onLeave} />;
  }
}

function OpenEditor({
  opened,
  onLeave,
}: {
  readonly opened: OpenedEngine<Text> & { readonly kind: 'opened' };
  onLeave(): void;
}) {
  const { engine, restored } = opened;
  const { hold, path } = useStore(engine.store);
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const goTo = useGoTo();
  const listener = useRef<EditorListener>({ edited: () => {}, save: () => {}, leave: () => {} });
  listener.current = {
    edited: (doc) => engine.tell({ kind: 'edited', doc }),
    save: () => engine.tell({ kind: 'save_asked' }),
    leave: onLeave,
  };
  const isWritable = !(hold?.kind === 'blocked' && hold.reason.kind === 'read_only');

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const editor = new EditorView({ parent, state: stateOf(engine, () => listener.current) });
    view.current = editor;
    const scroller = scrollerOf(parent);
    if (scroller !== null) scroller.scrollTop = memoryOf(engine)?.scrollTop ?? scroller.scrollTop;
    editor.focus();
    const detach = engine.attach({
      apply: (edits, { who }) => applyForeign(editor, edits, visibleName(who ?? saving.somebody)),
      show: (doc) => replaceText(editor, doc, true),
    });
    const lower = keepAboveKeyboard(parent);
    return () => {
      engine.memory = { state: editor.state, scrollTop: scroller?.scrollTop ?? 0 } satisfies EditorMemory;
      detach();
      lower();
      editor.destroy();
      view.current = null;
      // A change of mode is no leaving: only another page makes a conflict safe.
      setTimeout(() => engine.tell({ kind: 'left', page: !isShown(engine) }));
    };
  }, [engine]);

  useEffect(() => {
    view.current?.dispatch({ effects: writable.reconfigure(writableIs(isWritable)) });
  }, [isWritable]);

  // Moved by somebody else: the address follows.
  const opensAt = useRef(path);
  useEffect(() => {
    if (opensAt.current === path) return;
    opensAt.current = path;
    goTo(fileAddress(engine.workspaceId, path, { mode: 'edit' }), { replace: true });
  }, [engine, path, goTo]);

  useEffect(() => {
    if (restored === null) return;
    const notice = notify({
      text: saving.draftBack(relativeTime(restored.savedAt, Date.now())),
      stays: true,
      actions: [
        {
          label: saving.discardThem,
          run: () => {
            if (view.current !== null) replaceText(view.current, restored.base, false);
          },
        },
      ],
    });
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
      run: () => engine.tell({ kind: 'save_asked' }),
    },
  ]);

  if (hold?.kind === 'gone') {
    return (
      <NotFound>
        {engine.isDirty ? <Button onClick={download}>{saving.downloadMyText}</Button> : null}
      </NotFound>
    );
  }
  return (
    <div className="edit">
      <SaveStatus engine={engine} />
      <ConflictBar engine={engine} onDownload={download} />
      {isMarkdown(path, engine.state.contentType) ? <FormattingBar view={() => view.current} /> : null}
      <div className="edit-text" ref={place} />
    </div>
  );
}

interface EditorMemory {
  readonly state: EditorState;
  readonly scrollTop: number;
}

function memoryOf(engine: RunningEngine<Text>): EditorMemory | null {
  return engine.memory as EditorMemory | null;
}

/** Caret, selection and undo survive a change of mode; what others changed meanwhile comes in outside the history. */
function stateOf(engine: RunningEngine<Text>, listener: () => EditorListener): EditorState {
  const { doc, path, contentType, hold, base } = engine.state;
  const before = memoryOf(engine)?.state;
  if (before !== undefined) {
    if (textDocuments.equal(before.doc, doc)) return before;
    return before.update({
      changes: { from: 0, to: before.doc.length, insert: doc },
      annotations: [Transaction.addToHistory.of(false), byEngine.of(true)],
    }).state;
  }
  const isWritable = !(hold?.kind === 'blocked' && hold.reason.kind === 'read_only');
  const name = visibleName(nameOf(path));
  const isNew = base.version === 1 && doc.lines <= 2;
  return createEditorState(
    doc,
    { name, isMarkdown: isMarkdown(path, contentType), isWritable, isNew },
    listener,
  );
}

/** Another text as one step, from the first character that differs to the last. */
function replaceText(view: EditorView, doc: Text, isByEngine: boolean): void {
  const before = textDocuments.toText(view.state.doc);
  const after = textDocuments.toText(doc);
  let from = 0;
  const most = Math.min(before.length, after.length);
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let end = 0;
  while (
    end < most - from &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end += 1;
  view.dispatch({
    changes: {
      from,
      to: before.length - end,
      insert: view.state.toText(after.slice(from, after.length - end)),
    },
    ...(isByEngine ? { annotations: byEngine.of(true) } : {}),
  });
}

function isShown(engine: RunningEngine<Text>): boolean {
  const shown = placeOf(location.pathname);
  return (
    shown.kind === 'file' && shown.workspaceId === engine.workspaceId && shown.path === engine.state.path
  );
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  return element.closest('main');
}
