import { Text } from '@codemirror/state';
import type { EditorDocuments } from '../saving/run-engine.ts';

/**
 * Only LF ends a line here. A carriage return is an ordinary character, so that a file keeps its line ends.
 * CodeMirror's default would normalise them.
 */
export const lineEnd = '\n';

export const textDocuments: EditorDocuments<Text> = {
  fromText: (text) => Text.of(text.split(lineEnd)),
  toText: (text) => text.sliceString(0, text.length, lineEnd),
  equal: (one, other) => one === other || one.eq(other),
  isEmpty: (text) => text.length === 0,
  byteLength: (text) => {
    let bytes = 0;
    for (const part of text.iter()) bytes += byteLength(part);
    return bytes;
  },
};

const encoder = new TextEncoder();
const byteLength = (part: string) => encoder.encode(part).length;
