import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, showPanel } from '@codemirror/view';
import { sizeText } from '@stoa/core';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { nameOf } from '../api/listing-index.ts';
import { useListing } from '../api/use-listing.ts';
import { useStore } from '../store/store.ts';
import { conflicts as texts } from '../text/en/conflicts.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import type { CurrentText, TextsToMerge } from '../ui/dialogs.ts';
import { FormAlert } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { differenceMarks, goToDifference, openDifferences, toDecide } from './difference-marks.ts';
import { lineDirection } from './line-direction.ts';
import { beginMerge, dropMerge, goOnWith, keepMerge, type UnsavedMerge } from './unsaved-merges.ts';
import './compare-dialog.css';

/** The newest version on the left, the text to be saved on the right, and the differences to decide. */
export function CompareDialog({
  comparison,
  onClose,
}: {
  readonly comparison: TextsToMerge;
  onClose(): void;
}) {
  const { key, workspaceId, path, base, mine, current } = comparison;
  const newest = useStore(current);
  // The dialog renders its content into a portal a moment later.
  const [location, setLocation] = useState<HTMLDivElement | null>(null);
  const merge = useRef<MergeView | null>(null);
  const [left, setLeft] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const shownHash = useRef(newest.hash);
  // Inside the left editor, whose label names it.
  const [factsLocation] = useState(() => document.createElement('div'));

  useEffect(() => {
    if (location === null) return;
    const { text: theirs } = current.get();
    const merged = beginMerge(key, base, mine, theirs);
    const view = createMergeView(location, theirs, merged.text, factsLocation, setLeft);
    merge.current = view;
    view.b.dispatch(toDecide(merged.differences));
    goToDifference(view.b, 1);
    // Both texts are safe, but their merge exists only here.
    const begun = view.b.state.doc;
    const endKeys = stepByKeys(location, (step) => goToDifference(view.b, step));
    const askBeforeLeaving = (event: BeforeUnloadEvent) => {
      if (!view.b.state.doc.eq(begun)) event.preventDefault();
    };
    addEventListener('beforeunload', askBeforeLeaving);
    return () => {
      removeEventListener('beforeunload', askBeforeLeaving);
      endKeys();
      merge.current = null;
      view.destroy();
    };
  }, [location, key, base, mine, current, factsLocation]);

  // A newer version arrived while the dialog is open: show it, and keep the merge for the user to review.
  useEffect(() => {
    const view = merge.current;
    if (view === null || shownHash.current === newest.hash) return;
    shownHash.current = newest.hash;
    const merged = goOnWith(unsavedMerge(view, mine), mine, newest.text);
    view.a.dispatch({
      changes: { from: 0, to: view.a.state.doc.length, insert: view.a.state.toText(newest.text) },
    });
    view.b.dispatch({
      changes: { from: 0, to: view.b.state.doc.length, insert: view.b.state.toText(merged.text) },
    });
    view.b.dispatch(toDecide(merged.differences));
    setProblem(texts.savedJustNow(visibleName(newest.who), newest.version));
  }, [newest, mine]);

  const save = async () => {
    const view = merge.current;
    if (view === null || isSaving) return;
    setIsSaving(true);
    setProblem(null);
    const outcome = await comparison.save(view.b.state.sliceDoc(), {
      version: newest.version,
      hash: newest.hash,
    });
    setIsSaving(false);
    if (outcome.kind === 'saved') {
      dropMerge(key);
      onClose();
    }
    if (outcome.kind === 'refused') setProblem(outcome.message);
  };
  const close = () => {
    if (merge.current !== null) keepMerge(key, unsavedMerge(merge.current, mine));
    onClose();
  };
  const go = (step: 1 | -1) => () => {
    if (merge.current !== null) goToDifference(merge.current.b, step);
  };

  return (
    <Dialog
      title={texts.compareTitle(visibleName(nameOf(path)))}
      size="large"
      dismissible="by-keyboard"
      onClose={close}
    >
      <div className="compare-steps">
        <Button icon="arrow-up" onClick={go(-1)}>
          {texts.previousDifference}
        </Button>
        <Button icon="arrow-down" onClick={go(1)}>
          {texts.nextDifference}
        </Button>
        <span role="status" aria-label={texts.differences}>
          {texts.differencesLeft(left)}
        </span>
      </div>
      <div className="compare-views" ref={setLocation} />
      {createPortal(<Facts workspaceId={workspaceId} path={path} newest={newest} />, factsLocation)}
      <FormAlert>{problem}</FormAlert>
      <DialogButtons>
        <Button onClick={close}>{ui.cancel}</Button>
        <Button kind="primary" needsServer onClick={() => void save()} aria-busy={isSaving}>
          {texts.saveMergedText}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** The author, time and size of the newest version. */
function Facts({
  workspaceId,
  path,
  newest,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly newest: CurrentText;
}) {
  const state = useListing(workspaceId);
  const entry = state.kind === 'ready' ? state.listing.files.get(path) : undefined;
  const size = sizeText(new TextEncoder().encode(newest.text).length);
  return (
    <>
      <strong>{texts.currentFacts(visibleName(newest.who), newest.version, size)}</strong>
      {entry?.changedAt === undefined || entry.contentHash !== newest.hash ? null : (
        <>
          {' · '}
          <Time at={entry.changedAt} />
        </>
      )}
    </>
  );
}

/** F7 and Shift+F7, wherever the focus is in the dialog. */
function stepByKeys(location: HTMLElement, go: (step: 1 | -1) => void): () => void {
  const dialog = location.closest<HTMLElement>('[role="dialog"]') ?? location;
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'F7' || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  };
  dialog.addEventListener('keydown', pressed);
  return () => dialog.removeEventListener('keydown', pressed);
}

function unsavedMerge({ a, b }: MergeView, mine: string): UnsavedMerge {
  return {
    merged: b.state.sliceDoc(),
    differences: b.state.field(openDifferences),
    mine,
    theirs: a.state.sliceDoc(),
  };
}

const look = EditorView.theme({
  '&.cm-focused': { outline: 'none' },
  '&': { fontSize: '14px' },
  '.cm-panels': { background: 'var(--stoa-raised)', color: 'var(--stoa-text-muted)' },
  '&.cm-merge-a .cm-panels': { background: 'var(--stoa-surface)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--stoa-border)' },
  '.cm-panel': {
    padding: '4px 8px',
    overflow: 'hidden',
    fontSize: '13px',
    whiteSpace: 'nowrap',
    textOverflow: 'ellipsis',
  },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--stoa-text)' },
  '.cm-changedLine': { background: 'transparent !important' },
  '&.cm-merge-a .cm-changedText': { background: 'var(--stoa-conflict-theirs) !important' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--stoa-conflict-mine) !important' },
});

function mergedHeading() {
  const dom = document.createElement('div');
  dom.textContent = texts.mergedText;
  return { dom, top: true };
}

function createMergeView(
  parent: HTMLElement,
  theirs: string,
  merged: string,
  facts: HTMLElement,
  onDifferences: (count: number) => void,
): MergeView {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  const common = [
    EditorView.cspNonce.of(nonce),
    EditorState.lineSeparator.of('\n'),
    EditorView.lineWrapping,
    lineDirection,
    look,
  ];
  const view = new MergeView({
    parent,
    a: {
      doc: theirs,
      extensions: [
        ...common,
        showPanel.of(() => ({ dom: facts, top: true })),
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-label': texts.currentVersion, 'aria-readonly': 'true' }),
      ],
    },
    b: {
      doc: merged,
      extensions: [
        ...common,
        showPanel.of(mergedHeading),
        history(),
        keymap.of([...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': texts.mergedText, 'aria-multiline': 'true' }),
        differenceMarks,
        EditorView.updateListener.of(({ state }) => onDifferences(state.field(openDifferences).length)),
      ],
    },
    highlightChanges: true,
    gutter: false,
  });
  view.a.dom.setAttribute('role', 'region');
  view.a.dom.setAttribute('aria-label', texts.currentVersion);
  return view;
}
