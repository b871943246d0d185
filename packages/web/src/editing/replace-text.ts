import type { ChangeSpec, EditorState, Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { mergeTexts, type TextEdit } from '@stoa/core';
import { mergeInApp, ownThreadMax } from '../merging/merge-in-app.ts';
import type { RestoredText } from '../saving/open-engines.ts';
import { byEngine, changesOf } from './foreign-edits.ts';
import { textDocuments } from './text-documents.ts';

/** Replaces the text in one step, from the first differing character to the last. */
export function replaceText(view: EditorView, doc: Text, isByEngine: boolean): void {
  const edit = differingRange(textDocuments.toText(view.state.doc), textDocuments.toText(doc));
  view.dispatch({
    changes: changesOf(view.state, [edit]),
    ...(isByEngine ? { annotations: byEngine.of(true) } : {}),
  });
}

/** The changes from the editor's text to another one, by word, so that the caret and the undo history can be mapped. */
export function changesTo(state: EditorState, doc: Text): ChangeSpec {
  const [before, after] = [textDocuments.toText(state.doc), textDocuments.toText(doc)];
  const isSmall = Math.max(before.length, after.length) <= ownThreadMax;
  const edits = isSmall ? mergeTexts(before, before, after, { within: 'words' }).edits : null;
  return changesOf(state, edits ?? [differingRange(before, after)]);
}

function differingRange(before: string, after: string): TextEdit {
  let start = 0;
  const most = Math.min(before.length, after.length);
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < most - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same += 1;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** The user may type while a large text is compared. After this many tries the whole text is replaced. */
const takeOutTriesMax = 3;

/**
 * Removes a restored draft, but nothing typed since, in one step that can be undone. If edits overlap the draft, all of
 * it goes.
 */
export async function takeOut(view: EditorView, { doc: kept, base }: RestoredText<Text>): Promise<void> {
  const [before, without] = [textDocuments.toText(kept), textDocuments.toText(base)];
  for (let tries = 0; tries < takeOutTriesMax; tries += 1) {
    const { doc } = view.state;
    const mine = textDocuments.toText(doc);
    const { edits, overlaps } = await mergeInApp({ base: before, mine, theirs: without });
    if (overlaps > 0) break;
    if (view.state.doc !== doc) continue;
    view.dispatch({ changes: changesOf(view.state, edits) });
    return;
  }
  replaceText(view, base, false);
}
