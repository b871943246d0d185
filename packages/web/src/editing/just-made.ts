import type { Text } from '@codemirror/state';

/** The text of a file that the calendar created. */
const note = /^---\ndate: [\d-]+\n---\n\n$/;
const noteCharactersMax = 40;

/** Whether the file has only the text of a new file: then writing starts at its end. */
export function isJustMade(version: number, doc: Text): boolean {
  return version === 1 && (doc.lines <= 2 || note.test(doc.sliceString(0, noteCharactersMax)));
}
