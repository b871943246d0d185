import { readFrontMatter as readBlock } from '@stoa/core/front-matter';
import type { ReadingText } from '@stoa/markdown/tree';
import { isMap, isScalar, isSeq } from 'yaml';

export interface FrontMatter {
  /** Offset of the text after the front matter. */
  readonly end: number;
  readonly rows: readonly FrontMatterRow[];
}

export interface FrontMatterRow {
  readonly key: ReadingText;
  /** One value, or the values of a list. */
  readonly values: readonly ReadingText[];
}

/** Returns the rows of a file's front matter, each text with its offsets in the source; null without front matter. */
export function readFrontMatter(source: string): FrontMatter | null {
  const read = readBlock(source);
  if (read === null) return null;
  const { contentStart, contentEnd, end, map } = read;
  const content = source.slice(contentStart, contentEnd);

  const location = (node: unknown): ReadingText => {
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return { text: '', ranges: [] };
    const [start, end] = node.range ?? [0, 0];
    const written = content.slice(start, end).trimEnd();
    if (!isScalar(node) || typeof node.value !== 'string') return verbatim(written, contentStart + start);
    const within = written.indexOf(node.value);
    return within === -1
      ? {
          text: node.value,
          ranges: [node.value.length, contentStart + start, contentStart + start + written.length],
        }
      : verbatim(node.value, contentStart + start + within);
  };
  const rows = (map?.items ?? []).map(
    ({ key, value }): FrontMatterRow => ({
      key: location(key),
      values: isSeq(value) && value.items.every(isScalar) ? value.items.map(location) : [location(value)],
    }),
  );
  return { end, rows };
}

function verbatim(text: string, start: number): ReadingText {
  return { text, ranges: text === '' ? [] : [text.length, start, start + text.length] };
}
