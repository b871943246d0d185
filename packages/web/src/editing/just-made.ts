import type { Text } from '@codemirror/state';

/** A note that a calendar made for a day. */
const note = /^---\ndate: [\d-]+\n---\n\n$/;
const noteCharactersMax = 40;

/** Whether nobody wrote more than the app itself puts into a new file: then it is written on at its end. */
export function isJustMade(version: number, doc: Text): boolean {
  return version === 1 && (doc.lines <= 2 || note.test(doc.sliceString(0, noteCharactersMax)));
}
