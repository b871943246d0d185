import { editText, type TextEdited, type WantedEdit } from '@stoa/core';

/** Contents of one file, oldest first: what the edits were written for, what came between, what it holds now. */
export interface EditJob {
  readonly contents: readonly [Uint8Array, ...Uint8Array[]];
  readonly edits: readonly WantedEdit[];
}

export type EditAnswer =
  /** What the file holds now is not UTF-8. */
  | { readonly kind: 'not_text' }
  /** An earlier content is not, so nothing can be carried over from there. */
  | { readonly kind: 'base_not_text' }
  | (Omit<Extract<TextEdited, { readonly kind: 'edited' }>, 'text'> & {
      /** Null when it is what the file holds already. */
      readonly content: Uint8Array<ArrayBuffer> | null;
    })
  | Exclude<TextEdited, { readonly kind: 'edited' }>;

// A byte order mark is content: without it, bytes outside the edits would change.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** What a worker does with a question. */
export function answerEdits({ contents, edits }: EditJob): EditAnswer {
  const [base, ...later] = contents.map(decode);
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

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
