/** From `start` up to, but not including, `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Replaces a range, which may be empty, with `text`. Positions are UTF-16 units of the text before all edits. */
export interface TextEdit extends TextRange {
  readonly text: string;
}

/** Applies all edits. They are in order and do not overlap, as `mergeTexts` returns them. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Returns the edit without the common prefix and suffix of the old and the new text, so that a caret there stays. */
export function trimmedEdit(text: string, range: TextRange, replacement: string): TextEdit {
  let { start, end } = range;
  let from = 0;
  let to = replacement.length;
  while (start < end && from < to && text.charCodeAt(start) === replacement.charCodeAt(from)) {
    start += 1;
    from += 1;
  }
  if (splitsPair(text, start) || splitsPair(replacement, from)) {
    start -= 1;
    from -= 1;
  }
  while (start < end && from < to && text.charCodeAt(end - 1) === replacement.charCodeAt(to - 1)) {
    end -= 1;
    to -= 1;
  }
  if (splitsPair(text, end) || splitsPair(replacement, to)) {
    end += 1;
    to += 1;
  }
  return { start, end, text: replacement.slice(from, to) };
}

/** True between the two halves of a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
