import {
  applyTextEdits,
  type Blame,
  blameLines,
  editText,
  mergeTexts,
  type OverlapTexts,
  overlapTexts,
  type TextEdited,
  utf8Text,
  type WantedEdit,
} from '@stoa/core';
import { type ChangedLines, type CompareJob, changedLines } from './changed-lines.ts';

/** Contents of one file, oldest first: the base of the edits, intermediate versions, and the current one. */
export interface EditJob {
  readonly contents: readonly [Uint8Array, ...Uint8Array[]];
  readonly edits: readonly WantedEdit[];
}

export type EditResponse =
  /** The current content is not UTF-8. */
  | { readonly kind: 'not_text' }
  /** An earlier content is not UTF-8, so edits cannot be rebased from it. */
  | { readonly kind: 'base_not_text' }
  | (Omit<Extract<TextEdited, { readonly kind: 'edited' }>, 'text'> & {
      /** Null when the file already has this content. */
      readonly content: Uint8Array<ArrayBuffer> | null;
    })
  | Exclude<TextEdited, { readonly kind: 'edited' }>;

/** Two contents and their common base. */
export interface MergeJob {
  readonly base: Uint8Array;
  readonly mine: Uint8Array;
  readonly theirs: Uint8Array;
}

export type MergeResponse =
  | { readonly kind: 'merged'; readonly content: Uint8Array<ArrayBuffer> }
  /** Both changed the same lines, in different ways. */
  | { readonly kind: 'overlapping'; readonly overlaps: OverlapTexts }
  /** One of the three is not UTF-8. */
  | { readonly kind: 'not_text' };

/** Limits for the overlaps in a response: agents receive them in one text. */
const shownOverlaps = { textMaxCharacters: 2_000, maxBytes: 30_000 } as const;

export type EditingQuestion =
  | { readonly kind: 'edit'; readonly job: EditJob }
  | { readonly kind: 'merge'; readonly job: MergeJob }
  | { readonly kind: 'compare'; readonly job: CompareJob }
  | { readonly kind: 'blame'; readonly job: BlameJob };
export type EditingResponse = EditResponse | MergeResponse | CompareResponse | BlameResponse;

/** The contents that a file had, newest first. */
export interface BlameJob {
  readonly contents: readonly [Uint8Array, ...Uint8Array[]];
}

export type BlameResponse =
  | { readonly kind: 'blamed'; readonly blame: Blame }
  /** The newest is not UTF-8. */
  | { readonly kind: 'not_text' };

/** Steps of all comparisons together: about a second. */
const blameStepsMax = 60_000_000;

export type CompareResponse =
  | { readonly kind: 'compared'; readonly changed: ChangedLines }
  /** One of the two is not UTF-8. */
  | { readonly kind: 'not_compared' };

// A byte order mark belongs to the content: dropping it would change bytes outside the edits.
const encoder = new TextEncoder();

/** Runs one question, in a worker. */
export function runEditing(question: EditingQuestion): EditingResponse {
  switch (question.kind) {
    case 'edit':
      return runEdits(question.job);
    case 'merge':
      return runMerge(question.job);
    case 'compare':
      return runCompare(question.job);
    case 'blame':
      return runBlame(question.job);
  }
}

export function runCompare({ before, now, most }: CompareJob): CompareResponse {
  const [older, newer] = [utf8Text(before), utf8Text(now)];
  if (older === null || newer === null) return { kind: 'not_compared' };
  return { kind: 'compared', changed: changedLines(older, newer, most) };
}

export function runBlame({ contents: [newest, ...older] }: BlameJob): BlameResponse {
  const text = utf8Text(newest);
  if (text === null) return { kind: 'not_text' };
  const texts: [string, ...string[]] = [text];
  for (const content of older) {
    const before = utf8Text(content);
    if (before === null) break;
    texts.push(before);
  }
  return { kind: 'blamed', blame: blameLines(texts, blameStepsMax) };
}

export function runMerge({ base, mine, theirs }: MergeJob): MergeResponse {
  const [baseText, mineText, theirsText] = [utf8Text(base), utf8Text(mine), utf8Text(theirs)];
  if (baseText === null || mineText === null || theirsText === null) return { kind: 'not_text' };
  const { edits, overlaps } = mergeTexts(baseText, mineText, theirsText, { within: 'lines' });
  if (overlaps.length > 0) {
    const texts = { base: baseText, mine: mineText, theirs: theirsText };
    return { kind: 'overlapping', overlaps: overlapTexts(texts, overlaps, shownOverlaps) };
  }
  return { kind: 'merged', content: encoder.encode(applyTextEdits(mineText, edits)) };
}

export function runEdits({ contents, edits }: EditJob): EditResponse {
  const [base, ...later] = contents.map(utf8Text);
  const current = later.length === 0 ? base : later.at(-1);
  if (current === null || current === undefined) return { kind: 'not_text' };
  if (base === null || base === undefined) return { kind: 'base_not_text' };
  const between = later.filter((text) => text !== null);
  if (between.length < later.length) return { kind: 'base_not_text' };
  const edited = editText([base, ...between], edits);
  if (edited.kind !== 'edited') return edited;
  const { text, ...facts } = edited;
  return { ...facts, content: text === current ? null : encoder.encode(text) };
}
