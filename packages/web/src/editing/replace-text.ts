import type { ChangeSpec, EditorState, Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { mergeTexts, type TextEdit } from '@stoa/core';
import { mergeInApp, ownThreadMax } from '../merging/merge-in-app.ts';
import type { RestoredText } from '../saving/open-engines.ts';
import { byEngine, changesOf } from './foreign-edits.ts';
import { textDocuments } from './text-documents.ts';

/** Another text as one step, from the first character that differs to the last. */
export function replaceText(view: EditorView, doc: Text, isByEngine: boolean): void {
  const edit = differingRange(textDocuments.toText(view.state.doc), textDocuments.toText(doc));
  view.dispatch({
    changes: changesOf(view.state, [edit]),
    ...(isByEngine ? { annotations: byEngine.of(true) } : {}),
  });
}

/** From the text of an editor to another one, place by place: the caret and the undo history find theirs again. */
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

/** Somebody types on while a large text is compared: after so many times all of it goes. */
const takeOutTriesMax = 3;

/**
 * Takes out what was kept of a text, and nothing that came since, as one step that can be undone. Where it was written on in the
 * same words only all of it can go.
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
