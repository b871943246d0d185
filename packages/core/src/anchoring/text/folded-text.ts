import type { ByteRange } from '../anchor.ts';
import { characterLength, codePointAt } from './utf8.ts';
import { spaceEnd } from './white-space.ts';

/** Characters of a range with their byte offsets. Every run of white space is one U+0020. */
export interface FoldedText {
  readonly codes: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

export function foldText(bytes: Uint8Array, range: ByteRange): FoldedText {
  const most = Math.max(0, range.end - range.start);
  const codes = new Int32Array(most);
  const starts = new Int32Array(most);
  const ends = new Int32Array(most);
  let size = 0;
  for (let at = range.start; at < range.end; ) {
    const spaces = spaceEnd(bytes, at, range.end);
    const length = spaces > at ? spaces - at : characterLength(bytes, at);
    codes[size] = spaces > at ? 0x20 : codePointAt(bytes, at, length);
    starts[size] = at;
    at = Math.min(range.end, at + length);
    ends[size] = at;
    size += 1;
  }
  return { codes: codes.subarray(0, size), starts: starts.subarray(0, size), ends: ends.subarray(0, size) };
}
